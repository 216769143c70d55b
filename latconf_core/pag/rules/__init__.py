"""The orientation rules of Zhang (2008), unshielded colliders, and the paths that rules look for.

Knows the marks of a graph while they are being oriented.
Must not know data or tests beyond separating sets that are handed in.
"""
