"""The command line: one module per sub-command, each with `add_to(subparsers)` and `run(args)`.

Knows every part of the core, and turns each end into text, JSON and an exit code.
Must not compute what the core can compute, nor know who draws its pictures.
"""

from __future__ import annotations

from latconf_core.cli.main import main

__all__ = ["main"]
