"""`python -m lmdk_widgets.cli` is the command `lmdk`."""

import sys

from lmdk_widgets.cli import main

if __name__ == "__main__":
    sys.exit(main())
