"""The command "Apply to a table…": which table, its dialog with a line per row, and its run beside the window.

Knows the document, runs and the core's application of models.
Must not know the page, its drawing or the Inspector.
"""
