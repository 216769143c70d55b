"""What a variable adds to a score given its parents: the port, tables as families, objectives, priors and prices.

Knows options, counts and latents with posteriors; knows nothing of components' fits, searches or graphs with marks.
"""
