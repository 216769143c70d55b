"""Nodes, edges and marks as items of a scene.

Knows the geometry and the colours.
Must not know pages, nor what a graph means.
"""
