"""The Compare page: candidate graphs over each other, side by side and as a matrix, and what each difference is worth.

Knows the document, the comparison of the core and the drawing.
Must not know other pages: what they hand over comes through the document.
"""
