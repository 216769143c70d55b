"""Reads a table in a process of its own, for formats whose library can end the whole process on a damaged file.

The parent sends path and options as one line of JSON. The child answers with lines of JSON: how far it is, and last the
error or the head of the table, which the codes of its columns follow as bytes. Nothing that the child says is run.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np

from latconf_core.children import module_command
from latconf_core.control import Progress
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.watch import Watch
from latconf_core.errors import DataError, FileFormatError

MAX_SILENCE = 60.0  # seconds without a word: a batch of 16,384 rows takes milliseconds
SPARE_MEMORY = 2 << 30  # bytes that the library and a table of ordinary size may take ...
MEMORY_PER_BYTE = 20  # ... and what one byte of the file may stand for beside them


def read_apart(path: Path, options: ReadOptions, watch: Watch, *, max_silence: float = MAX_SILENCE) -> RawTable:
    """The table that the format of these options reads, by a child that may end without harm to this process."""
    child = subprocess.Popen(
        module_command(__name__), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        answers = _listen(child, {"path": str(path.resolve()), "options": options.to_json()})
        message = _last_message(answers, path, watch, max_silence)
        if message is None:
            raise FileFormatError(f"the file is damaged: the library that reads it gave up ({_ending(child)})", path)
        if "error" in message:
            raise _error(message, path)
        return replace(_table(message), options=options, source=path)
    finally:
        child.kill()
        child.wait()


def _listen(child: subprocess.Popen[bytes], request: dict[str, Any]) -> queue.SimpleQueue[dict[str, Any] | None]:
    """What the child says, as a thread hears it; None once it says no more."""
    answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    assert child.stdin is not None
    assert child.stdout is not None
    sent, heard = child.stdin, child.stdout

    def hear() -> None:
        try:
            with sent, heard:
                sent.write(json.dumps(request).encode() + b"\n")
                sent.flush()
                for message in _messages(heard):
                    answers.put(message)
        except (OSError, ValueError):
            pass  # it ended in the middle of a word
        answers.put(None)

    threading.Thread(target=hear, daemon=True).start()
    return answers


def _messages(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    for line in stream:
        message = json.loads(line)
        if "columns" in message:
            for column in message["columns"]:
                n_bytes = message["n_rows"] * np.dtype(column["dtype"]).itemsize
                column["codes"] = np.frombuffer(stream.read(n_bytes), dtype=column["dtype"])
        yield message


def _last_message(
    answers: queue.SimpleQueue[dict[str, Any] | None], path: Path, watch: Watch, max_silence: float
) -> dict[str, Any] | None:
    """The error or the table; progress goes to the watch, which may stop the reading at any time."""
    done, total, text = 0, None, f"reading {path.name}"
    heard_at = time.monotonic()
    while True:
        watch.step(done, total, text)
        try:
            message = answers.get(timeout=0.05)
        except queue.Empty:
            if time.monotonic() - heard_at > max_silence:
                problem = f"reading made no progress for {max_silence:.0f} seconds; the file is damaged or too large"
                raise FileFormatError(problem, path) from None
            continue
        if message is None or "progress" not in message:
            return message
        (done, total, text), heard_at = message["progress"], time.monotonic()


def _ending(child: subprocess.Popen[bytes]) -> str:
    code = child.wait()
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _error(message: dict[str, Any], path: Path) -> DataError | FileFormatError:
    if message["error"] == DataError.__name__:
        return DataError(message["problem"])
    return FileFormatError(message["problem"], path, message["line"])


def _table(message: dict[str, Any]) -> RawTable:
    columns = [
        RawColumn(column["codes"], column["texts"], is_declared=column["is_declared"]) for column in message["columns"]
    ]
    return RawTable(tuple(message["names"]), tuple(columns), notes=tuple(message["notes"]))


def main() -> int:
    """The child: read what the first line of standard input asks for, answer on standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    request = json.loads(sys.stdin.buffer.readline())
    path = Path(request["path"])
    _limit_memory(SPARE_MEMORY + MEMORY_PER_BYTE * path.stat().st_size)
    try:
        _answer_with_table(answers, _read(path, ReadOptions.from_json(request["options"]), answers))
    except FileFormatError as error:
        _say(answers, error=FileFormatError.__name__, problem=error.problem, line=error.line)
    except DataError as error:
        _say(answers, error=DataError.__name__, problem=str(error), line=None)
    except MemoryError:
        problem = "its table needs far more memory than its size on disk suggests; save it as CSV and open that"
        _say(answers, error=FileFormatError.__name__, problem=problem, line=None)
    return 0


def _read(path: Path, options: ReadOptions, answers: BinaryIO) -> RawTable:
    from latconf_core.data.reading.table_formats.registry import table_format

    def tell(progress: Progress) -> None:
        _say(answers, progress=[progress.done, progress.total, progress.text])

    assert options.format is not None, "the parent has detected the format"
    return table_format(options.format).read(path, options, Watch(on_progress=tell))


def _limit_memory(n_bytes: int) -> None:
    """A bound on what this process may take, where the system knows one."""
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # the others reserve far more than they use
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = n_bytes if hard == resource.RLIM_INFINITY else min(n_bytes, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _answer_with_table(answers: BinaryIO, table: RawTable) -> None:
    columns = [
        {"texts": column.texts, "dtype": column.codes.dtype.str, "is_declared": column.is_declared}
        for column in table.columns
    ]
    _say(answers, names=table.names, notes=table.notes, n_rows=table.n_rows, columns=columns)
    for column in table.columns:
        answers.write(column.codes.tobytes())
    answers.flush()


def _say(answers: BinaryIO, **message: Any) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    raise SystemExit(main())
