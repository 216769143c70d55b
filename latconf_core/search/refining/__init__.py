"""Refine: hidden causes put into the best DAG without latents, and judged against it."""
