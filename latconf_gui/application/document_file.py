"""Which document something belongs to: the file it is kept in, and what of it is on the disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from latconf_core.data.dataset import Dataset
from latconf_core.formats.projects.project_state import ProjectState

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class FileStamp:
    """What a file looked like: enough to see whether somebody else has written it since."""

    size: int
    modified: int  # nanoseconds, as the file system has it
    digest: str


def read_stamp(path: Path) -> FileStamp:
    """The stamp of a file as it is now; reads all of it, so not for the window's thread."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    status = path.stat()
    return FileStamp(status.st_size, status.st_mtime_ns, digest.hexdigest())


def is_changed(path: Path, stamp: FileStamp | None) -> bool:
    """Whether a file is there that is not the one of the stamp; None: any file is another one."""
    try:
        status = path.stat()
    except OSError:
        return False
    if stamp is None:
        return True
    if (status.st_size, status.st_mtime_ns) == (stamp.size, stamp.modified):
        return False
    return read_stamp(path).digest != stamp.digest


@dataclass(eq=False)
class DocumentFile:
    """One document from its opening to its closing; its identity is what work in the background carries.

    path : the project it is kept in; None where Save has to ask
    former_path : where it was kept before another document took its place
    stamp : what the project looked like when it was read or written last
    clean : the state that needs no saving: as opened, or as saved last
    """

    path: Path | None = None
    former_path: Path | None = None
    stamp: FileStamp | None = None
    clean: ProjectState | None = None

    def forget_path(self) -> None:
        """Let Save ask: the project may have other readers and writers since it was left."""
        self.former_path = self.path or self.former_path
        self.path = self.stamp = None


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A state, and the document that it is a state of."""

    state: ProjectState
    file: DocumentFile


@dataclass(frozen=True, eq=False)
class Ticket:
    """For which document and which data something is being computed."""

    file: DocumentFile
    dataset: Dataset | None
