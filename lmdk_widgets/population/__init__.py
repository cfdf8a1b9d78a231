"""Many people: from one track to a table of (person, time, place).

`People` answers for a table what the pages answer for a track: how near an attacker comes to each person, how many are found,
which epsilon leaves how many unfound, and for how many a release is useful. `sample_city` makes a table up. `unicity` is how
many people a few known points single out. `counts` are counts of people instead of their tracks.
"""

from lmdk_widgets.population.city import sample_city
from lmdk_widgets.population.counts_of_people import Counts, counts
from lmdk_widgets.population.exposure_of_people import Histogram
from lmdk_widgets.population.people_table import People
from lmdk_widgets.population.usefulness_of_people import UsefulShare

__all__ = ["Counts", "Histogram", "People", "UsefulShare", "counts", "sample_city"]
