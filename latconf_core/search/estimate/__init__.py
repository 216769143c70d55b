"""What a search will cost: counted and tried out before it starts.

Knows the searches and what parts of candidates cost.
Must not change anything that a later search sees.
"""
