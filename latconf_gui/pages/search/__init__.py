"""The Search page: options, what to expect, the run, its chart and its table of DAGs.

Knows searches by their catalogue and the events of a run.
Must not know how a search works.
"""
