"""Text as a test writes it: blanks that keep a line whole are blanks like others."""

from __future__ import annotations


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")
