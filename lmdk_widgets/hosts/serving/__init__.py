"""The pages on a server: for one person, Voila with a kernel for each page; for a room, a few processes for everyone.

Nothing is imported on this level: a kernel imports only `page`, and must not pay for the server.
"""

import sys

# Jupyter's server checks its schemas for international addresses, of which they contain none; the grammar for that
# takes longer to build than the rest of the start. If it cannot be imported, the check is skipped.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
