"""The places page."""
