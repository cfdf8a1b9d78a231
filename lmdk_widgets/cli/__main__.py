"""The commands without the installed script: python -m lmdk_widgets.cli."""

import sys

from lmdk_widgets.cli import main

sys.exit(main())
