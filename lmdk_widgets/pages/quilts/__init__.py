"""The quilt page."""
