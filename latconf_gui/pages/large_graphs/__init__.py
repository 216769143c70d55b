"""Finding one's way in a graph of hundreds of nodes: a field that finds a node, the neighbourhood of a node.

Knows drawings and widgets.
Must not know the pages that use it.
"""
