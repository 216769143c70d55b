"""Catalogues that installed packages add records to: what is built in stands first, plug-ins are asked for when needed.

A package offers a record as an entry point of a group such as `latconf.learners`:

    [project.entry-points."latconf.learners"]
    mine = "my_package.learners:MINE"

What cannot be loaded, or is no such record, is left out, logged (which the command line shows on stderr) and kept as a
problem for the window.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from multiprocessing import parent_process
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = re.compile(rb"\[\s*latconf\.(searches|learners|tests|tables)\s*\]")
NAME = re.compile(r"[a-z0-9][a-z0-9+._-]*")
INFO_FOLDERS = (".dist-info", ".egg-info")
MOST_LETTERS = 200  # of what an exception says
_log = logging.getLogger(__name__)


@runtime_checkable
class Record(Protocol):
    """An entry of a catalogue."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...


RecordType = TypeVar("RecordType", bound=Record)


@dataclass(frozen=True)
class PluginProblem:
    """A plug-in that is left out, and why."""

    group: str
    entry: str
    package: str
    reason: str

    @property
    def sentence(self) -> str:
        return (
            f"the plug-in {self.entry!r} of {self.package} ({self.group}) is left out: {self.reason}; update "
            f"{self.package} or uninstall it"
        )


class Catalogue(MutableMapping[str, RecordType], Generic[RecordType]):
    """Records by name; whoever first asks for any of them has the plug-ins of the group loaded.

    check : what is wrong with a record of a plug-in, in words; empty where nothing is
    adapt : the record that the catalogue holds for that of a plug-in
    problems : of the plug-ins, as far as they were loaded
    """

    def __init__(
        self,
        group: str,
        records: Sequence[RecordType],
        *,
        kind: type[RecordType],
        check: Callable[[RecordType], str] = lambda record: "",
        adapt: Callable[[RecordType], RecordType] = lambda record: record,
    ) -> None:
        self.group = group
        self.problems: list[PluginProblem] = []
        self._records = {record.name: record for record in records}
        self._kind = kind
        self._check = check
        self._adapt = adapt
        self._lock = RLock()
        self._is_begun = self._is_loaded = False

    def __getitem__(self, name: str) -> RecordType:
        self.load()
        return self._records[name]

    def __setitem__(self, name: str, record: RecordType) -> None:
        self.load()
        self._records[name] = record

    def __delitem__(self, name: str) -> None:
        del self._records[name]

    def __iter__(self) -> Iterator[str]:
        self.load()
        return iter(self._records)

    def __len__(self) -> int:
        self.load()
        return len(self._records)

    def load(self) -> None:
        """Ask every plug-in for its record, once; one that asks back meanwhile sees what is there so far."""
        if self._is_loaded:
            return
        with self._lock:
            if self._is_begun:  # by this thread, whose plug-in asks; others have waited until all are loaded
                return
            self._is_begun = True
            for entry in entries_of(self.group):
                self._take(entry)
            self._is_loaded = True

    def _take(self, entry: EntryPoint) -> None:
        package = "an unknown package" if entry.dist is None else str(entry.dist.name)
        try:
            with redirect_stdout(sys.stderr):  # what is printed here would stand in the middle of an answer
                record = entry.load()
                reason = self._objection(record)
                adapted = record if reason else self._adapt(record)
        except BaseException as error:  # SystemExit and the like, too: a plug-in ends nothing but itself
            said = " ".join(str(error).split())[:MOST_LETTERS]
            reason = f"{type(error).__name__}{': ' if said else ''}{said}"
        if reason:
            self.problems.append(PluginProblem(self.group, entry.name, package, reason))
            if parent_process() is None:  # workers would say it again
                _log.warning("latconf: %s", self.problems[-1].sentence)
        else:
            self._records[adapted.name] = adapted

    def _objection(self, record: Any) -> str:
        """What is wrong with a record; empty where nothing is."""
        if not isinstance(record, self._kind):
            return f"it gives a {type(record).__name__}, where a {self._kind.__name__} is needed"
        if not isinstance(record.name, str) or not NAME.fullmatch(record.name):
            return f"its name {record.name!r} has other characters than small letters, digits and + . _ -"
        if record.name in self._records:
            return f"there is already one called {record.name}"
        if not isinstance(record.title, str) or not record.title.strip():
            return "it has no title"
        return self._check(record)


def entries_of(group: str) -> list[EntryPoint]:
    """The entry points of a group, by name; without importing anything where no package mentions plug-ins."""
    if not _some_are_installed(tuple(sys.path)):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value))


@cache
def _some_are_installed(folders: tuple[str, ...]) -> bool:
    """Whether any package has a plug-in: a tenth of the time that importlib.metadata takes, at every start."""
    return any(_mentions_plugins(folder) for folder in folders)


def _mentions_plugins(folder: str) -> bool:
    try:
        names = [name for name in os.listdir(folder or ".") if name.endswith(INFO_FOLDERS)]
    except OSError:  # no folder, or none that may be read
        return False
    for name in names:
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                if GROUPS.search(file.read()):
                    return True
        except OSError:  # it has none
            continue
    return False
