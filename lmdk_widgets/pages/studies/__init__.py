"""The Studies page: it opens results, draws them in panels, and leads from them to their settings."""
