"""Graphs with a mark at each end of an edge: marks, graphs, bit masks of them, CPDAGs and
m-separation.

Knows nothing but nodes and marks.
Must not know data, latents or probabilities.
"""
