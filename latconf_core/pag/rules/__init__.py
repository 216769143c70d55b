"""The orientation rules of Zhang (2008) and the paths that rules look for.

Knows the marks of a graph while they are being oriented.
Must not know data, tests or events: what separates two nodes is handed in.
"""
