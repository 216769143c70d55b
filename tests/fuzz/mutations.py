"""Small good files made bad: bytes, tokens, lines, cells, tags, values of JSON, members of archives, and sheer size."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Sequence

from fuzz.archives import change_archive
from fuzz.growth import grow
from fuzz.odd import MAX_BYTES, ODD
from fuzz.texts import TEXT_MUTATIONS
from fuzz.trees import change_json

Mutation = Callable[[bytes, random.Random], bytes]


def mutate(seed: bytes, rng: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """The seed with one to six changes, at most a megabyte.

    others : files that a part may be taken from
    """
    return _mutate(seed, rng, others)[:MAX_BYTES]


def _mutate(seed: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    if zipfile.is_zipfile(io.BytesIO(seed)) and rng.random() < 0.9:
        return change_archive(seed, rng, change_content)
    if others and rng.random() < 0.03:
        return _splice(seed, rng.choice(others), rng)
    return change_content(seed, rng)


def change_content(content: bytes, rng: random.Random) -> bytes:
    """Content that is no archive, changed by a few mutations of any kind."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        content = _change_once(content, rng)[: 2 * MAX_BYTES]
    return _reencode(content, rng) if rng.random() < 0.03 else content


def _change_once(content: bytes, rng: random.Random) -> bytes:
    kind = rng.random()
    if content.lstrip()[:1] in (b"{", b"[") and kind < 0.5:
        changed = change_json(content, rng)
        if changed is not None:
            return changed
    if kind > 0.99:
        return grow(content, rng)
    return rng.choice(_MUTATIONS)(content, rng)


def _flip(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content or b"x")
    for _ in range(rng.choice((1, 1, 4, 16))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _insert(content: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] + rng.choice(ODD) * rng.choice((1, 1, 1, 3, 60)) + content[at:]


def _delete(content: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] + content[at + rng.choice((1, 2, 10, 100)) :]


def _cut(content: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] if rng.random() < 0.7 else content[at:]


def _repeat(content: bytes, rng: random.Random) -> bytes:
    at, length = rng.randint(0, len(content)), rng.choice((1, 5, 40, 400))
    return content[:at] + content[at : at + length] * rng.choice((2, 3, 30, 1000)) + content[at + length :]


def _splice(content: bytes, other: bytes, rng: random.Random) -> bytes:
    """The beginning of one file and the end of another."""
    return content[: rng.randint(0, len(content))] + other[rng.randint(0, len(other)) :]


def _reencode(content: bytes, rng: random.Random) -> bytes:
    """The same text in another encoding, with or without its mark."""
    text = content.decode("utf-8", errors="replace")
    return text.encode(rng.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "latin-1")), "replace")


_MUTATIONS: tuple[Mutation, ...] = (_flip, _insert, _delete, _cut, _repeat, *TEXT_MUTATIONS)
