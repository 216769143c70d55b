"""Where the files of the examples are: in an installed wheel and in a checkout alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def examples_folder() -> Path:
    """The folder of the example networks; that of the measured tables is in it."""
    installed = _PACKAGE / "_examples"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources" / "examples"
