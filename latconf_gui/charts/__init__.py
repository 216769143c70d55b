"""The live chart of a search and the same as a picture; the only room that uses matplotlib.

Knows the columns of the visits.
Must not know pages, drawings or other widgets.
"""
