"""DAGs with latents, Bayesian networks, and what a DAG claims of the variables that are seen (its MAG).

Knows graphs with marks.
Must not know data, scores or how a DAG was found.
"""
