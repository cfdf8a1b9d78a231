"""The pages on a server: for one person over Voila and a kernel for each page, for a room over a few processes for all.

Nothing is imported on this level: a kernel imports `page` only, and must not pay for the server.
"""

import sys

# Jupyter's server has its schemas checked for international addresses, of which they hold none; the grammar for that
# takes longer to build than the rest of a start. Where it cannot be imported, its user goes on without it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
