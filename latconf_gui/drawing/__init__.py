"""Drawings of graphs: what is drawn, the scene and the view, gestures, legend, pictures.

Knows graphs, DAGs and the colours of the palette.
Must not change a graph: it tells what a person asks for.
"""
