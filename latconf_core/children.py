"""How the program starts a module of its own as another process, also where it is frozen into a folder.

A frozen program has no Python to call: its executable is the program itself, which runs a module when it is asked to.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

RUN_MODULE = "--run-module"  # of the frozen program, for itself alone: no help names it
PACKAGES = ("latconf_core.", "latconf_gui.")


def is_frozen() -> bool:
    """Whether this is a program without a Python beside it, as PyInstaller makes them."""
    return bool(getattr(sys, "frozen", False))


def module_command(module: str, *arguments: str) -> list[str]:
    """The words that run a module's `main` in a process of its own, and no Python file of the folder one is in."""
    if is_frozen():
        return [sys.executable, RUN_MODULE, module, *arguments]
    return [sys.executable, "-P", "-m", module, *arguments]


def answer_as_child(words: Sequence[str]) -> int | None:
    """The exit code of what another process of the frozen program started this one for; None for a person's words."""
    if not is_frozen():
        return None
    from multiprocessing import freeze_support

    freeze_support()  # ends here where this is a worker process
    if len(words) < 2 or words[0] != RUN_MODULE or not words[1].startswith(PACKAGES):
        return None
    sys.argv = list(words[1:])
    code: int = import_module(words[1]).main()
    return code
