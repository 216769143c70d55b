"""Parses the arguments, runs the sub-command, and turns every end into an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from latconf_core.cli import (
    apply,
    ask,
    bench,
    calibrate,
    compare,
    convert,
    cuts,
    desktop,
    doctor,
    example,
    mags,
    pag,
    report,
    run,
    sample,
    score,
    stability,
)
from latconf_core.cli.terminal.interrupting import EXIT_INTERRUPTED
from latconf_core.errors import LatconfError
from latconf_core.phrases import show_unprintable

if TYPE_CHECKING:
    from latconf_core.formats.painter import Painter

EXIT_BAD_INPUT = 2


def subcommands() -> tuple[ModuleType, ...]:
    """The modules of the sub-commands, in the order in which help lists them; each imports nothing heavy."""
    return (
        run,
        pag,
        score,
        ask,
        apply,
        compare,
        calibrate,
        cuts,
        stability,
        bench,
        report,
        mags,
        sample,
        convert,
        example,
        desktop,
        doctor,
    )


class _CommandsFormatter(argparse.HelpFormatter):
    """Keeps the sentence of the longest command beside it: argparse forgets how far commands are indented."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 2 * self._indent_increment + max(
            len(module.__name__.rpartition(".")[2]) for module in subcommands()
        )


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="latconf",
        description="Find hidden common causes in discrete data.",
        epilog="`latconf` alone opens the window; `latconf FILE` opens it with that data, PAG or project.",
        formatter_class=_CommandsFormatter,
    )
    version = f"latconf {doctor.installed_version('latconf') or '(not installed)'}"
    parser.add_argument("--version", action="version", version=version, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="SUB-COMMAND", required=True)
    for module in subcommands():
        module.add_to(commands)
    return parser


def main(argv: Sequence[str] | None = None, *, painter: Painter | None = None) -> int:
    """Run one sub-command; bad input is one sentence on stderr and exit code 2.

    painter : draws the pictures that sub-commands write; without one they write none
    """
    args = build_parser().parse_args(argv)
    args.painter = painter
    args.words = list(sys.argv[1:] if argv is None else argv)  # for the command that repeats a run
    try:
        code: int = args.run(args)
    except LatconfError as error:
        print(f"latconf: {show_unprintable(str(error))}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except MemoryError:
        problem = "this needs more memory than the system gives; try fewer rows, variables or states of latents"
        print(f"latconf: {problem}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe went away: nothing left to say
        return 0
    return code
