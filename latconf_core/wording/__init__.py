"""Every sentence about verdicts, evidence, marks, rules, steps of learners, metrics, adjustment and stability.

Knows the values that it words, from graphs to stability; text is made from their enums and numbers.
Must not know files, the command line or the window; no program reads a sentence back.
"""
