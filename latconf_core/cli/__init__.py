"""The command line: one module a sub-command, each with `add_to(subparsers)` and `run(args)`."""

from __future__ import annotations

from latconf_core.cli.main import main

__all__ = ["main"]
