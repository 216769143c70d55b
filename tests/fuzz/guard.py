"""Watches what a reader does besides reading: files written outside its place, programs started, hosts called."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from latconf_core.children import module_command
from latconf_core.data.reading import apart

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.chmod",
    "os.chown",
    "os.truncate",
)
_NEVER = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "socket.bind",
          "urllib.Request", "pickle.find_class", "ctypes.dlopen", "webbrowser.open")  # fmt: skip


class Guard:
    """Collects what goes beyond a folder while it is on; a process has one, for hooks cannot be taken away."""

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._is_on = False
        self._found: list[str] = []
        sys.addaudithook(self._hear)

    def start(self) -> None:
        self._found.clear()
        self._is_on = True

    def stop(self) -> list[str]:
        """What was found since it was started."""
        self._is_on = False
        return list(self._found)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self._is_on:
            return
        if event == "open":
            path, mode, flags = arguments
            is_writing = (
                any(sign in mode for sign in "wax+") if isinstance(mode, str) else bool(_bits(flags) & _WRITING)
            )
            if is_writing:
                self._check(event, path)
        elif event in _CHANGING:
            self._check(event, arguments[0])
        elif event in _NEVER and not (_is_own_child(event, arguments) or _is_kernel(event, arguments)):
            self._found.append(f"{event} {arguments[:1]!r}")

    def _check(self, event: str, path: object) -> None:
        if isinstance(path, int) or path is None:  # a file that is open already
            return
        self._is_on = False  # looking up a place is itself an event
        real = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
        self._is_on = True
        if real not in (self._folder, os.devnull) and not real.startswith(self._folder + os.sep):
            self._found.append(f"{event} {real}")


def _is_own_child(event: str, arguments: tuple[object, ...]) -> bool:
    """Whether the program is the reader of tables that may abort, or what Python's platform module asks."""
    if event != "subprocess.Popen":
        return False
    words = list(arguments[1])  # type: ignore[call-overload]
    return words == module_command(apart.__name__) or words[0] == "uname"


def _is_kernel(event: str, arguments: tuple[object, ...]) -> bool:
    """Whether numba loads a kernel that it compiled before."""
    return event == "pickle.find_class" and str(arguments[0]).partition(".")[0] in ("numba", "llvmlite", "copyreg")


def _bits(flags: object) -> int:
    return flags if isinstance(flags, int) else 0
