"""Searches for hidden common causes: the catalogue, a run from data and PAG to a result, candidates and their scoring.

Knows MAGs, PAGs and the score.
Must not know files, threads of the window, or who watches.
"""
