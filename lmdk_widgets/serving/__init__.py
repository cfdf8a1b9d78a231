"""The explorer as a page: Voila with settings of our own, one notebook, one template, one kernel for each visitor.

Nothing is imported on this level: a kernel imports `page` only, and must not pay for the server.
"""
