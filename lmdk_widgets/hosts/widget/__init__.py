"""The widgets: they draw outcomes and ask for scenarios, and compute nothing themselves."""
