"""Drawings of graphs: the scene and the view, their layouts, gestures, legend, pictures.

Knows graphs, DAGs and the colours of the palette.
Must not change a graph: it tells what a person asks for.
"""
