"""The pages, one folder each: what it says, draws and puts into its report. None knows a widget, a comm or a thread."""
