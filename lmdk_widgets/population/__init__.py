"""Many people: the sample city, and how many people a few known points single out."""

from lmdk_widgets.population.city import sample_city

__all__ = ["sample_city"]
