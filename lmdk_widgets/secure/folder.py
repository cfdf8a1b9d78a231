"""The folder of a private release: the guarantee in numbers and words, the same as a page, and what was released.

The page opens without a network and without Python. It shows the guarantee, and its script checks a file that the
reader chooses: it checks what `lmdk release --check --received` checks, in the same words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from lmdk_widgets.io.programs import policy, program, shown
from lmdk_widgets.palette import CHECKED, INK, LINE, PAPER, QUIET, REFUSED
from lmdk_widgets.secure.files import reserved
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.together import Together, upward

Spend = Callable[[Callable[[Together], Mapping[str, str]]], object]

NAMES = ["guarantee.json", "guarantee.html", "release.csv"]
"""The files of a release; what was released comes last."""

SPARE_BYTES = 4_000
"""Space in each file for what the ledger adds at the end: the number of releases, and what they spend together."""

PAGE_TITLE = "What this release promises"

PROGRAM = "guarantee.js"
"""The script that checks a file on the page."""

STYLE = (
    "\n"
    f":root {{ color-scheme: light dark; --paper: {PAPER.light}; --ink: {INK.light}; --quiet: {QUIET.light}; "
    f"--line: {LINE.light}; --good: {CHECKED.light};\n  --bad: {REFUSED.light}; }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ --paper: {PAPER.dark}; --ink: {INK.dark}; --quiet: {QUIET.dark}; "
    f"--line: {LINE.dark};\n  --good: {CHECKED.dark}; --bad: {REFUSED.dark}; }} }}"
    + """
body { margin: 0 auto; padding: 20px 16px; max-width: 760px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 25px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 19px; line-height: 1.25; margin: 28px 0 8px; padding-top: 10px; border-top: 1px solid var(--line); }
p { margin: 0 0 8px; } ul { margin: 0 0 8px; padding-left: 20px; } li { margin-bottom: 4px; }
.quiet { color: var(--quiet); font-size: 13.5px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 4px 12px 4px 0; vertical-align:
  top; border-bottom: 1px solid var(--line); font-weight: 400; } td { text-align: right; padding-right: 0; font-weight:
  650; font-variant-numeric: tabular-nums; }
#found { list-style: none; padding: 0; } #found b { color: var(--good); } #found .not b { color: var(--bad); }
input { font: inherit; max-width: 100%; }
"""
)


def write_release(folder: Path, told: dict[str, Any], text: str, ledger: Ledger, spend: Spend) -> dict[str, Any]:
    """Write a guarantee and its values to a folder; between reserving and publishing, record that a budget is spent.

    Parameters
    ----------
    told : the guarantee of this release alone. text : release.csv. spend : records the release in the ledger; it is given
        a function from what all releases spend to the files that will be published.
    """
    sizes = {
        name: len(file.encode()) + SPARE_BYTES * (name != NAMES[-1])
        for name, file in files_of(whole_guarantee(told, Together(1), digest_of(text)), text).items()
    }
    made: dict[str, str] = {}

    def files(together: Together) -> dict[str, str]:
        told.update(whole_guarantee(told, together, digest_of(text)))
        made.update(files_of(told, text))
        return made

    with reserved(folder, sizes, ledger.unfinished) as publish:
        spend(files)
        publish(made)
    return told


def digest_of(text: str) -> str:
    """SHA-256 of what was released, which the guarantee states."""
    return sha256(text.encode()).hexdigest()


def whole_guarantee(told: Mapping[str, Any], together: Together, digest: str) -> dict[str, Any]:
    """The guarantee of a release with the digest of its values, and what all releases spend together."""
    words = [*told["words"], *together.words()]
    return {**told, "words": words, "release_sha256": digest, **together.to_dict()}


def guarantee_text(told: Mapping[str, Any]) -> str:
    """guarantee.json."""
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def files_of(told: Mapping[str, Any], text: str) -> dict[str, str]:
    """The files of a release by name."""
    return dict(zip(NAMES, (guarantee_text(told), guarantee_page(told), text), strict=True))


def guarantee_page(told: Mapping[str, Any]) -> str:
    """A release's guarantee as an HTML page that needs no network.

    Parameters
    ----------
    told : the guarantee, as in guarantee.json.

    Raises
    ------
    RuntimeError : the package was never built.
    """
    counted = "counted" in told
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy()}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{PAGE_TITLE}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{PAGE_TITLE}</h1>",
            f'<p class="quiet">This is {shown(told["what"])}. {NAMES[0]} says the same.</p>',
            f"<h2>This release</h2>\n{_table(_of_counts(told) if counted else _of_one(told))}",
            *([] if counted else [f"<h2>All releases of the subject together</h2>\n{_together(told)}"]),
            "<h2>In words</h2>\n<ul>",
            *(f"<li>{shown(sentence)}</li>" for sentence in told["words"]),
            "</ul>",
            *_file_check(told),
            "</body>\n</html>\n",
        )
    )


_PROGRAM = re.compile(r'(<script type="module">).*?(</script>)', re.DOTALL)


def page_holds(page: str, restated: Mapping[str, Any]) -> list[tuple[bool | None, str]]:
    """Whether a page is that of a guarantee; a page by another version has another script, which is said of it."""
    right = guarantee_page(restated)
    seen, expected = (_PROGRAM.sub(r"\1\2", text) for text in (page, right))
    found: list[tuple[bool | None, str]] = [
        (seen == expected, f"{NAMES[1]} shows what follows from these numbers, and nothing else.")
    ]
    if seen == expected and page != right:
        text = f"The script in {NAMES[1]} is not the one of this version: do not rely on what it says about a file."
        found.append((None, text))
    return found


def _together(told: Mapping[str, Any]) -> str:
    """What all releases of the subject spend."""
    every = told.get("all_releases_of_the_subject")
    return _table(_of_all(every)) if every else "<p>The owner’s ledger does not count this release with others.</p>"


def _file_check(told: Mapping[str, Any]) -> Iterator[str]:
    """The part in which the page checks a file."""
    held = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    yield "<h2>Check your file</h2>"
    yield f'<p><label>Choose {NAMES[-1]}: <input type="file" accept=".csv,text/csv"></label></p>'
    yield '<ul id="found" aria-live="polite"></ul>'
    yield "<noscript><p>A script on this page checks the file. Scripts are switched off here.</p></noscript>"
    yield '<p class="quiet">The file stays in this browser: the page cannot send or fetch anything.</p>'
    yield f'<script type="application/json" id="told">{held}</script>'
    yield f'<script type="module">{program(PROGRAM)}</script>'


def _table(rows: Iterator[tuple[str, str]]) -> str:
    cells = (f'<tr><th scope="row">{shown(name)}</th><td>{shown(value)}</td></tr>' for name, value in rows)
    return f"<table>{''.join(cells)}</table>"


def _of_one(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The settings of a release, and what it spends."""
    yield (
        "The landmarks and any one other timestamp spend at most",
        upward(told["largest_sum_over_landmarks_and_one_other"]),
    )
    yield "All timestamps spend", upward(told["sum_over_all_timestamps"])
    yield "Timestamps; measured ones", f"{told['timestamps']:,}; {told.get('points', told.get('values')):,}"
    yield "Landmarks" if told.get("chance_of_a_dummy") is None else "Landmarks and dummies", f"{told['landmarks']:,}"
    if "protection_radius_m" in told:
        yield "Protection radius, m", f"{told['protection_radius_m']:.6g}"
        yield "Lattice step, m", f"{told['lattice_step_m']:.6g}"
    yield "Scheme; its epsilon", f"{told['scheme']}; {told['epsilon']:.6g}"
    yield "Noise", told["mechanism"]


def _of_counts(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The settings of a release of counts of people."""
    yield "Epsilon, for what the first sentence below says", upward(told["epsilon"])
    yield "Scheme", told["scheme"]
    for name, what in (("most", "Contributions of a person, at most"), ("window", "Time slots in a row")):
        if told[name] is not None:
            yield what, f"{told[name]:,}"
    yield "Counts", f"{told['counts']:,}"
    yield "Side of a cell, m; time slot, h", f"{told['cell_m']:.6g}; {told['slot_h']:,}"
    yield "Region: south, west, north and east, degrees", ", ".join(f"{end:.6g}" for end in told["region"])
    yield "Period, by the clock of its zone", f"{told['from']} to {told['until']}; {told['zone']}"
    yield "Noise", told["mechanism"]


def _of_all(every: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What all of a subject's releases spend."""
    yield "Releases, including this one", f"{every['releases']:,}"
    largest = every["largest_sum_over_landmarks_and_one_other_minute"]
    yield "The landmarks and any one other minute spend at most", upward(largest)
    yield "All minutes spend", upward(every["sum_over_all_minutes"])
