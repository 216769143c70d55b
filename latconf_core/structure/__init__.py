"""The best DAG without latents on family scores: hill-climbing, order search, and both together.

Knows a score of families that is handed in, by a child and a bit mask of its parents.
Must not know data, latents or searches for them.
"""
