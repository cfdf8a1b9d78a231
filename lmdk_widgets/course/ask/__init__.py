"""Questions as values: what is asked, and the verdict on an answer. No widget, no browser, no storage."""

from lmdk_widgets.course.ask.choose import Choice, Choose, Item, Order
from lmdk_widgets.course.ask.curve import Curve, Shape, shape_of
from lmdk_widgets.course.ask.number import Number, Trap, probability
from lmdk_widgets.course.ask.point import Point, Scene
from lmdk_widgets.course.ask.verdict import Ask, Said, Verdict

__all__ = [
    "Ask",
    "Choice",
    "Choose",
    "Curve",
    "Item",
    "Number",
    "Order",
    "Point",
    "Said",
    "Scene",
    "Shape",
    "Trap",
    "Verdict",
    "probability",
    "shape_of",
]
