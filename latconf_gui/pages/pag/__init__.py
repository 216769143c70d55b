"""The PAG page: learn, import, draw, edit and understand a PAG.

Knows graphs, learners and knowledge by their catalogues.
Must not know searches.
"""
