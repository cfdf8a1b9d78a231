"""What carries a page to its user: a Jupyter widget, or a server with many visitors. No host computes anything."""
