"""Learning and searching repeated on resampled rows: how often each edge, mark and latent comes back.

Knows the learners and the searches.
Must not know files or the window.
"""
