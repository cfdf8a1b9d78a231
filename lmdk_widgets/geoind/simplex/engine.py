"""`python -m lmdk_widgets.geoind.simplex.engine` compiles the machine code of `linear`, and stores it on disk."""

from __future__ import annotations

from lmdk_widgets.linear.compiling import compile_in_turn

if __name__ == "__main__":
    compile_in_turn()
