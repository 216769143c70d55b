"""The learners of PAGs, one module each, with their catalogue and the phases that they share, colliders among them.

Knows independence tests, family scores and the orientation rules.
Must not know who listens to its events.
"""
