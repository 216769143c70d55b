"""Whether a window can be shown here at all; asked before Qt is loaded, because Qt ends the program where it cannot."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping

REMEDY = "the window needs a display; the commands (latconf --help) work without one"


def display_problem(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Why no window can be shown, as a sentence, or "" where it can."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM") or environment.get("WAYLAND_DISPLAY"):
        return ""
    display = environment.get("DISPLAY", "")
    if not display:
        return f"there is no display (DISPLAY and WAYLAND_DISPLAY are not set); {REMEDY}"
    if display.startswith(":") and not _x_server_answers(display[1:].split(".")[0]):
        return f"no X server responds at the display {display}; {REMEDY}"
    return ""


def _x_server_answers(number: str) -> bool:
    for address in (f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
            trial.settimeout(2)
            try:
                trial.connect(address)
            except OSError:
                continue
            return True
    return False
