"""The optimal mechanism by the simplex method in machine code (Numba).

The linear programme has n^2 variables and n^2 (n - 1) constraints, but a basic solution is small: see `state`. A cold
solve starts from the constant report, in which each place is a component, and adds the report whose tree has the most
negative reduced cost until there are none: column generation in which the columns are trees. When a slider moves, the
same basis is used at another epsilon, and the dual simplex makes it feasible again. With NUMBA_DISABLE_JIT=1 in the
environment, plain Python runs everything: the functions are their own slow oracle.
"""
