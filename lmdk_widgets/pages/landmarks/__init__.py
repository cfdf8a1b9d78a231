"""The landmark page."""
