"""The description of the built package: the README with links that work where the package is read.

In the repository, links lead to files beside the README. In a package index they would lead nowhere: with an address of the
repository they lead there, at the tag of this version; without one only their texts stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable

ELSEWHERE = re.compile(r"[a-z]+:")
"""How a target begins that is complete."""
LINK = re.compile(r"(!?)\[([^]]+)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)


def description(text: str, repository: str, version: str) -> str:
    """The README with complete links, or without links.

    Parameters
    ----------
    text : in Markdown. repository : its address without a slash at the end; "" if there is none yet. version : whose tag
        the links lead to.

    Examples
    --------
    >>> description("See [docs](docs/a.md).", "https://code.example.org/me/it", "1.0")
    'See [docs](https://code.example.org/me/it/blob/v1.0/docs/a.md).'
    >>> description("See [docs](docs/a.md) and ![a map](docs/a.png)", "", "1.0")
    'See docs and a map'
    """
    parts = FENCE.split(text)  # every second part is a block of code, which stays as it is
    return "".join(part if k % 2 else LINK.sub(_written(repository, version), part) for k, part in enumerate(parts))


def _written(repository: str, version: str) -> Callable[[re.Match[str]], str]:
    def written(found: re.Match[str]) -> str:
        mark, said, target = found.groups()
        if ELSEWHERE.match(target):
            return found[0]
        if not repository:
            return said
        target = f"README.md{target}" if target.startswith("#") else target
        return f"{mark}[{said}]({repository.rstrip('/')}/{'raw' if mark else 'blob'}/v{version}/{target})"

    return written


def urls(repository: str, version: str) -> dict[str, str]:
    """The project's addresses as a package index shows them.

    Examples
    --------
    >>> urls("", "1.0")
    {}
    """
    if not repository:
        return {}
    home = repository.rstrip("/")
    return {"Source": home, "Issues": f"{home}/issues", "Changelog": f"{home}/blob/v{version}/CHANGELOG.md"}
