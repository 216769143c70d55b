"""Terms of the glossary where the window uses them: links in running text, tool tips, and "What is this?".

Knows the glossary of the core.
Must not know where an entry is shown: it asks, and the window answers.
"""
