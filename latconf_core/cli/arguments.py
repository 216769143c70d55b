"""Types of arguments that more than one sub-command takes."""

from __future__ import annotations

import argparse


def seed(text: str) -> int:
    """A seed of random numbers: a whole number from 0 up."""
    return _whole_number(text, least=0)


def positive(text: str) -> int:
    """A count: a whole number from 1 up."""
    return _whole_number(text, least=1)


def natural(text: str) -> int:
    """A bound that may be nothing: a whole number from 0 up."""
    return _whole_number(text, least=0)


def _whole_number(text: str, *, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
    return int(text)


class ExamplesFormatter(argparse.HelpFormatter):
    """Wraps the description, and keeps the lines of an epilog that starts with `examples:`."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("examples:"):
            return "\n".join(indent + line for line in text.splitlines())
        return super()._fill_text(text, width, indent)
