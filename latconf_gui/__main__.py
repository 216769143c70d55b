"""`latconf`: a sub-command runs in the core; anything else opens the window. Qt is imported only for the window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

EXIT_INTERRUPTED = 130
USAGE = "latconf [FILE | --example NAME] [--reset-settings]\n       latconf COMMAND [-h] …"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command, or open the window; returns the exit code. Ctrl-C is quiet from the first import on."""
    from latconf_core.children import answer_as_child

    given = list(sys.argv[1:] if argv is None else argv)
    try:
        code = answer_as_child(given)
        return _main(given) if code is None else code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _main(given: list[str]) -> int:
    from latconf_core.cli import main as command_line
    from latconf_core.errors import LatconfError
    from latconf_gui.painter import SvgPainter
    from latconf_gui.window.display import display_problem

    if given and (given[0] in _command_names() or given[0] == "--version"):
        return command_line(given, painter=SvgPainter())
    if {"-h", "--help"} & set(given):
        sys.stdout.write(_help())
        return 0
    try:
        request = _window_parser().parse_args(given)
        _check(request)
    except LatconfError as error:
        return _refuse(str(error))
    problem = display_problem()
    if problem:
        return _refuse(problem)
    return _open_window(request)


def _open_window(request: argparse.Namespace) -> int:
    from latconf_gui.app import StartRequest, run

    return run(StartRequest(request.file, request.example, request.reset_settings))


def _refuse(sentence: str) -> int:
    from latconf_core.cli.main import EXIT_BAD_INPUT

    sys.stderr.write(f"latconf: {sentence}\n")
    return EXIT_BAD_INPUT


def _command_names() -> set[str]:
    from latconf_core.cli.main import subcommands

    commands = argparse.ArgumentParser().add_subparsers()
    for module in subcommands():
        module.add_to(commands)
    return set(commands.choices or ())


def _window_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="latconf", usage=USAGE, add_help=False)
    _add_window_arguments(parser)
    return parser


def _add_window_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the window")
    group.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="open this project, table or graph in the window"
    )
    group.add_argument("--example", metavar="NAME", help="open an example in the window, such as asia")
    group.add_argument("--reset-settings", action="store_true", help="reset window layout, colours and recent files")


def _help() -> str:
    from latconf_core.cli.main import build_parser

    parser = build_parser()
    parser.usage = USAGE
    _add_window_arguments(parser)
    return parser.format_help()


def _check(request: argparse.Namespace) -> None:
    """Say what is wrong before a window opens."""
    from latconf_core.errors import LatconfError
    from latconf_core.files import has_file
    from latconf_core.formats.examples import example
    from latconf_core.formats.measured_examples import is_measured

    if request.example is not None:
        if not is_measured(request.example):
            example(request.example)
        if request.file is not None:
            raise LatconfError("give a file or an example, not both")
    if request.file is not None and not has_file(request.file):
        names = ", ".join(sorted(_command_names()))
        raise LatconfError(f"there is neither a file nor a command {str(request.file)!r} (commands: {names})")


if __name__ == "__main__":
    sys.exit(main())
