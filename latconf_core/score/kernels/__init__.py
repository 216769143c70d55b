"""Compiled loops of the score; all release the interpreter lock.

Knows arrays only.
Must not know types of the program, so that it can be compiled.
"""
