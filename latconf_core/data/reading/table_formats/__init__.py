"""The formats of tables, one module each, and their catalogue.

Knows how one kind of file is written.
Must not know which format is chosen when.
"""
