"""The pictures of the Compare page: the overlay, graphs side by side, and where nodes stand in both.

Knows overlays of the core and the drawing.
Must not know the document, nor the tables.
"""
