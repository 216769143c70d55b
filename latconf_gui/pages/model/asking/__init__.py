"""Asking the model: states seen and set, tables and bars of the panel, seeing against setting, what to adjust for.

Knows networks and the core's inference.
Must not know the page, its drawing, runs or results.
"""
