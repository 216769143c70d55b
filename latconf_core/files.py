"""Text in and out: whole files only, and one clear sentence where that cannot be done."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from latconf_core.errors import FileFormatError


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, without its byte order mark and with lines that end in a newline alone."""
    place = Path(path)
    try:
        check_ordinary_file(place)
        content = place.read_bytes()
    except FileNotFoundError:
        raise FileFormatError("there is no such file", place) from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be read: {_reason(error)}", place) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileFormatError("this is not text in UTF-8; save it in that encoding first", place, line) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_ordinary_file(path: Path) -> None:
    """Refuse a folder, a pipe or a device before it is opened, which might never end; OSErrors pass."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise FileFormatError("this is a folder, not a file", path)
    if not stat.S_ISREG(mode):
        raise FileFormatError("this is a pipe or a device, not a file; save its content in a file first", path)


def write_text_atomically(path: str | Path, text: str) -> None:
    """Write a UTF-8 file as a whole: a reader finds the old content or the new, never a part."""
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


@contextmanager
def write_atomically(path: str | Path) -> Iterator[Path]:
    """A temporary name beside `path`: it becomes `path` when the block ends, and goes away when the block fails."""
    place = Path(path)
    temporary = place.with_name(f".{place.name}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        os.replace(temporary, place)
    except FileNotFoundError:
        raise FileFormatError(f"the folder {str(place.parent)!r} does not exist; create it first", place) from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be written: {_reason(error)}", place) from error
    finally:
        temporary.unlink(missing_ok=True)


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
