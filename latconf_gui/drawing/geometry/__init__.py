"""Where edges run and boxes stand: plain numbers, no Qt.

Knows points, boxes and curves.
Must not know graphs beyond pairs of nodes.
"""
