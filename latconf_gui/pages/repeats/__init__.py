"""What the commands that repeat a search have in common: the dialog with form and bar, the run beside the window.

Knows the document, runs and widgets.
Must not know what is repeated, nor any page.
"""
