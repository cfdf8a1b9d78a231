"""The widgets: they draw outcomes and send scenarios, and compute nothing themselves."""
