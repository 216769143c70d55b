"""Files of graphs, networks, knowledge, runs and projects, the examples,
the skeleton of an HTML page, and what a desktop wants to know of us.

Knows the types that it puts into files; each type writes its own JSON.
Must not know the window, nor draw: a painter is handed in.
"""
