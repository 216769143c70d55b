"""The Model page: a DAG that was found, the tables behind it, and all about its hidden causes.

Knows results, posteriors and facts of latents.
Must not search or score: it asks for that in the background.
"""
