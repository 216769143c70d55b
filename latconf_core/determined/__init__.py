"""What the data determine of a DAG with latents: the class of DAGs that fit as well, the kind of every arrow.

Knows graphs, DAGs with latents, MAGs and PAGs.
Must not know data, scores or searches; its sentences are in `wording`.
"""
