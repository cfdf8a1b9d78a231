"""The looks of a report: a light page, as on paper; readable at 390 pixels, and on A4 no chart or table row is cut.

The names that begin with --lmdk are the colours that charts take.
"""

STYLE = """
:root { color-scheme: light; --lmdk-ink: #16202c; --lmdk-paper: #ffffff; --lmdk-panel: #f7f8fa; --lmdk-quiet: #4b5766;
  --lmdk-line: #c9d0d8; --lmdk-grid: #dfe3e8; --lmdk-size: 1; }
@page { size: A4; margin: 16mm 15mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 20px 16px; max-width: 760px; background: var(--lmdk-paper); color: var(--lmdk-ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 25px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 19px; line-height: 1.25; margin: 28px 0 8px; padding-top: 10px; border-top: 1px solid var(--lmdk-line); }
h3 { font-size: 15.5px; margin: 16px 0 4px; }
p, ul { margin: 0 0 8px; }
ul { padding-left: 20px; }
.about, .quiet, figcaption, footer { color: var(--lmdk-quiet); font-size: 13.5px; }
.note { margin: 8px 0; padding: 4px 10px; background: #fff4d6; border-left: 4px solid #b77900; font-weight: 650;
  color: var(--lmdk-ink); font-size: 14px; }
.mark { position: sticky; top: 0; z-index: 5; margin: -20px -16px 12px; }
.mark span { display: block; padding: 5px 16px; font-size: 14px; font-weight: 650; background: #16202c; color: #ffffff; }
.said { font-size: 16.5px; }
.warnings li { margin-bottom: 4px; }
.warnings li::marker { content: "\\26A0\\00A0"; }
figure { margin: 10px 0 16px; }
figcaption { margin-top: 4px; }
svg { display: block; width: 100%; height: auto; max-width: 100%; }
.narrow { display: none; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 14px; font-size: 14px; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--lmdk-quiet); font-size: 13.5px; padding-bottom: 4px; }
th, td { text-align: left; vertical-align: top; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--lmdk-line); }
th { font-weight: 600; }
thead th { border-bottom: 2px solid var(--lmdk-line); }
pre { margin: 0 0 12px; padding: 8px 10px; background: var(--lmdk-panel); border: 1px solid var(--lmdk-line);
  white-space: pre-wrap; font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
.enclosed button { font: inherit; padding: 6px 14px; min-height: 34px; border: 1px solid var(--lmdk-line); border-radius: 6px;
  background: var(--lmdk-panel); color: inherit; cursor: pointer; }
.enclosed button:focus-visible { outline: 3px solid #005a92; outline-offset: 1px; }
.enclosed iframe { width: min(1280px, 100vw - 32px); height: 92vh; margin-left: calc(50% - min(640px, 50vw - 16px));
  border: 1px solid var(--lmdk-line); color-scheme: light; }
.licences pre { font-size: 12px; }
.grid { stroke: #7f8b98; stroke-width: 1; opacity: 0.4; }
.degrees { fill: var(--lmdk-quiet); font-size: 12px; }
.path { fill: none; stroke: #bb589c; stroke-width: 1.2; opacity: 0.55; }
.points { fill: none; stroke: #bb589c; stroke-width: 7; stroke-linecap: round; }
.crowd .points { stroke-width: 3; }
.place { fill: #3b82b8; }
.placename { fill: var(--lmdk-quiet); font-size: 12px; }
.cell { fill: #2f6f9f; stroke: #7f8b98; stroke-width: 0.6; }
.chosen { fill: none; stroke: #c8510c; stroke-width: 3; }
.b0 { fill: #ffffff; } .b1 { fill: #fff6d5; } .b2 { fill: #fee6a0; } .b3 { fill: #fec95c; } .b4 { fill: #f59d38; }
.b5 { fill: #d2601a; } .b6 { fill: #7f2d0b; }
.believed path { stroke: #dfe3e8; stroke-width: 0.5; }
.region { fill: none; stroke: #16202c; stroke-width: 2.5; }
.most { stroke-width: 1.5; stroke-dasharray: 5 4; }
.guess { fill: #ffffff; stroke: #16202c; stroke-width: 2; }
@media screen and (max-width: 560px) {
  .wide { display: none; }
  .narrow { display: block; }
  .degrees, .placename { font-size: 21px; }
  .points { stroke-width: 12; }
  .crowd .points { stroke-width: 5; }
  th, td { padding-right: 6px; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .marked { display: table; width: 100%; }
  .mark { display: table-header-group; break-inside: avoid; }
  .mark span { margin-bottom: 4mm; }
  h2, h3 { break-after: avoid; }
  figure, tr, .note { break-inside: avoid; }
  .enclosed, .licences { display: none; }
  p { orphans: 3; widows: 3; }
}
"""
