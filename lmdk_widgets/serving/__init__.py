"""The explorer as a page: Voila with settings of our own, one notebook, one template, one kernel for each visitor.

`server.py` is what answers requests, `sessions.py` starts and ends kernels, `kernel.py` is what such a kernel runs,
`page.py` is what the notebook calls, `launch.py` is what `lmdk explore` calls. Nothing here holds mathematics or draws.

Nothing is imported on this level: a kernel imports `page` only, and must not pay for the server.
"""
