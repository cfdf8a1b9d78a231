"""The simplex moves as machine code: the extra `fast` (`pip install "lmdk-widgets[fast]"`, Numba).

The moves are those of `basis` and `simplex`, in loops over places and pieces; where NumPy spends half a millisecond on
a move, this takes some 20 microseconds. So a cold solve does without column generation: it begins with the constant
report, whose places are a piece each, and lets in the report that offers most until none offers anything.

The functions are plain Python as well: a slow oracle of themselves. Numba is imported in the background when the
first solve comes; until the machine code is there, NumPy solves. It is kept on disk, like that of `leakage.compiled`.
"""
