"""All attacks on published tables, and the disclosures that result, by name; their modules are in this package.

The description of an attack contains no numbers: its function returns facts (`facts.Findings`), for any kind of table.
"""

from __future__ import annotations

from lmdk_widgets.anonymity import correlation, one_release, several_releases
from lmdk_widgets.anonymity.facts import Attack

ATTACKS: dict[str, Attack] = {
    attack.name: attack for attack in (*one_release.ATTACKS, *several_releases.ATTACKS, *correlation.ATTACKS)
}
DISCLOSURES: dict[str, Attack] = {attack.name: attack for attack in one_release.DISCLOSURES}
PLAYABLE = ATTACKS | DISCLOSURES
"""All attacks and disclosures that can be tried on a release."""
