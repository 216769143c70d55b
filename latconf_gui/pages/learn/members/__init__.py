"""The activity Members of a PAG: the tree of its MAGs and their DAGs, and how often each circle is which mark.

Knows the core's listing of members.
Must not know other activities.
"""
