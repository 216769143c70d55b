"""Puzzles: graphs that are no MAG or no PAG, made at random, with every answer that is right.

Knows what makes a graph a MAG or a PAG.
Must not know the window, nor points.
"""
