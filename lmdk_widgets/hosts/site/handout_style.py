"""How worksheets, slides and keys look: always light, as paper is, and as they are printed."""

from __future__ import annotations

from lmdk_widgets.io.report import STYLE
from lmdk_widgets.palette import ORANGE

_ROOM = (
    f":root {{ --marked: {ORANGE}; }}\n"
    """.room { margin: 8px 0; }
.room svg { max-width: 640px; margin-top: 6px; }
.room svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--lmdk-ink); }
.room svg .title { font-weight: 600; }
.room svg rect { fill: none; stroke: var(--lmdk-ink); }
.room svg path { fill: none; stroke: var(--lmdk-ink); }
.room svg .axis { stroke-width: 1.6; }
.room svg .grid { stroke: var(--lmdk-grid); }
.room svg .track { stroke: var(--lmdk-quiet); }
.room svg circle { fill: var(--accent); }
.room svg .place { fill: var(--lmdk-paper); stroke-width: 1.6; }
.room svg .keyed { stroke: var(--marked); stroke-width: 3; }
.choices { padding-left: 34px; margin: 4px 0; } .choices li { padding: 3px 0 3px 6px; }
.choices .keyed { font-weight: 700; }
.places { list-style: none; padding: 0; } .places li { display: flex; align-items: center; gap: 10px; padding: 3px 0; }
.places b, .box b { display: inline-grid; place-items: center; min-width: 34px; height: 30px; flex: none;
  border: 1.5px solid var(--lmdk-ink); border-radius: 3px; }
.box { margin: 4px 0; } .box b { width: 130px; }
.lines { margin: 8px 0 0; }
.lines hr { height: 0; margin: 27px 0 0; border: 0; border-bottom: 1px solid var(--lmdk-line); }
th, td { overflow-wrap: normal; }
"""
)

_SHEET = """.about { margin: 0; }
blockquote { margin: 8px 0; padding-left: 14px; border-left: 3px solid var(--lmdk-line); } blockquote p { margin: 0 0 4px; }
table { width: auto; } th, td { padding-right: 16px; }
.whose { display: flex; gap: 28px; margin: 14px 0; } .whose span { flex: 2; border-bottom: 1px solid var(--lmdk-ink); }
.whose span + span { flex: 1; }
.question { margin: 14px 0 18px; padding: 8px 14px 10px; border: 1px solid var(--lmdk-line); border-radius: 6px; }
.question h3 { margin-top: 0; }
.anchor-link { display: none; }
footer { margin-top: 20px; }
@media screen and (max-width: 560px) { .question { padding: 6px 8px; } table { display: block; overflow-x: auto; } }
@media print {
  .question { break-inside: avoid; } h2, h3, p:has(+ .question) { break-after: avoid; }
  .lmdk-sliders, [role="slider"], input[type="range"] { display: none; }
}
"""

SHEET = STYLE + _ROOM + _SHEET
"""Of a worksheet."""

KEY = SHEET + ".question code { font-size: 0.9em; }\n"
"""Of a key."""

SLIDES = (
    STYLE
    + _ROOM
    + """@page { size: 1280px 720px; margin: 0; }
html { scroll-snap-type: y proximity; }
body { max-width: none; padding: 0; }
.slide { position: relative; display: flex; flex-direction: column; min-height: 100vh; padding: 34px 64px 56px;
  font-size: 25px; line-height: 1.4; scroll-snap-align: start; border-bottom: 1px solid var(--lmdk-line); }
.slide.dense { font-size: 20px; line-height: 1.35; }
.slide h1 { font-size: 1.9em; margin: 0 0 20px; max-width: 24em; }
.slide h2 { font-size: 1.35em; margin: 0 0 16px; padding: 0; border: 0; }
.slide p, .slide ul, .slide ol, .slide table { margin: 0 0 0.5em; } .slide ul { padding-left: 1.2em; }
.slide table { width: auto; font-size: 0.82em; } .slide th, .slide td { padding-right: 22px; }
.slide blockquote { margin: 0.3em 0; padding-left: 0.7em; border-left: 4px solid var(--lmdk-line); }
.slide > .told { max-width: 46em; }
.slide > .told:has(figure), .slide > .told .lmdk-reading { max-width: none; }
.slide > .told figure:not(figure figure) { zoom: 1.5; max-width: 720px; } .slide > .told figcaption { font-size: 0.6em; }
.ask b { color: var(--accent); margin-right: 0.2em; }
.two { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 56px; align-items: center; }
.two .room { margin: 0; } .two .room svg { width: 100%; max-width: none !important; max-height: 560px; }
.two .choices, .two .places { padding: 0; margin: 0; list-style-position: inside; }
.two .choices li, .two .places li { margin: 0 0 10px; padding: 9px 16px; border: 1.5px solid var(--lmdk-line);
  border-radius: 8px; background: var(--lmdk-panel); }
.two .choices li::marker { font-weight: 700; }
.two .box { text-align: center; } .two .box b { width: 240px; height: 110px; }
.two figcaption { font-size: 0.8em; }
.slide nav { position: absolute; right: 24px; bottom: 12px; display: flex; gap: 14px; align-items: center; font-size: 15px;
  color: var(--lmdk-quiet); }
.slide nav a { display: grid; place-items: center; width: 34px; height: 34px; color: var(--accent); text-decoration: none;
  font-size: 24px; border-radius: 6px; }
.slide nav a:focus-visible { outline: 3px solid var(--accent); }
.anchor-link { display: none; }
@media screen and (max-width: 860px) {
  .slide, .slide.dense { padding: 20px 16px 60px; font-size: 17px; }
  .slide > .told figure:not(figure figure) { zoom: 1; }
  .two { grid-template-columns: minmax(0, 1fr); gap: 16px; align-content: start; }
  .slide table { display: block; overflow-x: auto; }
}
@media print {
  .slide { height: 720px; min-height: 0; border: 0; break-after: page; overflow: hidden; }
  .slide:last-of-type { break-after: auto; }
  .slide nav a { display: none; } body > footer { display: none; }
  body { font-size: 15px; }
}
"""
)
"""Of slides."""
