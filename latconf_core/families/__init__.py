"""What a variable adds to a score given its parents: objectives, their priors and their prices of structure.

Knows options and counts; knows nothing of components' fits, searches or graphs with marks.
"""
