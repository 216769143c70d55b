"""Maximal ancestral graphs: whether a graph is one, and all of a PAG by number of bidirected edges.

Knows graphs as bit masks.
Must not know data, learners or scores.
"""
