"""A DAG as one of many: the DAGs that no test tells from it, reversed arrows, what do() answers in each.

Knows drawn DAGs, separation and classes of DAGs.
Must not know data, searches or the window.
"""
