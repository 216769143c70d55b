"""What an intervention does: the range over equally good DAGs, over a PAG, identification, intervals, E-values.

Knows networks with latents, exact inference, the class of a DAG, and data for plug-in values.
Must not know searches or files; its sentences are in `wording`.
"""
