"""Families of ordered variables: cumulative logits in the place of tables.

Knows data and counts; knows nothing of latents but their posteriors, nor of searches.
"""
