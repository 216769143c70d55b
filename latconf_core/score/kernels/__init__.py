"""Compiled loops of the score. All release the interpreter lock."""
