"""Graphs and DAGs against each other and against a known truth: differences and measures.

Knows graphs, DAGs with latents, scores and what a search found.
Must not know files, nor how a difference is shown.
"""
