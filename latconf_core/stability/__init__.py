"""Searches repeated on samples of the rows (what comes back) and on tables with nothing hidden (what chance gains).

Knows data, learners, searches and how latents of two DAGs are matched.
Must not know files, the command line or the window.
"""
