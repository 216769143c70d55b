"""The project file (.latconf): what it holds, its versions, and how it is written and read.

Knows everything that a project keeps.
Must not know the window, nor unpickle anything.
"""
