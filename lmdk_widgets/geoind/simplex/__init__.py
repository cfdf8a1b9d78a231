"""The optimal mechanism by the simplex method in machine code (Numba).

The linear programme has n^2 variables and n^2 (n - 1) constraints, but a basic solution is small: see `state`. A cold solve
begins with the constant report, whose places are a component each, and lets in the report whose tree has the most negative
reduced cost until none has: column generation in which the columns are trees. The next position of a slider is the same
basis at another epsilon: the dual simplex makes it feasible again. With NUMBA_DISABLE_JIT=1 in the environment plain
Python runs all of it: the functions are their own slow oracle.
"""
