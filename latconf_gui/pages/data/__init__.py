"""The Data page: what was read, what is used of it, and every change on the way.

Knows raw tables, choices and plans of columns.
Must not know PAGs or searches.
"""
