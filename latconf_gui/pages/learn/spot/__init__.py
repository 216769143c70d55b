"""Spot the error: a graph that is no MAG or no PAG, and the person says what is wrong with it.

Knows the puzzles of the core and the stage.
Must not know other activities.
"""
