"""The graph formats of other programs and our own, one module each, with their registry.

Knows graphs with marks and DAGs with latents.
Must not know data or probabilities.
"""
