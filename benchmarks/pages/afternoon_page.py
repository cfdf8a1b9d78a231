"""The explorer as one might build it in an afternoon from ready-made parts.

ipyleaflet draws the map (one GeoJSON layer for the true track, one for the release and one for the landmarks), a
plotly FigureWidget draws each chart (budgets, losses, error), and ipywidgets provides the slider and the text. Each part is
used as its documentation shows: one update of a layer's data, one `batch_update` per figure, NumPy arrays for plotly. The
data, the scheme (Uniform) and the arithmetic are the explorer's, so only the way the numbers get to the screen differs.
"""

from __future__ import annotations

import math
import os

import ipyleaflet
import ipywidgets as widgets
import numpy as np
import pandas as pd
import plotly.graph_objects as go

METRES_PER_DEGREE = 111_195.0
RADIUS_M = 200.0
MATRIX_Q, MATRIX_D = 0.8, 0.2  # the two rows of a moderate correlation, [[.8, .2], [.2, .8]]


class Page:
    """Everything on the page, and `update`, which the slider calls."""

    def __init__(self, path: str) -> None:
        self.table = pd.read_csv(path, parse_dates=["time"])
        self.landmarks = np.flatnonzero(self.table.landmark)
        self.slider = widgets.FloatSlider(
            value=1.0, min=0.01, max=10, step=0.01, description="Epsilon", layout={"width": "600px"}
        )
        self.label = widgets.Label("")
        self.label.add_class("bench-numbers")
        numbers = self.compute(self.slider.value)
        self.map = self._map(numbers["release"])
        self.charts = self._charts(numbers)
        self.label.value = self._text(numbers)
        self.slider.observe(lambda change: self.update(change["new"]), "value")

    def widget(self) -> widgets.VBox:
        return widgets.VBox([self.slider, self.label, self.map, *self.charts])

    def update(self, epsilon: float) -> None:
        numbers = self.compute(epsilon)
        self.release.data = points_geojson(numbers["release"])
        budgets, losses, error = self.charts
        with budgets.batch_update():
            budgets.data[0].y = numbers["budgets"]
        with losses.batch_update():
            for trace, name in zip(losses.data, ("backward", "forward", "total"), strict=True):
                trace.y = numbers[name]
        with error.batch_update():
            error.data[0].y = numbers["error"]
        self.label.value = self._text(numbers)

    def compute(self, epsilon: float) -> dict[str, np.ndarray]:
        """Uniform budgets, a planar Laplace release with a fixed seed, its error in metres, and the losses."""
        n = len(self.table)
        budgets = np.full(n, epsilon / (len(self.landmarks) + 1))
        rng = np.random.default_rng(0)
        angle, radius = rng.uniform(0, 2 * np.pi, n), rng.gamma(2, RADIUS_M / budgets)
        latitude = self.table.latitude.to_numpy() + radius * np.sin(angle) / METRES_PER_DEGREE
        scale = METRES_PER_DEGREE * np.cos(np.radians(self.table.latitude.to_numpy()))
        longitude = self.table.longitude.to_numpy() + radius * np.cos(angle) / scale
        backward = accumulate_loss(budgets)
        forward = accumulate_loss(budgets[::-1])[::-1]
        return {
            "budgets": budgets,
            "release": np.column_stack([longitude, latitude]),
            "error": radius,
            "backward": backward,
            "forward": forward,
            "total": backward + forward - budgets,
        }

    def _map(self, release: np.ndarray) -> ipyleaflet.Map:
        true = self.table[["longitude", "latitude"]].to_numpy()
        track = {"type": "Feature", "geometry": {"type": "LineString", "coordinates": true.tolist()}, "properties": {}}
        self.release = ipyleaflet.GeoJSON(
            data=points_geojson(release), point_style={"radius": 3, "color": "darkorange", "weight": 1}
        )
        landmarks = ipyleaflet.GeoJSON(
            data=points_geojson(true[self.landmarks]), point_style={"radius": 7, "color": "crimson"}
        )
        layers = [ipyleaflet.GeoJSON(data=track, style={"weight": 2}), self.release, landmarks]
        centre = self.table[["latitude", "longitude"]].mean().tolist()
        return ipyleaflet.Map(layers=layers, center=centre, zoom=12, layout={"height": "400px"})

    def _charts(self, numbers: dict[str, np.ndarray]) -> list[go.FigureWidget]:
        time = self.table.time.to_numpy()
        losses = [go.Scatter(x=time, y=numbers[k], name=k, mode="lines") for k in ("backward", "forward", "total")]
        return [
            go.FigureWidget([go.Bar(x=time, y=numbers["budgets"])], {"title": {"text": "Budgets"}, "height": 260}),
            go.FigureWidget(losses, {"title": {"text": "Temporal privacy loss"}, "height": 260}),
            go.FigureWidget(
                [go.Scatter(x=time, y=numbers["error"], mode="lines")],
                {"title": {"text": "Error, metres"}, "height": 260},
            ),
        ]

    def _text(self, numbers: dict[str, np.ndarray]) -> str:
        shared = numbers["budgets"][self.landmarks].sum()
        return (
            f"The {len(self.landmarks)} landmarks share {shared:.4f} of the budget; mean error "
            f"{numbers['error'].mean():.1f} m, median {np.median(numbers['error']):.1f} m; "
            f"largest total loss {numbers['total'].max():.4f}."
        )


def points_geojson(points: np.ndarray) -> dict:
    """Points (n, 2), longitude and latitude in degrees, as one GeoJSON feature."""
    return {"type": "Feature", "geometry": {"type": "MultiPoint", "coordinates": points.tolist()}, "properties": {}}


def accumulate_loss(budgets: np.ndarray) -> np.ndarray:
    """The backward loss a_t = L(a_{t-1}) + eps_t of the two-state chain."""
    total, out = 0.0, np.empty(len(budgets))
    for t, budget in enumerate(budgets.tolist()):
        grown = math.expm1(total)
        total = math.log((MATRIX_Q * grown + 1) / (MATRIX_D * grown + 1)) + budget
        out[t] = total
    return out


def page() -> widgets.VBox:
    """The page for the CSV file named by LMDK_BENCH_TRACK."""
    return Page(os.environ["LMDK_BENCH_TRACK"]).widget()
