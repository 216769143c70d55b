"""What the window remembers between starts."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal, cast, get_args

from PySide6.QtCore import QByteArray, QSettings

from latconf_core.cluster.scheduler import Scheduler
from latconf_core.errors import LatconfError
from latconf_core.files import check_ordinary_file, write_atomically

ColourScheme = Literal["system", "light", "dark"]
MAX_RECENT = 10
TLS_FILES = ("ca_file", "cert_file", "key_file")
MIN_TEXT_PERCENT, MAX_TEXT_PERCENT, TEXT_STEP = 70, 250, 10
_CONTINUED = re.compile(rb"\\(?:\r\n|\r|\n)")
_ESCAPE = re.compile(rb"\\x([0-9A-Fa-f]+)|\\([0-7]+)|\\(.?)", re.DOTALL)
_OBJECT = re.compile(rb"@(?:variant|datetime)\(", re.IGNORECASE)


class Settings:
    """Recent files, window geometry, colours and text size, kept by QSettings."""

    def __init__(self) -> None:
        self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "latconf", "latconf")
        _leave_out_objects(Path(self._store.fileName()))
        self._store.sync()
        self._gone: set[Path] = set()  # of the recent files

    def reset(self) -> None:
        """Forget everything."""
        self._store.clear()
        self._store.sync()

    def write_now(self) -> None:
        """Write what is not on the disk yet."""
        self._store.sync()

    def value(self, key: str, default: object = None) -> object:
        """What a page kept under this key."""
        try:
            return self._store.value(key, default)
        except RuntimeError:  # a damaged file names a type that Qt knows and Python does not
            return default

    def keep(self, key: str, value: object) -> None:
        """Keep a value of a page, e.g. the last method chosen."""
        self._store.setValue(key, value)

    @property
    def recent_files(self) -> list[Path]:
        """The files opened last, newest first; the disk is not asked whether they are still there."""
        kept = self.value("recent_files", [])
        listed = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
        paths = [path for path in listed if isinstance(path, str)]
        return [Path(path) for path in paths if Path(path) not in self._gone]

    def remember_file(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        here = Path(os.path.abspath(path))  # not resolved, which would ask the disk
        self._gone -= {here}
        others = [old for old in self.recent_files if old != here]
        self._store.setValue("recent_files", [str(each) for each in [here, *others][:MAX_RECENT]])

    def leave_out(self, gone: Iterable[Path]) -> None:
        """Name these files no longer until the next start: they are not there now."""
        self._gone |= set(gone)

    def forget_files(self) -> None:
        self._store.remove("recent_files")

    @property
    def colour_scheme(self) -> ColourScheme:
        kept = self.value("colour_scheme", "system")
        return cast(ColourScheme, kept) if kept in get_args(ColourScheme) else "system"

    @colour_scheme.setter
    def colour_scheme(self, scheme: ColourScheme) -> None:
        self._store.setValue("colour_scheme", scheme)

    @property
    def text_percent(self) -> int:
        """The size of all text, in percent of the system's."""
        try:
            kept = int(str(self.value("text_percent", 100)))
        except ValueError:
            return 100
        return min(max(kept, MIN_TEXT_PERCENT), MAX_TEXT_PERCENT)

    @text_percent.setter
    def text_percent(self, percent: int) -> None:
        self._store.setValue("text_percent", min(max(percent, MIN_TEXT_PERCENT), MAX_TEXT_PERCENT))

    @property
    def is_projecting(self) -> bool:
        """Whether everything is drawn for a projector: larger, and with more contrast."""
        return self.value("is_projecting", "false") in (True, "true")

    @is_projecting.setter
    def is_projecting(self, on: bool) -> None:
        self._store.setValue("is_projecting", "true" if on else "false")

    @property
    def shows_inspector(self) -> bool:
        """Whether the Inspector is open beside the pages that have one."""
        return self.value("shows_inspector", "true") in (True, "true")

    @shows_inspector.setter
    def shows_inspector(self, shown: bool) -> None:
        self._store.setValue("shows_inspector", "true" if shown else "false")

    @property
    def scheduler(self) -> Scheduler | None:
        """The cluster that searches are sent to; None for this computer."""
        if not self.uses_scheduler:
            return None
        try:
            return Scheduler(self.scheduler_address, *(name or None for name in self.scheduler_files))
        except LatconfError:  # somebody wrote into the file of the settings
            return None

    @property
    def uses_scheduler(self) -> bool:
        """Whether searches are sent to the cluster whose address is kept."""
        return self._store.value("scheduler/is_used", "false") in (True, "true")

    @uses_scheduler.setter
    def uses_scheduler(self, used: bool) -> None:
        self._store.setValue("scheduler/is_used", "true" if used else "false")

    @property
    def scheduler_address(self) -> str:
        """The address that was used last, also while this computer is."""
        return str(self._store.value("scheduler/address", ""))

    @property
    def scheduler_files(self) -> tuple[str, str, str]:
        """The authority's certificate, one's own and its key, for encrypted connections; empty where there is none."""
        ca_file, cert_file, key_file = (str(self._store.value(f"scheduler/{name}", "")) for name in TLS_FILES)
        return ca_file, cert_file, key_file

    def keep_scheduler(self, scheduler: Scheduler | None) -> None:
        """Keep the address of a cluster, or forget it."""
        self._store.setValue("scheduler/address", "" if scheduler is None else scheduler.address)
        for name, path in zip(TLS_FILES, scheduler.files if scheduler is not None else (None,) * len(TLS_FILES)):
            self._store.setValue(f"scheduler/{name}", path or "")

    def window_layout(self) -> tuple[QByteArray, QByteArray]:
        """Geometry and dock state as kept, empty at the first start and where they are damaged: Qt dies of such."""
        geometry, state = self.value("geometry"), self.value("dock_state")
        if not isinstance(geometry, QByteArray) or not isinstance(state, QByteArray):
            return QByteArray(), QByteArray()
        is_whole = self.value("layout_digest") == _layout_digest(geometry, state)
        return (geometry, state) if is_whole else (QByteArray(), QByteArray())

    def keep_window_layout(self, geometry: QByteArray, state: QByteArray) -> None:
        self._store.setValue("geometry", geometry)
        self._store.setValue("dock_state", state)
        self._store.setValue("layout_digest", _layout_digest(geometry, state))


def _layout_digest(geometry: QByteArray, state: QByteArray) -> str:
    return hashlib.sha256(bytes(geometry.data()) + b"|" + bytes(state.data())).hexdigest()


def _leave_out_objects(path: Path) -> None:
    """Write the file anew without the entries that hold whole objects, where there are any, before Qt reads it.

    Qt rebuilds such an object as it reads, a Python object by unpickling it: a file that somebody else wrote could run
    a program, or end this one. latconf keeps texts, lists of them and bytes alone.
    """
    with suppress(OSError, LatconfError):  # what cannot be read or written is left to Qt, which says nothing about it
        check_ordinary_file(path)
        content = path.read_bytes()
        entries = _CONTINUED.sub(b"", content).replace(b"\r", b"\n").split(b"\n")
        kept = [entry for entry in entries if not _OBJECT.search(_plain(entry))]
        if len(kept) < len(entries):
            with write_atomically(path) as temporary:
                temporary.write_bytes(b"\n".join(kept))


def _plain(entry: bytes) -> bytes:
    """The entry as Qt reads it, without quotes: a letter may be written by its number."""
    return _ESCAPE.sub(_letter, entry).replace(b'"', b"")


def _letter(escape: re.Match[bytes]) -> bytes:
    if escape[3] is not None:
        return escape[3] if escape[3] in (b'"', b"'", b"?", b"\\") else b""  # Qt leaves out what it does not know
    number = int(escape[1][-4:], 16) if escape[1] is not None else int(escape[2][-6:], 8)
    return bytes([number & 0xFF])  # Qt too keeps no more of it where it makes a letter of these
