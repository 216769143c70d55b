"""Kills and signals `latconf run --out` at random moments, again and again; says which run the folder then has.

python tests/support/killed_runs.py FOLDER N_ANYWHERE N_WRITING SEED: a line for each, and "nothing lost" at the end.
It needs the folder `tests` and the one above on the PYTHONPATH.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.run_folder import OWN_FILES, read_run

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)
LONGEST = 1.2  # of the time that a whole run takes, from its start to the signal
WRITING = 0.3  # of the time of a whole run, from the first sign of writing to the signal
PATIENCE = 300.0  # seconds, for a machine with much else to do


@dataclass
class KilledRuns:
    """A folder with a whole run, which others try to replace until a signal ends them."""

    folder: Path
    rng: random.Random
    seed: int = 0  # of the search: tells which run a folder has
    kept: Counter[str] = field(default_factory=Counter)
    _seconds: float = 0.0

    def begin(self) -> None:
        """Write the table and two runs; the second one's time says how long one takes."""
        drawn = sample(load_example("cancer"), 300, rng=np.random.default_rng(1))
        write_dataset(drawn.dataset, self.folder / "data.csv")
        assert self._start().wait(PATIENCE) == 0  # it may compile what later ones find ready
        began = time.monotonic()
        assert self._start().wait(PATIENCE) == 0
        self._seconds = time.monotonic() - began

    def signal_anywhere(self, number: int) -> str:
        """Send a signal at any moment; which run the folder then has."""
        before, began = self._contents(), time.time()
        process = self._start()
        time.sleep(self.rng.uniform(0, LONGEST * self._seconds))
        return self._end(process, number, before, began)

    def signal_while_writing(self, number: int) -> str:
        """Send a signal soon after the first sign of a file that is being written."""
        before, began = self._contents(), time.time()
        left = self._in_progress()  # of a process that was killed
        process = self._start()
        while process.poll() is None and self._in_progress() <= left:
            time.sleep(0.001)
        time.sleep(self.rng.uniform(0, WRITING * self._seconds))
        return self._end(process, number, before, began)

    def _start(self) -> subprocess.Popen[bytes]:
        self.seed += 1
        command = [sys.executable, "-m", "latconf_gui", "run", str(self.folder / "data.csv"), "--search", "no-latents"]
        return subprocess.Popen(
            [*command, "--seed", str(self.seed), "--out", str(self._out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _end(self, process: subprocess.Popen[bytes], number: int, before: dict[str, bytes], began: float) -> str:
        process.send_signal(number)
        process.wait(PATIENCE)
        result = read_run(self._out)  # finishes what a process had ready to be moved
        assert result.best is not None, "a run without a model is in the place of one with"
        after = self._contents()
        if after == before:
            which = "the old run"
        else:
            assert result.seed == self.seed, f"the run of seed {result.seed} is neither the old nor the new one"
            assert after.keys() == before.keys(), f"{sorted(after.keys() ^ before.keys())} are there or not"
            older = [name for name in after if (self._out / name).stat().st_mtime < began - 1]
            assert not older, f"{older} are of an older run"
            which = "the new run"
        self.kept[which] += 1
        return which

    @property
    def _out(self) -> Path:
        return self.folder / "out"

    def _contents(self) -> dict[str, bytes]:
        """The files of the run, whatever it left beside them."""
        return {name: path.read_bytes() for name in OWN_FILES if (path := self._out / name).is_file()}

    def _in_progress(self) -> set[Path]:
        """Folders of new files beside the old ones; the file by which a folder is tried before a run is none."""
        return {path for path in self._out.glob(".latconf-*") if path.is_dir()}


def main(folder: Path, n_anywhere: int, n_writing: int, seed: int) -> None:
    runs = KilledRuns(folder, random.Random(seed))
    runs.begin()
    for i in range(n_anywhere + n_writing):
        number = runs.rng.choice(SIGNALS)
        is_writing = i >= n_anywhere
        which = runs.signal_while_writing(number) if is_writing else runs.signal_anywhere(number)
        when = "while writing" if is_writing else "at any moment"
        sys.stdout.write(f"{i + 1}: {signal.Signals(number).name} {when}: {which}\n")
        sys.stdout.flush()
    sys.stdout.write(f"nothing lost: {', '.join(f'{which} {n} times' for which, n in sorted(runs.kept.items()))}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))
