"""The networks themselves, on jax: layers, training, VAE, VAEM, and bounds by importance weights.

Knows arrays of codes alone; the only room that uses jax.
Must not know options, controls of the window, or files.
"""
