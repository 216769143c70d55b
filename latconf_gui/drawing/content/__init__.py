"""What a drawing shows, free of Qt: nodes and edges of a graph, a DAG, or two graphs laid over each other.

Knows the core's graphs and the sides of an overlay.
Must not know where anything stands, nor how it is painted.
"""
