"""What a crash outside Python leaves: each window writes a log of its own, and the next start says where it is."""

from __future__ import annotations

import faulthandler
import os
import re
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

MAX_KEPT = 5  # logs of crashes; older ones go
_OWN = re.compile(r"crash-(\d+)\.log")


def start_crash_log(folder: Path) -> IO[str] | None:
    """Write the stacks of a crash to this window's own file; None where the folder cannot be written."""
    try:
        file = (folder / f"crash-{os.getpid()}.log").open("w", encoding="utf-8")
    except OSError:
        return None
    faulthandler.enable(file)
    return file


def end_crash_log(file: IO[str]) -> None:
    """The window ended as it should: there is nothing to tell."""
    faulthandler.disable()
    file.close()
    with suppress(OSError):
        Path(file.name).unlink()


def take_crash_logs(folder: Path) -> tuple[Path, ...]:
    """The logs of crashes that were not told of yet, now under names that stay; oldest first."""
    logs = []
    for path in sorted(folder.glob("crash-*.log"), key=_written):
        with suppress(OSError):  # another window may have taken it meanwhile
            if _is_of_ended_process(path):
                if path.stat().st_size:
                    kept = path.with_name(f"crashed-{datetime.fromtimestamp(_written(path)):%Y-%m-%d-%H-%M-%S}.log")
                    logs.append(path.replace(kept))
                else:
                    path.unlink()
    for old in sorted(folder.glob("crashed-*.log"))[:-MAX_KEPT]:
        with suppress(OSError):
            old.unlink()
    return tuple(path for path in logs if path.exists())


def _written(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _is_of_ended_process(path: Path) -> bool:
    number = _OWN.fullmatch(path.name)
    if number is None or int(number[1]) == os.getpid():
        return False
    if sys.platform == "win32":  # a file that a process has open cannot be moved there
        return True
    try:
        os.kill(int(number[1]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
