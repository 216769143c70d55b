"""`latconf desktop`: latconf in the menus of a Linux desktop, with its icon, and as what opens projects."""

from __future__ import annotations

import argparse
import json

from latconf_core.cli.terminal.arguments import ExamplesFormatter

EXAMPLES = """examples:
  latconf desktop --install
  latconf desktop --remove"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "desktop",
        help="add latconf to the menus of a Linux desktop, or remove it",
        description=(
            "Write a menu entry, the icon and the file type of projects (.latconf) to your user folders "
            "(XDG_DATA_HOME or .local/share), so that the desktop lists latconf and opens projects with it."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--install", action="store_true", help="write the files; repeat this if latconf moves")
    choice.add_argument("--remove", action="store_true", help="remove them")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Install or remove, and say which files."""
    from latconf_core.formats.desktop_entry import data_folder, install_desktop, own_command, remove_desktop

    folder = data_folder()
    files = install_desktop(folder, own_command()) if args.install else remove_desktop(folder)
    if args.json:
        print(json.dumps({"installed": bool(args.install), "files": [str(path) for path in files]}))
    elif not files:
        print(f"Nothing of latconf is installed in {folder}.")
    else:
        done = "latconf was added to the menus" if args.install else "latconf was removed from the menus"
        print("\n".join([f"{done}; {'written' if args.install else 'removed'}:", *(f"  {path}" for path in files)]))
    return 0
