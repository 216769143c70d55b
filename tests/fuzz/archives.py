"""Archives made bad: a member changed under a right sum, another name, order or size, or the archive itself."""

from __future__ import annotations

import io
import random
import warnings
import zipfile
from collections.abc import Callable

from fuzz.odd import MAX_BYTES

Change = Callable[[bytes, random.Random], bytes]
Members = list[tuple[str, bytes]]

_NAMES = (
    "../x", "../../../../tmp/latconf-outside", "/tmp/latconf-outside", "C:\\x", "a/../../x", "", "x/", "\x00",
    "a" * 300,
    "project.json", "data.csv", "pags/01/", "runs/../x", "pags", "runs/99/result.json", "truth.bif", "log.txt", "é",
)  # fmt: skip
_METHODS = (zipfile.ZIP_DEFLATED,) * 6 + (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_TYPES = (
    b"'|O'", b"'<U9999'", b"'<f4'", b"'<i8'", b"'|S0'", b"'<c16'", b"'<M8'", b"'|V8'", b"'|b1'", b"[('a', 'O')]",
)  # fmt: skip
_SHAPES = (
    b"()", b"(0,)", b"(-1,)", b"(9999999999,)", b"(1, 1)", b"(2, 0)", b"(3.5,)", b"None", b"((((((", b"(1,)" * 9,
)  # fmt: skip
_LINK = 0o120777 << 16  # the mode of a symbolic link, as an archive keeps it


def change_archive(archive: bytes, rng: random.Random, change: Change) -> bytes:
    """The archive with a member changed, or with other members, or itself damaged."""
    kind = rng.random()
    if kind < 0.1:
        return _damage(archive, rng)
    members = _members(archive)
    if kind < 0.85:
        i = rng.randrange(len(members))
        name, content = members[i]
        members[i] = (name, change_member(name, content, rng, change))
    else:
        _change_list(members, rng)
    packed = _pack(members, rng)
    return _damage(packed, rng) if rng.random() < 0.03 else packed


def change_member(name: str, content: bytes, rng: random.Random, change: Change) -> bytes:
    """A member changed as befits what it holds."""
    if name.endswith(".npz"):
        return change_archive(content, rng, change) if rng.random() < 0.9 else change(content, rng)
    if name.endswith(".npy") and rng.random() < 0.8:
        return change_array(content, rng)
    return change(content, rng)


def change_array(content: bytes, rng: random.Random) -> bytes:
    """An array of numpy with another header, or other numbers."""
    end = 10 + int.from_bytes(content[8:10], "little")
    header, body = content[10:end], content[end:]
    kind = rng.randrange(4)
    if kind == 0:
        header = header.replace(header.split(b",")[0].split(b":")[1].strip(), rng.choice(_TYPES))
    elif kind == 1:
        start = header.find(b"(")
        header = header[:start] + rng.choice(_SHAPES) + header[header.find(b")") + 1 :]
    elif kind == 2 and body:
        odd = (b"\xff" * 8, b"\0" * 8, b"\0\0\0\0\0\0\xf0\x7f", b"\0\0\0\0\0\0\xf8\x7f", b"\0\0\0\0\0\0\xf0\xbf")
        at = 8 * rng.randrange(len(body) // 8 + 1)
        body = (body[:at] + rng.choice(odd) + body[at + 8 :])[: len(body)]
    else:
        header = bytes(header[i] if rng.random() > 0.05 else rng.randrange(256) for i in range(len(header)))
    header = header.strip().ljust(-(-len(header) // 16) * 16 - 1) + b"\n"
    return content[:8] + len(header).to_bytes(2, "little") + header + body


def _members(archive: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(archive)) as old:
        return [(name, old.read(name)) for name in old.namelist()]


def _change_list(members: Members, rng: random.Random) -> None:
    """Members left out, doubled, exchanged, or under another name."""
    i, j = rng.randrange(len(members)), rng.randrange(len(members))
    kind = rng.randrange(6)
    if kind == 0:
        del members[i]
    elif kind == 1:
        members.append(members[i])
    elif kind == 2:
        members[i], members[j] = (members[i][0], members[j][1]), (members[j][0], members[i][1])
    elif kind == 3:
        members[i] = (rng.choice(_NAMES), members[i][1])
    elif kind == 4:
        members.insert(i, (rng.choice(_NAMES), rng.choice(members)[1]))
    else:
        members[i] = (members[i][0], b"")


def _pack(members: Members, rng: random.Random) -> bytes:
    target = io.BytesIO()
    method = rng.choice(_METHODS)
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", method) as new:
        warnings.simplefilter("ignore")  # of two members with one name
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            if rng.random() < 0.01:
                info.external_attr = _LINK
            new.writestr(info, content[: 2 * MAX_BYTES])
    return target.getvalue()


def _damage(archive: bytes, rng: random.Random) -> bytes:
    """Bytes of the archive changed, most of them in its directory at the end; or a part of it missing."""
    kind = rng.random()
    if kind < 0.2:
        return archive[: rng.randint(0, len(archive))]
    if kind < 0.3:
        return archive[rng.randint(0, len(archive)) :]
    changed = bytearray(archive)
    start = archive.find(b"PK\x01\x02") if rng.random() < 0.7 else 0
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(max(start, 0), len(changed))
        changed[at] = rng.choice((0, 0xFF, 0x7F, rng.randrange(256)))
    return bytes(changed)
