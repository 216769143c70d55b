"""Text in and out: whole files only, and one clear sentence where that cannot be done."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import MappingProxyType

from latconf_core.errors import FileFormatError

_PART = ".latconf-"  # how the names of files begin that are being written; short, so that any name has room for it
_OWNER = re.compile(re.escape(_PART) + r"(?P<machine>[0-9a-f]{6})-(?P<process>\d{1,9})-[0-9a-f]{8}\.tmp")
_ANY_MAY_WRITE = 0o222
MAX_DENSITY = 300  # bytes that one byte of an archive may stand for, in a file of more than ...
MAX_DENSE_BYTES = 1 << 24


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, without its byte order mark and with lines that end in a newline alone."""
    file = Path(path)
    try:
        check_ordinary_file(file)
        content = file.read_bytes()
    except ValueError:
        raise _no_name(file) from None
    except FileNotFoundError:
        raise FileFormatError("the file does not exist", file) from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be read: {system_reason(error)}", file) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileFormatError("this is not text in UTF-8; save it in that encoding first", file, line) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def has_folder(path: Path) -> bool:
    """Whether there is a folder of this name; there is none of a name that no system takes."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def has_file(path: Path) -> bool:
    """Whether there is a file of this name, as `has_folder`."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything of this name, as `has_folder`."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _no_name(path: Path) -> FileFormatError:
    """What is wrong with a name that no system takes: it has a NUL or half of a character in it."""
    return FileFormatError("this file name is not allowed; choose another", ascii(str(path)))


def check_ordinary_file(path: Path) -> None:
    """Refuse a folder, a pipe or a device before it is opened, which might never end; OSErrors pass."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise FileFormatError("this is a folder, not a file", path)
    if not stat.S_ISREG(mode):
        raise FileFormatError("this is a pipe or a device, not a file; save its contents to a file first", path)


def check_archive(
    archive: zipfile.ZipFile, *, max_member: int, max_total: int, limits: Mapping[str, int] = MappingProxyType({})
) -> None:
    """Refuse an archive before it is unpacked where a file in it, or all of them, would take too much room.

    What is unpacked never exceeds the size that the archive declares for it.

    limits : how large the files may be that match a pattern, such as "*.json"; the first that fits counts
    """
    sizes = {member.filename: member.file_size for member in archive.infolist()}
    for info in archive.infolist():
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileFormatError(
                f"{info.filename!r} in it uses a compression that latconf does not read; compress it again"
            )
        is_bomb = info.file_size > MAX_DENSE_BYTES and info.file_size > MAX_DENSITY * info.compress_size
        limit = next((size for pattern, size in limits.items() if fnmatchcase(info.filename, pattern)), max_member)
        if info.file_size > limit or is_bomb:
            size = f"{info.file_size:,} bytes"
            raise FileFormatError(f"{info.filename!r} in it unpacks to {size}, which is implausibly large")
    if sum(sizes.values()) > max_total:
        raise FileFormatError(f"it unpacks to {sum(sizes.values()):,} bytes, which is implausibly large")


def write_text_atomically(path: str | Path, text: str) -> None:
    """Write a UTF-8 file as a whole: a reader finds the old content or the new, never a part."""
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


@contextmanager
def write_atomically(path: str | Path) -> Iterator[Path]:
    """A temporary name beside `path`: it becomes `path` when the block ends, and goes away when the block fails.

    A link stays a link: the file it leads to is written. A file that is there keeps its mode and, where that is
    allowed, its owner; one that may not be written is refused, and so is what is no file.
    """
    asked = Path(path)
    try:
        target = Path(os.path.realpath(asked))
    except ValueError:
        raise _no_name(asked) from None
    temporary = target.with_name(name_in_progress())
    try:
        before = _check_target(target, asked)
        if before is not None:
            _create_alike(temporary, before)
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        if not target.parent.is_dir():
            folder = target.parent if asked.is_symlink() else asked.parent
            raise FileFormatError(f"the folder {str(folder)!r} does not exist; create it first", asked) from None
        raise FileFormatError(f"the file cannot be written: {system_reason(error)}", asked) from error
    finally:
        with suppress(OSError):  # whatever went wrong with the file itself is what should be said
            temporary.unlink(missing_ok=True)
        remove_leftovers(target.parent)


def check_writable(path: str | Path) -> None:
    """Refuse a file that cannot be written, before what takes long; nothing of it is changed."""
    asked = Path(path)
    try:
        target = Path(os.path.realpath(asked))
        _check_target(target, asked)
        trial = target.with_name(name_in_progress())
        trial.touch()
        trial.unlink()
    except ValueError:
        raise _no_name(asked) from None
    except FileNotFoundError:
        raise FileFormatError(f"the folder {str(asked.parent)!r} does not exist; create it first", asked) from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be written: {system_reason(error)}", asked) from error


def name_in_progress() -> str:
    """A new name for what is being written, with the machine and the process that write it."""
    return f"{_PART}{_machine()}-{os.getpid()}-{secrets.token_hex(4)}.tmp"


def remove_leftovers(folder: Path) -> None:
    """Remove what a process of this machine that is gone had begun to write here; what others write stays."""
    with suppress(OSError):
        for part in folder.glob(f"{_PART}*.tmp"):
            owner = _OWNER.fullmatch(part.name)
            if owner is None or owner["machine"] != _machine() or is_running(int(owner["process"])):
                continue
            with suppress(OSError):
                if part.is_dir():
                    shutil.rmtree(part)
                else:
                    part.unlink()


@cache
def _machine() -> str:
    """A few letters for this machine; one with another name has others."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:6]


def is_running(process: int) -> bool:
    """Whether a process of this machine lives; also where it is somebody else's."""
    if os.name == "nt":
        return _is_running_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # not ours, or no number of a process
        return True
    return True


def _is_running_on_windows(process: int) -> bool:
    """Asked of the system: signal 0 would end the process there."""
    import ctypes

    query_limited_information, still_active = 0x1000, 259
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - there is no such name elsewhere
    handle = kernel.OpenProcess(query_limited_information, False, process)
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == still_active


def _check_target(target: Path, path: Path) -> os.stat_result | None:
    """What is known of the file that will be replaced; None where there is none."""
    try:
        before = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(before.st_mode):
        raise FileFormatError("this is a folder; choose a file name", path)
    if not stat.S_ISREG(before.st_mode):
        raise FileFormatError("this is a pipe or a device; choose a file name", path)
    if not before.st_mode & _ANY_MAY_WRITE or not os.access(target, os.W_OK):
        raise FileFormatError("the file is write-protected; choose another name or make it writable", path)
    return before


def _create_alike(temporary: Path, before: os.stat_result) -> None:
    """An empty file with the mode and, where that is allowed, the owner of another: never readable by more people."""
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def system_reason(error: Exception) -> str:
    """What the system says of a file that cannot be read or written."""
    return getattr(error, "strerror", None) or type(error).__name__
