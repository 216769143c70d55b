"""The Bench of the Compare page: many data sets and searches in one table that fills while it runs.

Knows the core's bench and the document's data.
Must not know the graphs that the page compares.
"""
