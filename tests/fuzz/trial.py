"""Reads many bad files in forked workers and prints what was wrong with the reader: `python -m fuzz.trial`.

    python -m fuzz.trial --reader "graph dot" --seed 1 --inputs 5000     one reader
    python -m fuzz.trial --reader "table *" --inputs 5000                those whose names fit
    python -m fuzz.trial --inputs 5000                                   every reader: an hour of one processor
    python -m fuzz.trial --inputs 5000 --share 0/2                       every second reader, beside another process
    python -m fuzz.trial --reader "graph dot" --seed 1 --number 17       one input again, with its traceback

from the folder `tests`, with it and the folder above on the PYTHONPATH.

An input is at most a megabyte. Wrong is any exception but a LatconfError, more than `--seconds` of processor time, more
than `--megabytes` of memory, and a file that is written outside the folder of the trial. The input is kept in the
folder `--keep`. An input depends on the seed, the reader and its number alone.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from fuzz.mutations import mutate
from fuzz.readers import Reader, readers
from fuzz.worker import USUAL, Limits, fork_worker, limit_memory

BATCH = 500  # inputs per forked worker
_READ_SEEDS: set[tuple[Callable[[Path], object], bytes]] = set()


@dataclass(frozen=True)
class Failure:
    """What a reader did with an input that it must not do."""

    reader: str
    seed: int
    number: int
    problem: str
    place: str


def make_input(reader: Reader, seed: int, number: int) -> bytes:
    """The input of this number: always the same."""
    rng = random.Random(f"{seed} {reader.name} {number}")
    if reader.make is not None:
        return reader.make(rng)
    return mutate(rng.choice(reader.seeds), rng, reader.others)


def find_failures(
    reader: Reader,
    seed: int,
    numbers: range,
    *,
    limits: Limits = USUAL,
    keep: Path | None = None,
    on_batch: Callable[[int], object] = lambda _: None,
) -> Iterator[Failure]:
    """Give one reader the inputs of these numbers, in forked workers; a worker that dies is a failure too.

    on_batch : hears after each worker how many inputs have been read
    """
    _read_seeds(reader)
    while numbers:
        batch, numbers = numbers[:BATCH], numbers[BATCH:]
        last = None
        for last, found in fork_worker(reader, partial(make_input, reader, seed), batch, limits):
            if found is not None:
                _keep_input(reader, seed, last, keep)
                yield Failure(reader.name, seed, last, *found)
        if last is not None and last + 1 < batch.stop:  # it ended at that input; the rest is for another worker
            numbers = range(last + 1, numbers.stop if numbers else batch.stop)
        on_batch(len(batch) if last is None else last + 1 - batch.start)


def _read_seeds(reader: Reader) -> None:
    """Loads what is loaded at the first use, so that no input pays for it; the seeds must be good.

    A way of reading that several readers share, such as that of the opener, loads it once for all of them.
    """
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        place = Path(folder) / f"input{reader.suffix}"
        for good in reader.seeds:
            if (reader.read, good) not in _READ_SEEDS:
                place.write_bytes(good)
                reader.try_read(place)
                _READ_SEEDS.add((reader.read, good))


def _keep_input(reader: Reader, seed: int, number: int, keep: Path | None) -> None:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        name = f"{reader.name.replace(' ', '_')}-{seed}-{number}{reader.suffix}"
        (keep / name).write_bytes(make_input(reader, seed, number))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", nargs="*", default=["*"], help="names or patterns such as 'graph *'; else all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=1000, help="inputs per reader")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--number", type=int, help="one input alone, in this process")
    parser.add_argument("--share", default="0/1", help="I/N: every N-th reader, beginning with the I-th")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that went wrong")
    parser.add_argument("--log", type=Path, help="file for running totals, so that a part of a trial counts too")
    parser.add_argument("--seconds", type=float, default=Limits.seconds)
    parser.add_argument("--megabytes", type=float, default=Limits.megabytes)
    options = parser.parse_args()
    part, parts = map(int, options.share.split("/"))
    fitting = (reader for asked in options.reader for reader in readers() if fnmatchcase(reader.name, asked))
    chosen = list({one.name: one for one in fitting}.values())[part::parts]
    if options.number is not None:
        return _show(chosen[0], options.seed, options.number)
    limits = Limits(options.seconds, options.megabytes)
    limit_memory(limits)  # of this process too, which makes inputs again to keep them
    numbers = range(options.first, options.first + options.inputs)
    totals = Totals(options.log)
    for reader in chosen:
        _run(reader, options.seed, numbers, limits=limits, keep=options.keep, totals=totals)
    return 1 if totals.n_wrong else 0


class Totals:
    """How many inputs were read and how many of them went wrong, written to a file as the trial goes on."""

    def __init__(self, log: Path | None) -> None:
        self._log = log
        self.n_read = self.n_wrong = 0

    def add(self, reader: Reader, n_inputs: int) -> None:
        """Some inputs more have been read."""
        self.n_read += n_inputs
        self.write(f"{reader.name}: {n_inputs:,} more; {self.n_read:,} inputs in all, {self.n_wrong} wrong")

    def write(self, line: str) -> None:
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def _run(reader: Reader, seed: int, numbers: range, *, limits: Limits, keep: Path | None, totals: Totals) -> None:
    """Print a line for the reader, and one for each kind of failure."""
    began, failures = time.monotonic(), []
    on_batch = partial(totals.add, reader)
    for failure in find_failures(reader, seed, numbers, limits=limits, keep=keep, on_batch=on_batch):
        failures.append(failure)
        totals.n_wrong += 1
        totals.write(json.dumps(asdict(failure)))
    seconds = time.monotonic() - began
    print(f"{reader.name}: {len(numbers):,} inputs, {len(failures)} wrong, {seconds:.0f} s", flush=True)
    kinds = Counter((failure.problem.partition(":")[0], failure.place) for failure in failures)
    for kind, _ in kinds.most_common(12):
        one = next(failure for failure in failures if (failure.problem.partition(":")[0], failure.place) == kind)
        print(f"    {kinds[kind]} × {json.dumps(asdict(one))}", flush=True)


def _show(reader: Reader, seed: int, number: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"input{reader.suffix}"
        place.write_bytes(make_input(reader, seed, number))
        began = time.process_time()
        try:
            print(reader.read(place))
        except BaseException:
            traceback.print_exc()
        print(f"{time.process_time() - began:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
