"""Asking the model: states seen and set, bars in the drawing, seeing against setting, what to adjust for.

Knows the drawing of the Model page, networks and the core's inference.
Must not know runs, results, or where the network comes from.
"""
