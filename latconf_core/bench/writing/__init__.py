"""The table of a bench as sentences, pages and files, and its pictures as plain values.

Knows the table and its columns.
Must not know how cells are run, or what draws.
"""
