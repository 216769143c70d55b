"""The Help: a glossary with pictures, the list of all keys, and what F1 explains.

Knows the glossary of the core, the commands of the window and how graphs are drawn.
Must not know any page.
"""
