"""The foundations page."""
