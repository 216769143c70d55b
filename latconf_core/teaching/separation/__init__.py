"""Questions about separation: in a DAG with hidden variables, a MAG or a PAG; smallest sets; the rounds of a game.

Knows paths and verdicts of the graph room, and drawn DAGs.
Must not know the window, nor the lessons.
"""
