"""The main window: wiring, rail, menus, palette of commands, docks, status bar, closing, exception hooks.

Knows every page by the catalogue.
Must not compute, nor hold state that belongs to the document.
"""
