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
import os
import random
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO

from fuzz.guard import Guard
from fuzz.mutations import mutate
from fuzz.readers import Reader, readers

BATCH = 500  # inputs per forked worker
STUCK_SECONDS = 120.0  # without a sign of a worker: it waits for something that never comes
_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What one input may take."""

    seconds: float = 2.0  # of the processor
    megabytes: float = 500.0


@dataclass(frozen=True)
class Failure:
    """What a reader did with an input that it must not do."""

    reader: str
    seed: int
    number: int
    problem: str
    place: str


class TooLong(BaseException):
    """The processor time of an input is over; no reader can catch it by mistake."""


def make_input(reader: Reader, seed: int, number: int) -> bytes:
    """The input of this number: always the same."""
    rng = random.Random(f"{seed} {reader.name} {number}")
    return mutate(rng.choice(reader.seeds), rng, reader.others)


def find_failures(
    reader: Reader, seed: int, numbers: range, *, limits: Limits = Limits(), keep: Path | None = None
) -> Iterator[Failure]:
    """Give one reader the inputs of these numbers, in forked workers; a worker that dies is a failure too."""
    _read_seeds(reader)
    while numbers:
        batch, numbers = numbers[:BATCH], numbers[BATCH:]
        last = None
        for last, found in _fork_worker(reader, seed, batch, limits):
            if found is not None:
                _keep_input(reader, seed, last, keep)
                yield Failure(reader.name, seed, last, *found)
        if last is not None and last + 1 < batch.stop:  # it ended at that input; the rest is for another worker
            numbers = range(last + 1, numbers.stop if numbers else batch.stop)


def _read_seeds(reader: Reader) -> None:
    """Loads what is loaded at the first use, so that no input pays for it; the seeds must be good."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        place = Path(folder) / f"input{reader.suffix}"
        for good in reader.seeds:
            place.write_bytes(good)
            reader.try_read(place)


Found = tuple[str, str] | None


def _fork_worker(reader: Reader, seed: int, numbers: range, limits: Limits) -> Iterator[tuple[int, Found]]:
    """Each input that was begun, with what was wrong about it."""
    ours, theirs = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        os.close(ours)
        with os.fdopen(theirs, "w", buffering=1) as tell:
            _work(reader, seed, numbers, limits, tell)
        os._exit(0)
    os.close(theirs)
    number = numbers.start
    with os.fdopen(ours) as heard:
        for line in _lines(heard, process):
            number, found = json.loads(line)
            if found != "begun":
                yield number, found
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code != 0:
        yield number, (f"the process died by {_signal_name(-code)}", "")


def _lines(heard: IO[str], process: int) -> Iterator[str]:
    """The lines that a worker writes; it is ended where none comes."""
    while True:
        if not select.select([heard], [], [], STUCK_SECONDS)[0]:
            os.kill(process, signal.SIGKILL)
        line = heard.readline()
        if not line:
            return
        yield line


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number > 0 else f"exit {-number}"


def _work(reader: Reader, seed: int, numbers: range, limits: Limits, tell: IO[str]) -> None:
    """Read the inputs in this process and tell about each."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _stop)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what libraries print about a damaged file
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        os.chdir(folder)
        guard = Guard(Path(folder))
        _limit_memory(limits)
        for number in numbers:
            place = Path(folder) / f"input{reader.suffix}"
            place.write_bytes(make_input(reader, seed, number))
            tell.write(json.dumps([number, "begun"]) + "\n")
            _limit_processor(limits)
            tell.write(json.dumps([number, find_problem(lambda: reader.read(place), limits, guard)]) + "\n")  # noqa: B023


def find_problem(read: Callable[[], object], limits: Limits, guard: Guard | None = None) -> Found:
    """What was wrong about reading, and where; None where it was read or refused with a sentence."""
    _forget_peak()
    before, began = _memory("VmRSS"), time.process_time()
    if guard is not None:
        guard.start()
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    try:
        wrong = _problem_of(read)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        outside = guard.stop() if guard is not None else []
    seconds, grown = time.process_time() - began, _memory("VmHWM") - before
    if wrong is None and seconds > limits.seconds:
        wrong = (f"{seconds:.1f} s of processor time", "noticed at its end")
    if wrong is None and grown > limits.megabytes:
        wrong = (f"{grown:.0f} MB of memory", "")
    return wrong or (("beyond its place: " + outside[0], "") if outside else None)


def _problem_of(read: Callable[[], object]) -> Found:
    from latconf_core.errors import LatconfError

    try:
        read()
    except LatconfError as error:
        return None if str(error).strip() else ("an empty sentence", type(error).__name__)
    except TooLong as error:
        return "too much processor time", _place(error)
    except BaseException as error:  # whatever it is, it is what we look for
        return f"{type(error).__name__}: {str(error)[:120]}", _place(error)
    return None


def _stop(*_: object) -> None:
    raise TooLong


def _forget_peak() -> None:
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def _memory(name: str) -> float:
    """Megabytes of this process, as the kernel counts them."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name))


def _limit_memory(limits: Limits) -> None:
    """An input that asks for far more memory fails here, not the machine."""
    now = _memory("VmSize") * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (int(now + 4 * limits.megabytes * _MIB), resource.RLIM_INFINITY))


def _limit_processor(limits: Limits) -> None:
    """Code that never comes back to Python ends here."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + 3 * limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _place(error: BaseException) -> str:
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "latconf_" in one.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno} {frames[-1].line}" if frames else ""


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
    parser.add_argument("--seconds", type=float, default=Limits.seconds)
    parser.add_argument("--megabytes", type=float, default=Limits.megabytes)
    options = parser.parse_args()
    part, parts = map(int, options.share.split("/"))
    chosen = [one for one in readers() if any(fnmatchcase(one.name, asked) for asked in options.reader)][part::parts]
    if options.number is not None:
        return _show(chosen[0], options.seed, options.number)
    limits = Limits(options.seconds, options.megabytes)
    numbers = range(options.first, options.first + options.inputs)
    return _run(chosen, options.seed, numbers, limits=limits, keep=options.keep)


def _run(chosen: Sequence[Reader], seed: int, numbers: range, *, limits: Limits, keep: Path | None) -> int:
    """Print a line per reader, and one for each kind of failure; 1 where there was any."""
    code = 0
    for reader in chosen:
        began = time.monotonic()
        failures = list(find_failures(reader, seed, numbers, limits=limits, keep=keep))
        seconds = time.monotonic() - began
        print(f"{reader.name}: {len(numbers):,} inputs, {len(failures)} wrong, {seconds:.0f} s", flush=True)
        kinds = Counter((one.problem.partition(":")[0], one.place) for one in failures)
        for kind, _ in kinds.most_common(12):
            one = next(one for one in failures if (one.problem.partition(":")[0], one.place) == kind)
            print(f"    {kinds[kind]} × {json.dumps(asdict(one))}", flush=True)
        code = 1 if failures else code
    return code


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
