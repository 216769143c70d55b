"""Files made large: what takes time that grows faster than the file is seen only here."""

from __future__ import annotations

import random
import re

from fuzz.odd import MAX_BYTES


def grow(content: bytes, rng: random.Random) -> bytes:
    """The content with a part of it repeated until it is large, each time under other names or as it is."""
    size = rng.choice((20_000, 100_000, MAX_BYTES - len(content)))
    part = _part(content, rng)
    at = content.find(part) + len(part)
    repeat = rng.choice((_number_words, _number_words, _as_it_is, _number_all))
    return content[:at] + repeat(part, max(size // (len(part) + 6), 1)) + content[at:]


def _part(content: bytes, rng: random.Random) -> bytes:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(content.split(b"\n")) + b"\n"
    if kind == 1:
        return rng.choice(re.findall(rb"[^,;\s]+[,;\s]?|.", content, re.DOTALL) or [b"x"])
    if kind == 2:
        return rng.choice(
            (b",", b" ", b"\n", b"\t", b";", b'"', b"a,", b"a;", b"x ", b"0", b"1 ", b"A --> B\n", b"<a>")
        )
    start = rng.randint(0, len(content))
    return content[start : start + rng.choice((3, 10, 60))] or b"x"


def _as_it_is(part: bytes, times: int) -> bytes:
    return part * times


def _number_words(part: bytes, times: int) -> bytes:
    """The last word of the part with a number behind it."""
    finditer = list(re.finditer(rb"\w+", part))
    at = finditer[-1].end() if finditer else 0
    return b"".join(part[:at] + b"%d" % i + part[at:] for i in range(times))


def _number_all(part: bytes, times: int) -> bytes:
    """Every word of the part with the same number behind it."""
    pieces = re.split(rb"(?<=\w)\b", part)
    return b"".join((b"%d" % i).join(pieces) for i in range(times))
