"""Several files of a folder that belong together: the old ones or the new ones are there, never some of each.

New files are written into a folder beside the old ones. When all are there it is renamed, which cannot be done by
half: from then on they are what the folder holds, and whoever opens it next finishes moving them if nobody else did.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from latconf_core.errors import FileFormatError
from latconf_core.files import is_there, name_in_progress, remove_leftovers, system_reason, write_text_atomically

READY = ".latconf-ready"  # all new files of a folder, not all of them moved yet
ATTEMPTS = 5  # two processes that write one folder all the time met once in 150 writes
MANIFEST = "files.json"  # their names, the last one to move last, and those of older files that go


def check_folder(folder: Path) -> None:
    """See whether a folder can be made and written, before what takes long; FileFormatError where it cannot.

    What is made to see it goes again: a command that fails later leaves no empty folder.
    """
    new = []
    trial = folder / name_in_progress()
    try:
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        trial.touch()
        trial.unlink()
    except (OSError, ValueError) as error:
        raise FileFormatError(f"the folder cannot be written: {system_reason(error)}", folder) from None
    finally:
        for each in new:
            with suppress(OSError):  # it was never made, or somebody else has put something there
                each.rmdir()


@contextmanager
def replace_files(folder: Path, *, old: Collection[str], last: str) -> Iterator[Path]:
    """A place for new files: when the block ends they take the place of the old ones, all or none.

    old : names of files that go unless there is a new one of that name
    last : the file that tells readers that the others are there
    """
    check_folder(folder)
    finish_replacing(folder)
    is_new = not is_there(folder)
    staged = folder / name_in_progress()
    try:
        staged.mkdir(parents=True)
        yield staged
        names = sorted((path.name for path in staged.iterdir()), key=lambda name: (name == last, name))
        gone = [name for name in old if name not in names]
        (staged / MANIFEST).write_text(json.dumps({"new": names, "gone": gone}), encoding="utf-8")
        _make_ready(staged, folder)
        finish_replacing(folder)
    except OSError as error:
        raise FileFormatError(f"the folder cannot be written: {system_reason(error)}", folder) from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
        remove_leftovers(folder)
        if is_new:
            with suppress(OSError):  # it has the new files
                folder.rmdir()


def _make_ready(staged: Path, folder: Path) -> None:
    """Let new files count from now on; what another process has ready at the same moment is moved first."""
    for _ in range(ATTEMPTS):
        finish_replacing(folder)
        with suppress(OSError):
            staged.replace(folder / READY)
            return
    staged.replace(folder / READY)


def finish_replacing(folder: Path) -> None:
    """Move what a process that was ended had ready; nothing where there is no such thing or it cannot be moved."""
    ready = folder / READY
    with suppress(OSError, ValueError, KeyError, TypeError):
        if not ready.is_dir():
            return
        manifest = json.loads((ready / MANIFEST).read_text(encoding="utf-8"))
        for name in manifest["new"]:
            with suppress(FileNotFoundError):  # it was moved before
                (ready / name).replace(folder / name)
        for name in manifest["gone"]:
            (folder / name).unlink(missing_ok=True)
        shutil.rmtree(ready)


def rescue_texts(texts: Mapping[str, str]) -> Path | None:
    """Write files into a new folder for temporary files, because their own place failed; None where that fails too."""
    for parent in (tempfile.gettempdir, Path.home):
        with suppress(OSError, RuntimeError, FileFormatError):  # there may be no folder for such files, and no home
            folder = Path(tempfile.mkdtemp(prefix="latconf-rescued-", dir=parent()))
            for name, text in texts.items():
                write_text_atomically(folder / name, text)
            return folder
    return None
