"""VAE and VAEM, baselines that estimate a density and name no cause.

Knows data.
Must not know searches, files or the window. What needs jax is imported when a density is fitted.
"""
