"""From a table as it was read and the user's choices to a data set: plans of columns, missing cells, intervals, names.

Knows raw tables and data sets.
Must not know files, nor who makes the choices.
"""
