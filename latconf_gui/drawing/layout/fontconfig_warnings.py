"""Keeps a library's warnings about the fonts of this machine off the terminal: nobody can act on them.

The graphviz of the wheels brings a fontconfig of its own, which does not know every element that newer systems write
into their configuration. It says so on the process's stderr, once, when text is measured for the first time.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

STDERR = 2
_UNWANTED = b"Fontconfig "
_has_spoken: list[bool] = []  # fontconfig reads its configuration once in a process


@contextmanager
def without_fontconfig_warnings() -> Iterator[None]:
    """What else is written to stderr meanwhile, by any thread, is written when the block ends."""
    if _has_spoken:
        yield
        return
    _has_spoken.append(True)
    with kept_from_stderr(_UNWANTED):
        yield


@contextmanager
def kept_from_stderr(unwanted: bytes) -> Iterator[None]:
    """Lines that begin so do not reach stderr."""
    try:
        stderr = os.dup(STDERR)
    except OSError:  # there is none
        yield
        return
    with tempfile.TemporaryFile() as written:
        os.dup2(written.fileno(), STDERR)
        try:
            yield
        finally:
            os.dup2(stderr, STDERR)
            os.close(stderr)
            written.seek(0)
            kept = b"".join(line for line in written if not line.startswith(unwanted))
            if kept:
                os.write(STDERR, kept)
