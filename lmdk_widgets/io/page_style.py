"""The looks of the exported map: light and dark, readable at 400 pixels wide.

What is drawn on the canvas cannot follow the scheme, so its colours contrast by 3:1 with the light and the dark paper.
"""

RELEASE = "#bb589c"
PLACE = "#3b82b8"
GRID = "#7f8b98"

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f7f8fa; --ink: #16202c; --quiet: #4b5766; --line: #c9d0d8;
  --warn: #fff4d6; --warnline: #b77900; }
@media (prefers-color-scheme: dark) { :root { --paper: #12181f; --panel: #1a222b; --ink: #eef2f6; --quiet: #b3bfcb;
  --line: #3b4855; --warn: #352b12; --warnline: #e3b04b; } }
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
