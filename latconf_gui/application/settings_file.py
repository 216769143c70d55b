"""The file of the settings, before Qt reads it: an entry that holds a whole object is left out.

Qt rebuilds such an object as it reads, a Python object by unpickling it: a file that somebody else wrote could run a
program, or end this one. latconf keeps texts, lists of them and bytes alone.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from latconf_core.errors import LatconfError
from latconf_core.files import check_ordinary_file, write_atomically

_CONTINUED = re.compile(rb"\\(?:\r\n|\r|\n)")
_ESCAPE = re.compile(rb"\\x([0-9A-Fa-f]+)|\\([0-7]+)|\\(.?)", re.DOTALL)
_OBJECT = re.compile(rb"@(?:variant|datetime)\(", re.IGNORECASE)


def leave_out_objects(path: Path) -> None:
    """Write the file anew without the entries that hold objects, where there are any."""
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
