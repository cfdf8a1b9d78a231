"""The version of the package; `pyproject.toml` has the same."""

__version__ = "1.0.0"
