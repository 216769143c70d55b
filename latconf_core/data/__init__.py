"""Data sets of discrete columns: the values, their distinct rows, the order of states, rows drawn from a network,
and the text of every cell of a table as it was read.

Knows networks, because rows are drawn from them.
Must not know PAGs, scores or searches; how a file is read and prepared stands in the two rooms below.
"""
