"""The licences of everything third-party that is bundled: they travel with the built package."""

from __future__ import annotations

from pathlib import Path

BUNDLED = ("leaflet", "plotly.js-basic-dist-min")


def notices(frontend: Path) -> str:
    """The text of THIRD_PARTY_NOTICES.txt: each library's own licence, then those of what plotly's bundle contains."""
    own = [_titled(name, (frontend / "node_modules" / name / "LICENSE").read_text("utf-8")) for name in BUNDLED]
    inside = _titled("plotly.js-basic-dist-min contains", (frontend / "plotly_notices.txt").read_text("utf-8"))
    return "\n\n".join([*own, inside])


def _titled(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"
