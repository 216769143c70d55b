"""The activity "More data": how a learned PAG nears the true one as rows are added, and what of it is luck.

Knows the core's more_data, the overlay of Compare and the chart of errors.
Must not know any other activity.
"""
