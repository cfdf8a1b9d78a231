"""What every page shares: choices declared once, links, undo, and how numbers are written.

`fields.py` holds the kinds of choices, `choices.py` the frozen base class, `link.py` the one link format, `history.py` undo
and redo, `amounts.py` and `words.py` the text. A page is a folder beside this one with `model.py`, `evaluate.py`,
`outcome.py` and `words.py`.
"""
