"""The pages in the order of the work, one folder each, with their catalogue and what a page is given.

Knows the document, the drawings, charts and widgets.
Must not know the window; no page imports another.
"""
