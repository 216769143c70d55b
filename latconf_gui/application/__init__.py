"""What the window works on: the document, the files it comes from and goes to, settings, messages.

Knows the core and the threads of the background.
Must not know any widget; it asks for paths by signals.
"""
