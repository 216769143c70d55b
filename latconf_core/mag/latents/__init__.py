"""The fewest latents that explain the bidirected edges of a MAG.

Knows MAGs as bit masks.
Must not know states, data or scores.
"""
