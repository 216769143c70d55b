"""The command "How often would chance do this?": what is repeated where nothing is hidden, its dialog and its run.

Knows the document, runs and the core's calibration.
Must not know the page, its drawing or the Inspector.
"""
