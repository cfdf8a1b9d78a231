"""The licences of everything third-party that is bundled: they travel with the built package."""

from __future__ import annotations

from pathlib import Path

BUNDLED = ("leaflet",)


def notices(frontend: Path) -> str:
    """The text of THIRD_PARTY_NOTICES.txt: each library's own licence."""
    return "\n\n".join(
        _titled(name, (frontend / "node_modules" / name / "LICENSE").read_text("utf-8")) for name in BUNDLED
    )


def _titled(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"
