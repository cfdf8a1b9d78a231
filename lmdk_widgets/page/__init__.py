"""What all pages share, and what they are made of, whatever hosts them.

`fields.py` has the kinds of choices, `choices.py` the frozen base class, `link.py` the one link format, `history.py` undo
and redo, `amounts.py` and `words.py` the text; `core.py` is the page itself, messages in and out. A page is a folder of
`pages` with `model.py`, `evaluate.py`, `outcome.py`, `words.py` and `page.py`.
"""
