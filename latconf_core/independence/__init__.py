"""Tests of conditional independence: on data, or answered by a DAG with latents.

Knows data sets, counts and DAGs.
Must not know who asks: a learner sees only the base class.
"""
