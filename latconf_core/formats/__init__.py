"""Files of graphs, networks, knowledge, runs and projects, and the examples that come with the program.

Knows the types that it puts into files; each type writes its own JSON.
Must not know the window, nor draw: a painter is handed in.
"""
