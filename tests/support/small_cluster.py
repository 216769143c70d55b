"""A Dask scheduler and its workers on loopback, each a process of its own that can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

MOST_SECONDS = 60.0
POLL_SECONDS = 0.05


class SmallCluster:
    """Use it in a `with`: whatever is left of it ends then.

    more : further arguments of scheduler and workers, such as certificates
    """

    def __init__(self, folder: Path, *, n_workers: int = 2, protocol: str = "tcp", more: Sequence[str] = ()) -> None:
        self._folder, self._more = folder, tuple(more)
        self._file = folder / "scheduler.json"
        arguments = ["--host", f"{protocol}://127.0.0.1", "--port", "0", "--scheduler-file", str(self._file)]
        self.scheduler = self._start("scheduler", *arguments, "--no-dashboard", "--no-show")
        self.address = self._read_address()
        self.workers = [self._start_worker() for _ in range(n_workers)]

    def _start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "0",
        }
        with (self._folder / "log.txt").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", kind, *arguments, *self._more], env=environment, stdout=log, stderr=log
            )

    def _start_worker(self) -> subprocess.Popen[bytes]:
        # Without a nanny, which would start a killed worker again.
        arguments = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)]
        return self._start("worker", self.address, *arguments)

    def _read_address(self) -> str:
        deadline = time.monotonic() + MOST_SECONDS
        while time.monotonic() < deadline:
            if self._file.exists() and (text := self._file.read_text(encoding="utf-8")).rstrip().endswith("}"):
                return str(json.loads(text)["address"])
            time.sleep(POLL_SECONDS)
        raise AssertionError(f"no scheduler after {MOST_SECONDS} s: {(self._folder / 'log.txt').read_text()}")

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a process as a power cut would."""
        process.send_signal(signal.SIGKILL)
        process.wait()

    def __enter__(self) -> SmallCluster:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self.scheduler):
            self.kill(process)
