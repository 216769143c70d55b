"""Refine: hidden causes put into the best DAG without latents by local structural EM,
given other shapes, and judged against it.

Knows scores, fits and the searches for DAGs without latents. Must not know runs, events or the catalogue of searches.
"""
