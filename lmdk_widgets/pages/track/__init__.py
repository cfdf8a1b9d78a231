"""The track page."""
