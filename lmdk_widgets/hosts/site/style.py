"""The looks of a lesson that is read without a kernel, and of the list of all: light and dark as the system says."""

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f7f8fa; --ink: #16202c; --quiet: #4b5766; --line: #c9d0d8;
  --accent: #005a92; }
@media (prefers-color-scheme: dark) { :root { --paper: #12181f; --panel: #1a222b; --ink: #eef2f6; --quiet: #b3bfcb;
  --line: #3b4855; --accent: #7cc4f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 820px; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--accent); }
h1 { font-size: 26px; line-height: 1.2; }
h2 { font-size: 20px; margin-top: 28px; }
pre, code { font: 13.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { padding: 8px 10px; background: var(--panel); border: 1px solid var(--line); white-space: pre-wrap; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); }
img { max-width: 100%; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--accent); }
.anchor-link { display: none; }
.lmdk-drawn { margin: 1em 0; padding: 0; }
.lmdk-reading { margin: 1em 0; border-left: 3px solid var(--accent); padding-left: 14px; }
.lmdk-reading > p { margin: 0 0 0.5em; }
.lmdk-reading .unseen { position: absolute; clip-path: inset(50%); }
.lmdk-reading .right { text-align: right; }
.lmdk-reading canvas { display: block; max-width: 100%; }
.lmdk-still, .quiet, .below td { color: var(--quiet); font-size: 0.9em; }
"""
