"""How a table file is read: everything that is detected, shown, and may be set by hand."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from latconf_core.errors import OptionError
from latconf_core.json_form import Notes, pick_known
from latconf_core.options.checks import check_types, shorten


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file; what is None is detected, and `detect` gives a value without None (but for `sheet`).

    format : the name of a record in table_formats/registry
    delimiter : one character; only for delimited text
    quote : one character, or "" where quotes are ordinary characters
    header : whether the first row holds the names
    decimal : the decimal mark of numbers, used to order states and to discretise
    trim : whether blanks around values are dropped
    sheet : the sheet of a workbook; None is its first
    """

    format: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    header: bool | None = None
    encoding: str | None = None
    decimal: str | None = None
    trim: bool = True
    sheet: str | None = None

    def __post_init__(self) -> None:
        check_types(self)
        if self.format is not None:
            from latconf_core.data.reading.table_formats.registry import table_format  # its formats read by options

            table_format(self.format)
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in "\r\n"):
            raise OptionError(f"delimiter is {self.delimiter!r}; it must be one character")
        if self.quote is not None and (len(self.quote) > 1 or self.quote in ("\r", "\n")):
            raise OptionError(f"quote is {self.quote!r}; it must be one character, or empty for none")
        if self.quote and self.quote == self.delimiter:
            raise OptionError(f"quote and delimiter are both {self.quote!r}; choose another quote")
        if self.decimal not in (None, ".", ","):
            raise OptionError(f"decimal mark is {self.decimal!r}; choose . or ,")
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except (LookupError, ValueError):  # a NUL in the name is a ValueError
                raise OptionError(f"encoding {self.encoding!r} is not known; try utf-8 or latin-1") from None

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any], notes: Notes | None = None) -> ReadOptions:
        """The options that `to_json` wrote; unknown entries are refused, or passed over and noted."""
        if not isinstance(content, Mapping):
            raise OptionError(f"how the table was read is {shorten(content)}; it must be an object")
        return cls(**pick_known(content, [each.name for each in fields(cls)], what="reading", notes=notes))
