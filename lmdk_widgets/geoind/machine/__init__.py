"""The simplex moves as machine code: the extra `fast` (`pip install "lmdk-widgets[fast]"`, Numba).

The moves are those of `basis` and `simplex`, in loops over places and pieces; where NumPy spends half a millisecond on
a move, this takes some 20 microseconds. So a cold solve does without column generation: it begins with the constant
report, whose places are a piece each, and lets in the report that offers most until none offers anything.

The functions are plain Python as well: a slow oracle of themselves. When the first solve comes, machine code is read
from the disk or, once in an installation, made by another process; until it is there, NumPy solves.
"""
