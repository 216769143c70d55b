"""What a search tells and leaves: events, history, result, evidence for latents, progress, words.

Knows candidates, DAGs with latents and posteriors.
Must not know how a search goes about it, nor files.
"""
