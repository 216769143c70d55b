"""Settings of learning, scoring and searching, checked when they are made; defaults are the paper's where it names one.

Knows plain values only.
Must not know what the settings are used for.
"""
