"""VAE and VAEM, baselines that estimate a density and name no cause; the only room that uses jax.

Knows data.
Must not know searches, files or the window.
"""
