"""Exact answers of a network with latents: queries by seeing and doing, adjustment sets, held-out likelihood.

Knows DAGs, data, and fitted networks.
Must not know files, searches under way, or the window.
"""
