"""What must be the same on every machine, so that a score does not depend on where it was computed."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import metadata
from pathlib import Path

NAMES: Mapping[str, str] = {
    "latconf": "latconf",
    "code": "latconf's code",
    "python": "Python",
    "numpy": "numpy",
    "numba": "numba",
    "distributed": "distributed",
}


@dataclass(frozen=True)
class Versions:
    """The versions of one process.

    code : a digest of latconf's own files, for copies that were changed without a new version
    python : without the last number, which changes no result
    processor : the kind for which kernels are compiled; another one may round otherwise in the last digits
    """

    latconf: str
    code: str
    python: str
    numpy: str
    numba: str
    distributed: str
    processor: str

    def differences(self, other: Versions) -> tuple[str, ...]:
        """What the other process has otherwise, in words; empty where results are the same."""
        return tuple(
            f"{NAMES[field.name]} {getattr(other, field.name)} instead of {getattr(self, field.name)}"
            for field in fields(self)
            if field.name in NAMES and getattr(self, field.name) != getattr(other, field.name)
        )


@cache
def read_versions() -> Versions:
    """Those of this process."""
    return Versions(
        _installed("latconf"),
        _digest_of_code(),
        ".".join(platform.python_version_tuple()[:2]),
        _installed("numpy"),
        _installed("numba"),
        _installed("distributed"),
        _processor(),
    )


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _digest_of_code() -> str:
    folder = Path(__file__).parents[1]
    content = hashlib.blake2b(digest_size=5)
    for path in sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix()):
        content.update(path.relative_to(folder).as_posix().encode())
        content.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return content.hexdigest()


def _processor() -> str:
    from llvmlite.binding import get_host_cpu_name

    return str(get_host_cpu_name())
