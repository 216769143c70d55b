"""Sets latconf up and starts it.

python3 run.py              open the window on the Sachs example; without a display, run the example job instead
python3 run.py test         run every check and test; with more arguments: only pytest, with these arguments
python3 run.py build        put the program into one folder, dist/latconf, which runs without Python
python3 run.py ARGUMENTS    run `latconf ARGUMENTS`; python3 run.py --help lists them

Needs Python 3.11 or newer and nothing else: on Debian and Ubuntu it installs the system packages that are
missing, everywhere it puts the Python packages into the folder .venv, and a second start finds all that done.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = ENVIRONMENT / "latconf-setup.json"
RESULTS = ROOT / "results"
BUILT = ROOT / "dist" / "latconf"
RECIPE = ROOT / "resources" / "packaging" / "latconf.spec"
OLDEST_PYTHON = (3, 11)
EXAMPLE = "sachs"  # its hidden cause is found, in seconds
MAX_TEST_PROCESSES = 8
SLOWEST_TESTS = 30  # named at the end of each half of the suite, by wall time and by processor time
COMPILER = "latconf_core.search.kernel_compiler"
KERNEL_PARTS = ("search", "surroundings")  # of the compiler, compiled side by side

# What the wheels of pygraphviz (first) and Qt expect from the system, and the Debian package of each.
PICTURE_LIBRARIES = {
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXrender.so.1": "libxrender1",
    "libexpat.so.1": "libexpat1",
    "libgobject-2.0.so.0": "libglib2.0-0",
}
WINDOW_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
# What tests of a real window need, and the Debian package of each: a screen, its key and a person's hands.
SCREEN_TOOLS = {"Xvfb": "xvfb", "xauth": "xauth", "xdotool": "xdotool"}
CHECKS = (
    ("ruff check", ["-m", "ruff", "check", "."]),
    ("ruff format", ["-m", "ruff", "format", "--check", "."]),
    ("mypy", ["-m", "mypy"]),
    ("import-linter", ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]),
)


class SetupError(Exception):
    """What is missing, and what the user can do about it."""


def main(arguments: list[str]) -> int:
    """Set up what the arguments need, run it, and return its exit code."""
    try:
        check_python()
        if arguments[:1] == ["test"]:
            set_up("test", for_window=True)
            set_up_screen()
            return run_tests(arguments[1:])
        if arguments == ["build"]:
            return build()
        set_up("", for_window=has_display_variable())
        return run_python(["-m", "latconf_gui", *arguments]) if arguments else start()
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def say(text: str) -> None:
    """Tell the user; standard output belongs to the program that is started."""
    print(f"run.py: {text}", file=sys.stderr, flush=True)


def check_python() -> None:
    if sys.version_info < OLDEST_PYTHON:
        here = ".".join(map(str, sys.version_info[:3]))
        wanted = ".".join(map(str, OLDEST_PYTHON))
        raise SetupError(
            f"latconf needs Python {wanted} or newer, and this is Python {here}. Install a newer one from your "
            "distribution or python.org and start run.py with it, for example: python3.12 run.py"
        )


# Setting up


def set_up(extra: str, for_window: bool) -> None:
    """Make everything ready; does nothing where that was done before."""
    ready = is_installed(extra)
    needed = [] if ready or has_modules("venv", "ensurepip") else ["python3-venv"]
    libraries = missing_libraries(for_window)
    if needed or libraries:
        try:
            reasons = ["python3-venv makes the virtual environment"] if needed else []
            reasons += ["the libraries draw graphs and the window"] if libraries else []
            install_debian([*needed, *sorted(set(libraries.values()))], "; ".join(reasons))
        except SetupError as error:
            if needed:
                raise
            say(f"{error}; going on without {' '.join(libraries)}: pictures or the window may fail")
    if not ready:
        install_python_packages(extra)


def set_up_screen() -> None:
    """Install what the tests of a real window need; where that cannot be done they are skipped, which is said."""
    if not sys.platform.startswith("linux"):
        return
    packages = [package for tool, package in SCREEN_TOOLS.items() if not shutil.which(tool)]
    if not packages:
        return
    try:
        install_debian(packages, "they test the window on a screen of its own")
    except SetupError as error:
        say(f"{error}; going on without {' '.join(packages)}: the tests of a real window are skipped")


def has_modules(*names: str) -> bool:
    return all(importlib.util.find_spec(name) for name in names)


def missing_libraries(for_window: bool) -> dict[str, str]:
    """The libraries that this Linux lacks, each with its Debian package."""
    if not sys.platform.startswith("linux"):
        return {}
    wanted = {**PICTURE_LIBRARIES, **(WINDOW_LIBRARIES if for_window else {})}
    return {name: package for name, package in wanted.items() if not can_load(name)}


def can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install_debian(packages: list[str], reason: str) -> None:
    """Install system packages with apt-get, after saying which and why."""
    if not shutil.which("apt-get"):
        raise SetupError(f"install with your package manager what Debian calls {' '.join(packages)}")
    say(f"these system packages are missing and will be installed ({reason}): {' '.join(packages)}")
    apt = [*become_root(packages), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    run_set_up([*apt, "update"], "apt-get update failed; see above")
    install = ["install", "-y", "--no-install-recommends", *packages]
    run_set_up([*apt, *install], "apt-get could not install the packages; see above")


def become_root(packages: list[str]) -> list[str]:
    """What to put before a command so that root runs it; sudo must not ask where nobody can answer."""
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        by_hand = f"apt-get install {' '.join(packages)}"
        raise SetupError(f"installing them needs root, and there is no sudo; as root run: {by_hand}")
    return ["sudo"] if sys.stdin.isatty() else ["sudo", "-n"]


def is_installed(extra: str) -> bool:
    """Does .venv hold what pyproject.toml asks for now, with this extra?"""
    return extra in known_extras() and PYTHON.exists()


def known_extras() -> list[str]:
    """The extras that .venv holds as pyproject.toml asks for them now."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return stamp.get("extras", []) if stamp.get("fingerprint") == fingerprint() else []


def fingerprint() -> str:
    """Changes when the Python packages must be installed anew."""
    content = (ROOT / "pyproject.toml").read_bytes()
    return hashlib.sha256(content + f"{sys.version_info[:3]} {ROOT}".encode()).hexdigest()


def install_python_packages(extra: str) -> None:
    """Make .venv where there is none that works, install the project into it, and remember that."""
    if not has_working_environment():
        say(f"making a virtual environment in {ENVIRONMENT}")
        run_set_up([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], "the virtual environment failed")
    say("installing the Python packages of latconf into .venv; the first time takes a few minutes")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--editable"]
    run_set_up([*pip, f".[{extra}]" if extra else "."], "pip could not install the packages; see above")
    extras = sorted({"", extra, *known_extras()})
    STAMP.write_text(json.dumps({"fingerprint": fingerprint(), "extras": extras}), encoding="utf-8")
    compile_kernels([str(PYTHON), "-P", "-m", COMPILER])


def compile_kernels(command: list[str]) -> None:
    """Compile the numeric loops, a process for each part, so that the first search need not; say how far that is."""
    say("compiling the numeric loops; this happens once and takes about a minute")
    lines = queue.Queue()  # type: queue.Queue[tuple[str, bytes]]
    readers = []
    try:
        for part in KERNEL_PARTS:
            process = subprocess.Popen([*command, part], stdout=subprocess.PIPE, cwd=str(ROOT))
            reader = threading.Thread(target=read_lines, args=(part, process.stdout, lines), daemon=True)
            reader.start()
            readers.append((process, reader))
        show_progress(lines)
    except OSError as error:
        say(f"the numeric loops could not be compiled now ({error}); the first search will do it")
        return
    for process, reader in readers:
        reader.join()
        if process.wait() != 0:
            say("the numeric loops could not all be compiled now; the first search will do the rest")


def read_lines(part: str, pipe, lines) -> None:
    """Hand on every line that a process prints, and an empty one at its end."""
    with pipe:
        for line in pipe:
            lines.put((part, line))
    lines.put((part, b""))


def show_progress(lines) -> None:
    """A bar of the steps that are done, where someone looks; ends with the last process."""
    done, steps = dict.fromkeys(KERNEL_PARTS, 0), dict.fromkeys(KERNEL_PARTS, 1)
    working = set(KERNEL_PARTS)
    while working:
        part, line = lines.get()
        if not line:
            working.discard(part)
        else:
            done[part], steps[part] = map(int, line.split())
        if sys.stderr.isatty():
            n_done, n_steps = sum(done.values()), sum(steps.values())
            bar = "#" * n_done + "." * (n_steps - n_done)
            print(f"\rrun.py: [{bar}] {n_done} of {n_steps}", end="" if working else "\n", file=sys.stderr, flush=True)


def has_working_environment() -> bool:
    """Is there a .venv with this Python and its own pip?"""
    probe = [str(PYTHON), "-P", "-c", "import pip, sys; print(*sys.version_info[:2])"]
    try:
        answer = subprocess.run(probe, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return answer.stdout.decode().split() == [str(part) for part in sys.version_info[:2]]


def run_set_up(command: list[str], problem: str) -> None:
    if subprocess.run(command, stdout=sys.stderr, cwd=str(ROOT)).returncode != 0:
        raise SetupError(f"{problem} (the command was: {' '.join(command)})")


# Running


def run_python(arguments: list[str]) -> int:
    """The exit code of the environment's Python in the folder the user is in, whose own Python files it never runs."""
    return subprocess.run([str(PYTHON), "-P", *arguments]).returncode


def run_check(arguments: list[str], *, is_quiet: bool = False) -> int:
    """The exit code of the environment's Python in the checkout, with no window on the user's display.

    is_quiet : what it prints is printed at its end, and only where it failed
    """
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if is_quiet else {}
    done = subprocess.run([str(PYTHON), *arguments], cwd=str(ROOT), env=environment, **pipe)
    if is_quiet and done.returncode != 0:
        print(done.stdout.decode(errors="replace"), flush=True)
    return done.returncode


def start() -> int:
    """The window on the example, or the example without a window."""
    problem = display_problem()
    if problem is None:
        return run_python(["-m", "latconf_gui", "--example", EXAMPLE])
    say(f"{problem}: running the example without a window")
    folder = RESULTS / EXAMPLE
    code = run_python(["-m", "latconf_gui", "example", EXAMPLE, "--out", str(folder)])
    if code == 0:
        arguments = ["--search", "auto", "--seed", "1", "--out", str(folder / "run")]
        code = run_python(["-m", "latconf_gui", "run", str(folder / "data.csv"), *arguments])
    if code == 0:
        say(f"the results are in {folder}")
    return code


def build() -> int:
    """Put the program into a folder of its own with PyInstaller, and see whether it runs."""
    set_up("build", for_window=True)
    if sys.platform.startswith("linux") and not shutil.which("objdump"):
        install_debian(["binutils"], "PyInstaller looks into libraries with it")
    say(f"building {BUILT}; this takes a few minutes")
    places = ["--distpath", str(BUILT.parent), "--workpath", str(ROOT / "build")]
    command = [str(PYTHON), "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN", *places, str(RECIPE)]
    run_set_up(command, "PyInstaller could not build the program; see above")
    program = str(BUILT / ("latconf.exe" if os.name == "nt" else "latconf"))
    compile_kernels([program, "--run-module", COMPILER])
    run_set_up([program, "--version"], "the program was built and does not start; see above")
    size = sum(path.stat().st_size for path in BUILT.rglob("*") if path.is_file() and not path.is_symlink())
    say(f"the program is {program}; its folder has {size / 1e6:.0f} MB and may be moved, as a whole")
    return 0


def has_display_variable() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def display_problem() -> str | None:
    """Why no window can open here, or None."""
    if not has_display_variable():
        return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    if not sys.platform.startswith("linux"):
        return None
    trial = [str(PYTHON), "-P", "-c", "from PySide6.QtWidgets import QApplication; QApplication([])"]
    try:
        worked = (
            subprocess.run(trial, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120).returncode == 0
        )
    except subprocess.TimeoutExpired:
        worked = False
    return None if worked else "a trial window could not be opened on this display"


def run_tests(arguments: list[str]) -> int:
    """Every check and the whole suite, or only pytest with the arguments; 0 when all pass."""
    if arguments:
        return run_check(["-m", "pytest", *arguments])
    pytest = ["-m", "pytest", "-q", "-m", "not exhaustive", f"--durations={SLOWEST_TESTS}"]
    processes = str(min(os.cpu_count() or 1, MAX_TEST_PROCESSES))
    tests = [
        ("core tests", [*pytest, "-n", processes, "tests", "--ignore=tests/gui"]),
        ("window tests", [*pytest, "-n", processes, "--dist", "loadfile", "tests/gui"]),
    ]
    failed = []  # type: list[str]
    beside = threading.Thread(target=run_steps, args=(CHECKS, failed), kwargs={"is_quiet": True})
    beside.start()  # the checks take one core, and tests leave some of each idle
    run_steps(tests, failed)
    beside.join()
    say(f"failed: {', '.join(failed)}" if failed else "everything passed")
    return 1 if failed else 0


def run_steps(steps, failed: list[str], *, is_quiet: bool = False) -> None:
    """Run some checks one after the other and say how each ended; the names of those that failed are added."""
    for name, command in steps:
        began = time.monotonic()
        code = run_check(command, is_quiet=is_quiet)
        say(f"{name}: {'passed' if code == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s")
        failed += [name] if code else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
