"""The looks of the words on the face of a what-if file; the page below brings its own. Light and dark as the system says."""

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #16202c; --quiet: #4b5766; --line: #c9d0d8; --warn: #fff4d6;
  --warnline: #b77900; }
@media (prefers-color-scheme: dark) { :root { --paper: #12181f; --ink: #eef2f6; --quiet: #b3bfcb; --line: #3b4855;
  --warn: #352b12; --warnline: #e3b04b; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
.face, noscript { display: block; padding: 10px 14px 0; max-width: 1100px; }
.face p { margin: 0 0 4px; font-size: 14px; }
.face .note { padding: 4px 10px; background: var(--warn); border-left: 4px solid var(--warnline); font-weight: 650; }
.face .foot, .face summary { color: var(--quiet); font-size: 13.5px; }
footer { padding: 10px 14px; color: var(--quiet); font-size: 13.5px; }
footer pre { white-space: pre-wrap; font-size: 12px; }
.face table { border-collapse: collapse; font-size: 13.5px; margin: 4px 0; }
.face caption { position: absolute; clip-path: inset(50%); }
.face th { text-align: left; font-weight: 600; padding: 2px 14px 2px 0; }
"""
