"""The activity Separation and its game: two variables, a set that is held fixed, open and blocked paths.

Knows the core's separation graphs and rounds.
Must not know other activities.
"""
