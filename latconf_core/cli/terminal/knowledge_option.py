"""The option `--knowledge FILE`: what the user says about causes before any data."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from latconf_core.knowledge.knowledge import Knowledge


def add_knowledge_option(parser: argparse.ArgumentParser) -> None:
    """Add the option to a sub-command."""
    parser.add_argument(
        "--knowledge",
        type=Path,
        metavar="FILE",
        help="background knowledge that every step obeys: a Tetrad knowledge file, a table, or knowledge.json",
    )


def read_knowledge_option(args: argparse.Namespace) -> Knowledge:
    """The knowledge in the file that was named; none without one."""
    from latconf_core.formats.knowledge_file import read_knowledge
    from latconf_core.knowledge.knowledge import NO_KNOWLEDGE

    return NO_KNOWLEDGE if args.knowledge is None else read_knowledge(args.knowledge)
