"""The Lessons page: a list of activities, each a stage of one to three graphs with a column of text beside it.

Knows the core's teaching room and the drawings; every activity has a folder of its own.
Must not know other pages; activities do not import each other.
"""
