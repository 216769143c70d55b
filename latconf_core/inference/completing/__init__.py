"""Rows with missing cells made whole: their completions, weighed by a model, and structural EM on these.

Knows data, scores without and with latents, the best DAG without latents.
Must not know searches; who searches completed rows stands in `search`.
"""
