"""What the Lessons page teaches with: DAGs as a person draws them, their MAGs and PAGs, lessons and puzzles.

Knows everything of the core but its command line.
Must not know the window, nor who is taught.
"""
