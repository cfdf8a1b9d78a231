"""The attacks on published tables and the disclosures they lead to, by name: those of the modules beside this one.

The words of an attack hold no number: its function returns facts (`facts.Findings`), for tables of every kind.
"""

from __future__ import annotations

from lmdk_widgets.anonymity import correlation, one_release, several_releases
from lmdk_widgets.anonymity.facts import Attack

ATTACKS: dict[str, Attack] = {
    attack.name: attack for attack in (*one_release.ATTACKS, *several_releases.ATTACKS, *correlation.ATTACKS)
}
DISCLOSURES: dict[str, Attack] = {attack.name: attack for attack in one_release.DISCLOSURES}
PLAYABLE = ATTACKS | DISCLOSURES
"""All that can be played on a release."""
