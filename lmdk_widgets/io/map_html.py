"""A release as a map in one HTML file that opens without a network.

folium composes the page; Leaflet's JavaScript and style sheet are inlined from the files built with the
package, and a content security policy prevents the page from fetching anything. Texts may come from untrusted
files: they reach the page as escaped HTML (title, note) or percent-encoded in JSON, which a script turns into text nodes
(places), never as HTML, a template or a program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.io.graticule import Box, frame, in_one_piece, lines
from lmdk_widgets.io.programs import built, policy, program, shown
from lmdk_widgets.io.released import Released, checked_note, released
from lmdk_widgets.palette import (
    INK,
    LINE,
    MAP_GRID,
    MAP_PLACE,
    MAP_RELEASE,
    PANEL,
    PAPER,
    QUIET,
    WARN,
    WARN_LINE,
    document_style,
)
from lmdk_widgets.trajectory.words import counted

_WHAT = "A map as HTML"

MOST_POINTS = 50_000
"""The most releases that a map draws; with more, a browser is too slow to be useful."""

# Text nodes, not HTML: a label is shown exactly as it is, or not at all if another one is in its way. It is
# percent-encoded, because branca treats a template's output as a template again and would run any {{ }} in it, in this
# process and with all its rights.
_LABELS = """{% macro script(this, kwargs) %}
    {{ this._parent.get_name() }}.eachLayer(function (layer) {
        const label = document.createElement("span");
        label.textContent = decodeURIComponent(layer.feature.properties.label);
        layer.bindTooltip(label, {{ this.options|tojson }});
    });
    {{ this._parent._parent.get_name() }}.on("zoomend moveend", function () {
        const kept = [];
        {{ this._parent.get_name() }}.eachLayer(function (layer) {
            const label = layer.getTooltip().getElement(), a = label.getBoundingClientRect();
            const apart = (b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
            const free = kept.every(apart);
            if (free) kept.push(a);
            label.style.visibility = free ? "" : "hidden";
        });
    });
{% endmacro %}"""

_ACCESSIBLE = """{% macro script(this, kwargs) %}
    const box = document.getElementById({{ this._parent.get_name()|tojson }});
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Map of the released points");
{% endmacro %}"""

Place = tuple[float, float, str]

STYLE = (
    document_style(paper=PAPER, panel=PANEL, ink=INK, quiet=QUIET, line=LINE, warn=WARN, warnline=WARN_LINE)
    + """
body { display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header { padding: 10px 14px; overflow-wrap: anywhere; }
h1 { font-size: 21px; line-height: 1.2; margin: 0 0 6px; font-weight: 650; }
.note { margin: 0 0 6px; padding: 3px 10px; background: var(--warn); border-left: 4px solid var(--warnline);
  font-weight: 650; }
.note::before { content: "\\26A0\\00A0"; }
.facts { margin: 0; color: var(--quiet); font-size: 13.5px; }
body > .folium-map { flex: 1; height: auto; min-height: 240px; background: var(--panel);
  border-top: 1px solid var(--line); }
.leaflet-container { font: inherit; }
.leaflet-bar a, .leaflet-bar a:hover, .leaflet-control-scale-line { background: var(--paper); color: var(--ink);
  border-color: var(--line); text-shadow: none; }
.leaflet-tooltip { background: var(--paper); color: var(--ink); border: 1px solid var(--line); box-shadow: none;
  padding: 2px 6px; font-size: 13px; }
.leaflet-tooltip::before { display: none; }
.leaflet-tooltip.place { color: var(--quiet); background: none; border: 0; padding: 0; white-space: normal;
  width: max-content; max-width: 200px; overflow-wrap: anywhere;
  text-shadow: 0 0 3px var(--panel), 0 0 3px var(--panel), 0 0 3px var(--panel), 0 0 3px var(--panel); }
.leaflet-tooltip.degrees { color: var(--quiet); background: none; border: 0; padding: 0; font-size: 11px; margin: 0; }
"""
)


def release_map_html(
    time: ArrayLike,
    latitude: ArrayLike,
    longitude: ArrayLike,
    *,
    title: str,
    note: str,
    places: Sequence[Place] = (),
) -> str:
    """A release as an HTML page with a map: the released points, a thin line joining them in time order, and labels.

    The page neither needs nor uses a network: no tiles, no external library. It draws lines of latitude and
    longitude instead of a background map. A release across the antimeridian is drawn in one piece. The same arguments
    give the same page, byte for byte.

    Parameters
    ----------
    time : (n,) datetime64, UTC; shown when the pointer is over a point.
    latitude, longitude : (n,) released degrees, in [-90, 90] and [-180, 180], NaN where there is no release (the line
        then joins the releases before and after). Never pass true places.
    title : the page's heading, any text; "Release" if it is empty.
    note : what the release is, shown in a banner.
    places : (latitude, longitude, text) of places to label; public ones, not the track's own.

    Raises
    ------
    InputError : see `lmdk_widgets.io.released`; more than `MOST_POINTS` releases; an invalid place.
    RuntimeError : the package was never built.
    """
    points, note = released(time, latitude, longitude), checked_note(note)
    count = int(points.present.sum())
    if count > MOST_POINTS:
        raise InputError(
            f"a map must have at most {MOST_POINTS:,} points",
            value=count,
            remedy="Save the release as CSV or GeoJSON instead",
        )
    page = _page(points, _checked_places(places))
    heading = shown(title) or "Release"
    _add_words(page, heading, shown(note), _facts(points))
    # Replaces folium's random names, so the same release gives the same file.
    for number, element in enumerate(_elements(page)):
        element._id = str(number)
    return page.render().replace("<html>", '<html lang="en">', 1)


def _page(points: Released, places: Sequence[Place]) -> Any:
    """folium's figure with the map on it."""
    folium = library("folium", _WHAT)

    north, east = points.latitude[points.present], points.longitude[points.present]
    shown = (north, east) if len(east) else np.array([place[:2] for place in places], float).reshape(-1, 2).T
    box = frame(shown[0], in_one_piece(shown[1]))
    world = folium.Map(
        location=[0.0, 0.0],
        zoom_start=1,
        tiles=None,
        prefer_canvas=True,
        control_scale=True,
        maxZoom=20,  # folium's own max_zoom only applies to tiles
        zoom_snap=0.25,
        attribution_control=False,
    )
    world.default_js = world.default_css = []
    _add_lines(world, box)
    if places:
        turn = (box.west + box.east) / 2  # each place is moved by full turns to where it is closest to the box
        labels = [_dot(a, b - 360 * round((b - turn) / 360), label=quote(text)) for a, b, text in places]
        _add_layer(world, labels, MAP_PLACE, 3.0, class_name="place", direction="right", offset=[5, 0])
    if len(east):
        line = np.stack([north, in_one_piece(east)], axis=-1).tolist()
        folium.PolyLine(line, color=MAP_RELEASE, weight=1, opacity=0.5, interactive=False).add_to(world)
        times = [time for time, present in zip(points.times, points.present.tolist(), strict=True) if present]
        dots = [_dot(a, b, time=time) for (a, b), time in zip(line, times, strict=True)]
        _add_layer(world, dots, MAP_RELEASE, 3.0, tooltip=folium.GeoJsonTooltip(["time"], labels=False))
    folium.FitBounds([[box.south, box.west], [box.north, box.east]], padding=(32, 16), max_zoom=17).add_to(world)
    _script(_ACCESSIBLE).add_to(world)
    return world.get_root()


def _add_lines(world: Any, box: Box) -> None:
    folium = library("folium", _WHAT)

    found = lines(box)
    drawn = [[(b, a) for a, b in line.ends] for line in found]
    folium.PolyLine(drawn, color=MAP_GRID, weight=1, opacity=0.35, interactive=False).add_to(world)
    labels = [_dot(line.label_at[1], line.label_at[0], label=quote(line.label)) for line in found if line.label_at]
    if labels:
        _add_layer(world, labels, MAP_GRID, 0.0, class_name="degrees", direction="center")


def _dot(latitude: float, longitude: float, **properties: str) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [longitude, latitude]}
    return {"type": "Feature", "geometry": point, "properties": properties}


def _add_layer(
    world: Any, dots: list[dict[str, Any]], colour: str, radius_px: float, *, tooltip: Any = None, **label: Any
) -> None:
    """A layer of dots, with a tooltip under the pointer or else a label next to each."""
    folium = library("folium", _WHAT)

    style: dict[str, Any] = {"color": colour, "weight": 1, "fill": True, "fill_opacity": 0.6, "interactive": not label}
    if not radius_px:  # only a label: folium ignores a radius of 0
        style |= {"fill": False, "stroke": False}
    marker = folium.CircleMarker(radius=radius_px, **style)
    layer = folium.GeoJson({"type": "FeatureCollection", "features": dots}, marker=marker, tooltip=tooltip).add_to(
        world
    )
    if label:
        script = _script(_LABELS)
        renamed = {"className": label.pop("class_name"), "permanent": True, "interactive": False}
        script.options = label | renamed
        script.add_to(layer)


def _script(template: str) -> Any:
    """One of our own scripts among folium's."""
    MacroElement = library("branca.element", _WHAT).MacroElement
    Template = library("folium.template", _WHAT).Template

    script = MacroElement()
    script._template = Template(template)
    return script


def _add_words(page: Any, title: str, note: str, facts: str) -> None:
    javascript, css = _leaflet()
    page.title = title
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy()}" />'
    head = f"{meta}\n<style>{css}</style>\n<script>{javascript}</script>\n"
    page.header.add_child(_verbatim(head), name="head")
    # After folium's own styles, which make the map fill the page.
    page.html.add_child(_verbatim(f"<style>{STYLE}</style>"), name="style")
    words = f'<h1>{title}</h1>\n<p class="note" role="note">{note}</p>\n<p class="facts">{facts}</p>'
    page.html.add_child(_verbatim(f"<header>\n{words}\n</header>"), name="words")


def _verbatim(html: str) -> Any:
    """HTML exactly as it is: whatever is passed to branca's Element itself is a template, and would be run."""
    element: Any = library("branca.element", _WHAT).Element("{{ this.html }}")
    element.html = html
    return element


def _facts(points: Released) -> str:
    count = int(points.present.sum())
    text = counted(count, "released point")
    if count:
        times = [points.times[i] for i in np.flatnonzero(points.present)[[0, -1]]]
        text += f", {times[0]}" if count == 1 else f", {times[0]} to {times[1]}"
    if missing := len(points) - count:
        text += f"; {counted(missing, 'timestamp')} without a release"
    how = " The line joins the points in time order; point at one to see its time." if count > 1 else ""
    return f"{text}.{how}"


def _checked_places(places: Sequence[Place]) -> list[Place]:
    checked = []
    for number, place in enumerate(places):
        try:
            latitude, longitude, text = place
            latitude, longitude = float(latitude), float(longitude)
        except (TypeError, ValueError):
            latitude = longitude = float("nan")
            text = ""
        if not (abs(latitude) <= 90 and abs(longitude) <= 180 and isinstance(text, str)):
            raise InputError(f"place {number} must be a latitude, a longitude and a text")
        checked.append((latitude, longitude, text.encode("utf-8", "replace").decode("utf-8")))
    return checked


def _elements(element: Any) -> list[Any]:
    """An element of the page with everything in it."""
    return [element, *(inner for child in element._children.values() for inner in _elements(child))]


@cached("everybody", entries=1)
def _leaflet() -> tuple[str, str]:
    """Leaflet's JavaScript and style sheet, without anything that makes a browser look for more files."""
    code = re.sub(r"^//# sourceMappingURL=.*$", "", program("leaflet.js"), flags=re.MULTILINE)
    return code, re.sub(r"url\([^)]*\)", "none", built("leaflet.css").read_text("utf-8"))
