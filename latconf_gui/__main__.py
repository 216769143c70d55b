"""`latconf`: a sub-command runs in the core; anything else opens the window."""

from __future__ import annotations

import sys

from latconf_core.cli import main as command_line


def main() -> int:
    return command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
