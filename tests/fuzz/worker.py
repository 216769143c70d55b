"""A forked process that reads inputs under limits of time and memory, and tells what was wrong about each."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

from fuzz.guard import Guard
from fuzz.reader import Reader

MakeInput = Callable[[int], bytes]
STUCK_SECONDS = 120.0  # without a sign of a worker: it waits for something that never comes
EXIT_FUZZER = 70  # of a worker that failed before or after reading
_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What one input may take."""

    seconds: float = 2.0  # of the processor
    megabytes: float = 500.0


USUAL = Limits()


class TooLong(BaseException):
    """The processor time of an input is over; no reader can catch it by mistake."""


Found = tuple[str, str] | None


def fork_worker(reader: Reader, make_input: MakeInput, numbers: range, limits: Limits) -> Iterator[tuple[int, Found]]:
    """Each input that was begun, with what was wrong about it."""
    ours, theirs = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        os.close(ours)
        _work_and_end(reader, make_input, numbers, limits, tell=theirs)
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


def _work_and_end(reader: Reader, make_input: MakeInput, numbers: range, limits: Limits, *, tell: int) -> NoReturn:
    """All that a worker does; whatever goes wrong, it never becomes a second copy of its parent."""
    code = EXIT_FUZZER
    try:
        with os.fdopen(tell, "w", buffering=1) as told:
            _work(reader, make_input, numbers, limits, told)
        code = 0
    finally:
        os._exit(code)


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
    if number > 0:
        return signal.Signals(number).name
    return "an error of the fuzzer itself" if -number == EXIT_FUZZER else f"exit {-number}"


def _work(reader: Reader, make_input: MakeInput, numbers: range, limits: Limits, tell: IO[str]) -> None:
    """Read the inputs in this process and tell about each."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _stop)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what libraries print about a damaged file
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        os.chdir(folder)
        guard = Guard(Path(folder))
        limit_memory(limits)
        for number in numbers:
            place = Path(folder) / f"input{reader.suffix}"
            tell.write(json.dumps([number, "begun"]) + "\n")
            resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            place.write_bytes(make_input(number))
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


def limit_memory(limits: Limits) -> None:
    """What asks for far more memory than an input may take fails here, not the machine."""
    now = _memory("VmSize") * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (int(now + 4 * limits.megabytes * _MIB), resource.RLIM_INFINITY))


def _limit_processor(limits: Limits) -> None:
    """Code that never comes back to Python ends here."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + 3 * limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _place(error: BaseException) -> str:
    frames = [member for member in traceback.extract_tb(error.__traceback__) if "latconf_" in member.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno} {frames[-1].line}" if frames else ""
