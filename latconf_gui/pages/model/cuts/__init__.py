"""The command "Does it survive other cut points?": what is cut and searched, its dialog and its run.

Knows the document, runs and the core's other cuttings.
Must not know the page, its drawing or the Inspector.
"""
