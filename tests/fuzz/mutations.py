"""Small good files made bad: bytes, lines, numbers and nesting, and members of archives."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

from fuzz.readers import repack

Mutation = Callable[[bytes, random.Random], bytes]
MAX_BYTES = 1_000_000

_ODD = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1b[31m", "²".encode(), "١".encode(), "𝟙".encode(),
    b"\n" * 40, b"\r", b"\r\n", b"\t", b" " * 50, b'"', b'"' * 7, b"'", b"\\", b"\\u0000", b"\\ud800", b",", b";", b"|",
    b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"<b>x</b>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"]]>",
    b"-1", b"0", b"1e309", b"1e-400", b"NaN", b"nan", b"inf", b"-Infinity", b"9" * 400, b"9" * 5000, b"1e999999999",
    b"0x10", b"1_000", b"true", b"null", b"@relation", b"@attribute", b"@data", b"-->", b"<->", b"o-o", b"o->", b"::",
    b"graph", b"digraph", b"dag", b"mag", b"strict", b"subgraph", b"network", b"variable", b"probability", b"table",
    b"default", b"property", b"#", b"//", b"/*", b"*/", b"%", b"$", b"NA", b"?", b"missing",
)  # fmt: skip


def mutate(seed: bytes, rng: random.Random) -> bytes:
    """The seed with one to six changes, at most a megabyte."""
    if zipfile.is_zipfile(io.BytesIO(seed)) and rng.random() < 0.8:
        return repack(seed, lambda content: _change(content, rng), rng.randrange)[:MAX_BYTES]
    return _change(seed, rng)[:MAX_BYTES]


def _change(content: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        content = rng.choice(_MUTATIONS)(content, rng)
    return content


def _spot(content: bytes, rng: random.Random) -> int:
    return rng.randint(0, len(content))


def _flip(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content or b"x")
    for _ in range(rng.choice((1, 1, 4, 16))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _insert(content: bytes, rng: random.Random) -> bytes:
    at = _spot(content, rng)
    return content[:at] + rng.choice(_ODD) * rng.choice((1, 1, 1, 3, 60)) + content[at:]


def _delete(content: bytes, rng: random.Random) -> bytes:
    at = _spot(content, rng)
    return content[:at] + content[at + rng.choice((1, 2, 10, 100)) :]


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: _spot(content, rng)] if rng.random() < 0.7 else content[_spot(content, rng) :]


def _repeat(content: bytes, rng: random.Random) -> bytes:
    at, length = _spot(content, rng), rng.choice((1, 5, 40, 400))
    return content[:at] + content[at : at + length] * rng.choice((2, 3, 30, 1000)) + content[at + length :]


def _swap_lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _change_line(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at : at + 1] = rng.choice(([], [lines[at]] * 2, [b""], [lines[at] * 2], [b" " + lines[at]]))
    return b"\n".join(lines)


def _change_number(content: bytes, rng: random.Random) -> bytes:
    numbers = list(re.finditer(rb"-?\d+", content))
    if not numbers:
        return _insert(content, rng)
    chosen = rng.choice(numbers)
    other = rng.choice(
        (b"0", b"-1", b"1", b"2", b"65536", b"1000000000", b"1e308", b"9" * 400, b"0.5", b"null", b'"x"')
    )
    return content[: chosen.start()] + other + content[chosen.end() :]


def _change_word(content: bytes, rng: random.Random) -> bytes:
    words = list(re.finditer(rb"[A-Za-z_]\w*", content))
    if not words:
        return _insert(content, rng)
    chosen, other = rng.choice(words), rng.choice(words)
    text = rng.choice((other.group(), b"", chosen.group() * 2, chosen.group().upper(), b"x" * 5000, rng.choice(_ODD)))
    return content[: chosen.start()] + text + content[chosen.end() :]


def _change_value(content: bytes, rng: random.Random) -> bytes:
    """Another kind of value behind a key of JSON."""
    values = list(re.finditer(rb'":\s*("[^"]*"|-?[\d.e+]+|true|false|null|\[[^\[\]]*\]|\{[^{}]*\})', content))
    if not values:
        return _change_word(content, rng)
    chosen = rng.choice(values)
    other = rng.choice(
        (b"null", b"[]", b"{}", b'""', b'"x"', b"-1", b"1.5", b"true", b"1e300", b"[[[]]]", b'{"a": 1}', b"9" * 400)
    )
    return content[: chosen.start(1)] + other + content[chosen.end(1) :]


def _nest(content: bytes, rng: random.Random) -> bytes:
    at, depth = _spot(content, rng), rng.choice((20, 1000, 20_000))
    left, right = rng.choice(((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'{"a":', b"}"), (b"<a>", b"</a>")))
    return content[:at] + left * depth + right * rng.choice((0, depth)) + content[at:]


_MUTATIONS: tuple[Mutation, ...] = (
    _flip, _insert, _insert, _delete, _cut, _repeat, _swap_lines, _change_line, _change_number, _change_number,
    _change_word, _change_word, _change_value, _change_value, _nest,
)  # fmt: skip
