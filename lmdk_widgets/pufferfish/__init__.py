"""Pufferfish privacy for a series of states: the Markov quilt mechanism and how its releases compose."""

from lmdk_widgets.pufferfish.chain import MarkovChain
from lmdk_widgets.pufferfish.influence import max_influence
from lmdk_widgets.pufferfish.scale import NodeScales, QuiltScale, quilt_scale
from lmdk_widgets.pufferfish.table import QuiltTable

__all__ = ["MarkovChain", "NodeScales", "QuiltScale", "QuiltTable", "max_influence", "quilt_scale"]
