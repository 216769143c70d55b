"""The activity "Guess the hidden": data with a secret variable; mark its children, reveal, and collect points.

Knows the core's puzzles.
Must not know any other activity.
"""
