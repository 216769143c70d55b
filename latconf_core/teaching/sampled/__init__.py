"""What is taught with rows drawn from a network: more and more of them, a secret variable, counts of two variables.

Knows learners, searches and the comparison of graphs.
Must not know lessons or anything that is drawn by hand.
"""
