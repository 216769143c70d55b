"""Names that a format cannot hold: a safe name for each, and the real one in a form that any format holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import quote, unquote

CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff"


def safe_names(
    names: Iterable[str], forbidden: re.Pattern[str], *, replaced: re.Pattern[str] | None = None
) -> dict[str, str]:
    """A different writable name for every name that has forbidden characters or is empty.

    replaced : what becomes `_` in such a name, none of them left at its ends; None: what is forbidden, wherever it is
    """
    bad, taken = [], set()
    for name in names:
        if not name or forbidden.search(name):
            bad.append(name)
        else:
            taken.add(name)
    safe: dict[str, str] = {}
    for name in bad:
        stem = forbidden.sub("_", name) if replaced is None else replaced.sub("_", name).strip("_")
        safe[name] = find_free_name(stem or "_", taken)
        taken.add(safe[name])
    return safe


def find_free_name(stem: str, taken: Collection[str]) -> str:
    """The stem, with a number behind it where that is taken."""
    number, name = 1, stem
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def encode_name(name: str) -> str:
    """The name in letters, digits and percent codes alone."""
    return quote(name, safe="")


def decode_name(text: str) -> str:
    """The name that `encode_name` wrote."""
    return unquote(text)
