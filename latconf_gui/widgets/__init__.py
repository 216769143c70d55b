"""Small widgets that several pages use: actions, text, tables, form fields, file dialogs.

Knows Qt and the look of the program.
Must not know pages, drawings or charts.
"""
