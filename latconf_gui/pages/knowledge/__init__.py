"""The one editor of knowledge that three pages open: tier board, rules about causes and hidden causes, files.

Knows the document, the core's Knowledge and widgets.
Must not know the pages that use it.
"""
