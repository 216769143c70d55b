"""Learning and searching repeated on samples of the rows: how often each edge, mark and latent comes back.

Knows data, learners, searches and how latents of two DAGs are matched.
Must not know files, the command line or the window.
"""
