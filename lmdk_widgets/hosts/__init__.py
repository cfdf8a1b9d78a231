"""What brings a page to its user: a Jupyter widget, a server, or the browser itself. No host computes anything."""
