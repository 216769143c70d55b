"""The window of latconf, standing on latconf_core.

Knows the core; its rooms and their order are in README.md beside this file.
Must not compute: widgets show values and send requests.
"""
