"""Where nodes go: graphviz in a process of its own; the only room that uses pygraphviz.

Knows drawings, sizes of boxes and the room there is.
Must not block the window.
"""
