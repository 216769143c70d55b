"""Step through a learner: its graph at every step, what happens there and why, and guesses of what comes next.

Knows the events of learners, replayed.
Must not know other activities.
"""
