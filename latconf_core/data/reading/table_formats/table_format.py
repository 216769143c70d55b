"""What a table format is: a record in the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from latconf_core.control import StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.data.raw_table import RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError, LatconfError

Reader = Callable[[Path, ReadOptions, Watch], RawTable]
Writer = Callable[[Dataset, Path, str, Watch], None]


@dataclass(frozen=True)
class TableFormat:
    """A kind of table file: how it is told apart, read and written.

    name : as it stands in ReadOptions and in projects
    suffixes : its extensions, with their point and in lower case
    read : (path, options without gaps, watch) → the table
    write : (data, path of the new file, the suffix that was asked for, watch); None where it is only read
    magic : the first bytes of every such file; then the content is known without a look at the suffix
    recognises : whether a text is of this format, whatever its suffix
    is_text : whether the encoding has to be found out before it is read
    is_separated : whether delimiter, quote, header and decimal mark have to be found out, too
    aborting_package : the package that reads it and may end the whole process on a damaged file: a child reads it then
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Reader
    write: Writer | None = None
    magic: bytes = b""
    recognises: Callable[[str], bool] | None = None
    is_text: bool = True
    is_separated: bool = False
    aborting_package: str = ""

    def guarded(self) -> TableFormat:
        """The format of a plug-in, whose mistakes are faults of the file that it reads, and of no other file."""
        read, recognises = self.read, self.recognises

        def read_or_say(path: Path, options: ReadOptions, watch: Watch) -> RawTable:
            try:
                table = read(path, options, watch)
            except (LatconfError, StopRequested):
                raise
            except Exception as error:  # whatever other people's programs do
                raise FileFormatError(
                    f"{self.title} cannot read this file ({error!r}); convert it to CSV", path
                ) from error
            if not isinstance(table, RawTable):
                raise FileFormatError(f"{self.title} gave no table for this file; convert it to CSV", path)
            return table

        def recognise_or_not(text: str) -> bool:
            try:
                return recognises is not None and bool(recognises(text))
            except Exception:  # whatever other people's programs do: this file is not of their kind
                return False

        return replace(self, read=read_or_say, recognises=None if recognises is None else recognise_or_not)
