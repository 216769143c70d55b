"""Reads many bad files in a process of its own and prints what was wrong with the reader: `python -m fuzz.trial`.

    python -m fuzz.trial --reader "graph dot" --seed 1 --inputs 5000     one reader
    python -m fuzz.trial --inputs 5000                                   every reader, one process each
    python -m fuzz.trial --inputs 20 --together                          every reader in one process

from the folder `tests`, with it and the folder above on the PYTHONPATH.

An input is at most a megabyte. Wrong is any exception but a LatconfError, more than `CPU_SECONDS` of processor time, or
more than `MEGABYTES` of memory. The input is kept in the folder `--keep`.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

CPU_SECONDS = 2.0
MEGABYTES = 500
_MIB = 1 << 20


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


def find_failures(name: str, seed: int, n_inputs: int, keep: Path | None) -> Iterator[Failure]:
    """Give one reader so many inputs; the limits hold for this process."""
    from fuzz.mutations import mutate
    from fuzz.readers import readers

    reader = next(one for one in readers() if one.name == name)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _stop)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"input{reader.suffix}"
        for good in reader.seeds:  # loads what is loaded at the first use
            place.write_bytes(good)
            _problem(lambda: reader.read(place))
        _limit_memory()
        for number in range(n_inputs):
            rng = random.Random(f"{seed} {name} {number}")
            content = mutate(rng.choice(reader.seeds), rng)
            place.write_bytes(content)
            found = _problem(lambda: reader.read(place))
            strangers = [other.name for other in Path(folder).iterdir() if other.stem != "input"]
            if found is None and strangers:
                found = ("a file was written outside its place", ", ".join(strangers))
            if found is not None:
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{name.replace(' ', '_')}-{seed}-{number}{reader.suffix}").write_bytes(content)
                yield Failure(name, seed, number, *found)


def _problem(read: object) -> tuple[str, str] | None:
    """What was wrong about reading, and where; None where it was read or refused with a sentence."""
    from latconf_core.errors import LatconfError

    before, began = _peak(), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        read()  # type: ignore[operator]
    except LatconfError as error:
        if not str(error).strip():
            return "an empty sentence", type(error).__name__
    except TooLong as error:
        return f"more than {CPU_SECONDS:g} s of processor time", _place(error)
    except BaseException as error:  # whatever it is, it is what we look for
        return f"{type(error).__name__}: {str(error)[:120]}", _place(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    if time.process_time() - began > CPU_SECONDS:
        return f"more than {CPU_SECONDS:g} s of processor time", "noticed at its end"
    grown = (_peak() - before) / _MIB
    return (f"{grown:.0f} MB of memory", "") if grown > MEGABYTES else None


def _stop(*_: object) -> None:
    raise TooLong


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def _limit_memory() -> None:
    """An input that asks for far more memory fails here, not the machine."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + 4 * MEGABYTES * _MIB, resource.RLIM_INFINITY))


def _place(error: BaseException) -> str:
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "latconf" in one.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno} {frames[-1].line}" if frames else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", help="its name; without it every reader in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=1000, help="inputs per reader")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that went wrong")
    parser.add_argument("--together", action="store_true", help="all readers in this process: quicker, for few inputs")
    options = parser.parse_args()
    if options.reader is not None or options.together:
        from fuzz.readers import readers

        names = [options.reader] if options.reader is not None else [reader.name for reader in readers()]
        failures = [one for name in names for one in find_failures(name, options.seed, options.inputs, options.keep)]
        for failure in failures:
            print(json.dumps(asdict(failure)))
        return 1 if failures else 0
    return _run_all(sys.argv[1:])


def _run_all(arguments: list[str]) -> int:
    """Every reader in a process of its own, so that one that dies is seen."""
    from fuzz.readers import readers

    code = 0
    for reader in readers():
        done = subprocess.run(
            [sys.executable, "-m", "fuzz.trial", "--reader", reader.name, *arguments], capture_output=True, text=True
        )
        lines = done.stdout.splitlines()
        print(f"{reader.name}: {len(lines)} wrong" + ("" if done.returncode in (0, 1) else f", DIED {done.stderr}"))
        print("".join(f"    {line}\n" for line in lines[:12]), end="", flush=True)
        code = max(code, abs(done.returncode))
    return code


if __name__ == "__main__":
    sys.exit(main())
