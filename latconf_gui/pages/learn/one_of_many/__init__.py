"""The activity One of many: a DAG and its class, what reversing an arrow changes, what do() answers in each member.

Knows the core's classes of drawn DAGs.
Must not know other activities.
"""
