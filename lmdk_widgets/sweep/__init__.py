"""Many settings, evaluated: rows for comparisons, curves, tables, defences and studies."""
