"""Types of arguments that more than one sub-command takes."""

from __future__ import annotations

import argparse


def seed(text: str) -> int:
    """A seed of random numbers: a whole number from 0 up."""
    return _whole_number(text, least=0)


def positive(text: str) -> int:
    """A count: a whole number from 1 up."""
    return _whole_number(text, least=1)


def _whole_number(text: str, *, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
    return int(text)
