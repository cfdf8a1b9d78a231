"""Finds a Chromium for the browser tests, or installs one: Debian's where that is possible, else playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Without a screen first: the same engine, which starts sooner as it brings no windows along."""


def find_browser() -> str | None:
    """Path of a Chromium or Chrome on this machine, or of the one that playwright has installed."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and os.path.exists(path) else None


def main() -> int:
    if find_browser():
        return 0
    attempts = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        os.environ.update(quiet)
        fonts = "fonts-dejavu-core"
        install = " || ".join(f"apt-get install -y -qq {name} {fonts}" for name in NAMES[:2])
        attempts.insert(0, ["sh", "-c", f"apt-get update -qq && ({install})"])
    for attempt in attempts:
        if subprocess.run(attempt, stdout=sys.stderr).returncode == 0 and find_browser():
            return 0
    print("No Chromium found and none could be installed: install Chromium or Chrome, then run this again.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
