"""The tables of the Compare page: differences, numbers, and the matrix of all graphs.

Knows comparisons of the core and their measures.
Must not know the document, nor the pictures.
"""
