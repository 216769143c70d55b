"""The tables of the PAG page: edges with their marks, and pairs without an edge with what separated them.

Knows graphs and the events that took edges away.
Must not know the page: what is chosen is told by signals.
"""
