"""The command "Stability…" that two pages share: what it repeats, its dialog with form and tables, shares to draw.

Knows the document, drawings and widgets.
Must not know the pages that use it.
"""
