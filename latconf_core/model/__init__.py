"""A model as a search handles it: a DAG with latents as bits, and the components that its latents fall into.

Knows graphs as bits, and nothing of names, scores or data.
Must not know `dag`: names are given where a search begins and where its result is made.
"""
