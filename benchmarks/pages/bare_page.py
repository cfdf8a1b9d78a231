"""The smallest possible Voila page: one slider, and one label whose text Python writes."""

from __future__ import annotations

import ipywidgets as widgets


def page() -> widgets.VBox:
    """A slider, and a label with its value."""
    slider = widgets.IntSlider(value=50, min=0, max=1000, description="Epsilon", layout={"width": "600px"})
    label = widgets.Label("")
    label.add_class("bench-numbers")

    def show(_change: object = None) -> None:
        label.value = f"The value is {slider.value}."

    slider.observe(show, "value")
    show()
    return widgets.VBox([slider, label])
