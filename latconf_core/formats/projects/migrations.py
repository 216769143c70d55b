"""Versions of the project file, and how the header of an older one becomes that of the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from latconf_core.errors import FileFormatError

FORMAT_VERSION = 1
Content = dict[str, Any]
Migration = Callable[[Content], Content]

# version → what turns a header of that version into one of the next; a new format adds its entry here
MIGRATIONS: Mapping[int, Migration] = {}


def migrate(
    content: Content, migrations: Mapping[int, Migration] = MIGRATIONS, *, current: int = FORMAT_VERSION
) -> Content:
    """The header as the current version would have written it."""
    found = content.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise FileFormatError(f"its format version is {found!r}; expected a number from 1 to {current}")
    if found > current:
        written_by = content.get("program", "a newer version")
        raise FileFormatError(
            f"this project has format {found}, written by latconf {written_by}; this latconf reads formats up to "
            f"{current}: install a newer one to open it"
        )
    for number in range(found, current):
        content = {**migrations[number](content), "version": number + 1}
    return content
