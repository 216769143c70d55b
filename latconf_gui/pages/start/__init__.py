"""The Start page: open a file, take up a recent one, or try an example.

Knows the examples and recent files.
Must not open anything itself: it asks the opener.
"""
