"""The pages, one folder each: what a page says, draws and puts into its report. None depends on a widget, a comm or a
thread."""
