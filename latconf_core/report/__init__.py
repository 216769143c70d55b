"""A report of a result in one HTML file, and the paragraph on methods.

Knows results, comparison and files.
Must not know the command line or the window; pictures come from a painter that is handed in.
"""
