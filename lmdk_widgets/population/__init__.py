"""Many people."""
