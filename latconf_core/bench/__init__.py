"""Many data sets, learners and searches in one table, resumable, with ranks and figures.

Knows searches, truths and files.
Must not know the command line or the window.
"""
