"""The site: `make docs` builds it from the documents and notebooks in the checkout.

The source folder is the whole checkout, so no document is copied; `include_patterns` lists what belongs to the site.
A reader fetches nothing from elsewhere, whether the site is in a folder or on a server: the theme has its own styles and
scripts, formulas are plain text, and `lmdk_widgets.page.reading` turns widgets into figures and sentences.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import docstrings  # noqa: E402

import lmdk_widgets  # noqa: E402
from lmdk_widgets.course import LESSONS, STORIES  # noqa: E402
from lmdk_widgets.page import glossary  # noqa: E402

project = html_title = "lmdk_widgets"
version = release = lmdk_widgets.__version__
language = "en"
root_doc = "docs/index"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "NOTICES.md", "benchmarks/FIGURES.md"]
include_patterns += [
    "docs/**.md",
    "docs/gallery.ipynb",
    "docs/papers.ipynb",
    "docs/pairs_table.ipynb",
    *(f"notebooks/{name}.ipynb" for name in [*LESSONS, *STORIES]),
]
exclude_patterns = [".venv", "build", "dist", "frontend", "lmdk_widgets", "tests", "data"]

html_theme = "furo"
html_static_path = ["_static", *(str(path) for path in [ROOT / "build" / "site.js"] if path.is_file())]
html_css_files = ["site.css"]
html_js_files = [
    (None, {"body": json.dumps(glossary.message()), "type": "application/json", "id": "lmdk-glossary"}),
    ("site.js", {"defer": "defer"}),
]
html_additional_pages = {"index": "index.html"}
templates_path = ["_templates"]
html_show_sphinx = html_show_copyright = html_copy_source = False

myst_enable_extensions = ["substitution"]
myst_heading_anchors = 3


def _list_of(notebooks: Iterable[str]) -> str:
    return "\n".join(["```{toctree}", ":maxdepth: 1", "", *(f"../notebooks/{name}" for name in notebooks), "```"])


LIVE = '<p><a href="../live/index.html">Try the pages and the lessons in your browser</a>: there is nothing to install.</p>'
"""Links to what `lmdk site build/site/live` writes; LMDK_LIVE is set if that command is run."""

myst_substitutions = {
    "lessons": _list_of(LESSONS),
    "stories": _list_of(STORIES),
    "live": LIVE if os.environ.get("LMDK_LIVE") else "",
}


def _sources() -> str:
    """A name for this version of the package: outputs are recomputed when any of it changes."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "lmdk_widgets").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


nb_render_markdown_format = "myst"  # tables of what a cell returns are tables
nb_execution_mode = os.environ.get("LMDK_SITE", "cache")  # "off": only the texts
nb_execution_cache_path = str(ROOT / "build" / "lessons" / _sources())
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_ipywidgets_js: dict[str, Any] = {}  # no kernel, no widgets, nothing from elsewhere
os.environ["LMDK_READING"] = "1"

# kernels without anyone's own settings, which report only errors
_PROFILE = ROOT / "build" / "ipython" / "profile_default"
_PROFILE.mkdir(parents=True, exist_ok=True)
(_PROFILE / "ipython_kernel_config.py").write_text("get_config().IPKernelApp.log_level = 40\n", "utf-8")
os.environ["IPYTHONDIR"] = str(_PROFILE.parent)
logging.getLogger("traitlets").setLevel(logging.WARNING)

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_ivar = True
napoleon_attr_annotations = False
napoleon_custom_sections = ["Returns"]


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", docstrings.rewrite, priority=100)
