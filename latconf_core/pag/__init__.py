"""Partial ancestral graphs: validity and repair, and the events of learning.

Knows graphs, MAGs and independence tests.
Must not know scores of DAGs with latents, nor searches.
"""
