"""Graphs with a mark at each end of an edge: marks, graphs, bit masks of them, CPDAGs,
m-separation, meanings in words.

Knows nothing but nodes and marks.
Must not know data, latents or probabilities.
"""
