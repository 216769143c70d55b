"""The formats of tables, one module each, their catalogue, and the records, rows and names that they share.

Knows how one kind of file is written.
Must not know which format is chosen when.
"""
