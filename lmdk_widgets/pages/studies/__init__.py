"""The page of studies: results that are opened, drawn in panels, and led from to their settings."""
