"""Changes of a drawn DAG, and what they do to its MAG and PAG, in words.

Knows drawn DAGs and graphs with marks.
Must not know the window, nor keep what was there before.
"""
