"""`latconf doctor`: what is installed here, and whether it runs."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata

from latconf_core.children import is_frozen, module_command
from latconf_core.cli.terminal.arguments import ExamplesFormatter

TRIAL_SECONDS = 60
# Tried in a process of their own: a missing system library may end it, and the core must not load Qt.
TRIALS = {
    "PySide6-Essentials": "from PySide6.QtWidgets import QApplication; QApplication([])",
    "pygraphviz": "import pygraphviz; g = pygraphviz.AGraph(); g.add_edge('a', 'b'); g.layout('dot')",
    "matplotlib": "import matplotlib.backends.backend_agg",
    "numba": "import numba; assert numba.njit(lambda x: x + 1)(1) == 2",
    "pandas": "import pandas",
    "scipy": "import scipy.special",
}
PLAIN = ("numpy", "networkx", "pyagrum")
OPTIONAL = {
    "openpyxl": 'Excel files cannot be read; pip install "latconf[excel]"',
    "pyarrow": 'Parquet files cannot be read; pip install "latconf[arrow]"',
    "distributed": 'no clusters; pip install "latconf[cluster]"',
    "jax": 'no VAE and VAEM in a bench; pip install "latconf[density]"',
}
EXIT_PROBLEM = 1


@dataclass(frozen=True)
class Finding:
    """One package: its version if it is there, what is wrong if something is, and whether latconf runs without it."""

    name: str
    version: str | None
    problem: str | None
    required: bool


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "doctor",
        help="check the installation",
        description="Check Python, the packages latconf needs, their system libraries and the display. "
        "The exit code is 1 if something needed is missing or broken.",
        epilog="examples:\n  latconf doctor\n  latconf doctor --json > report.json",
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the findings."""
    findings = examine()
    display = display_state(os.environ)
    if args.json:
        print(json.dumps({**system(), "display": display, "packages": [asdict(finding) for finding in findings]}))
    else:
        print(as_text(system(), display, findings))
    return EXIT_PROBLEM if any(finding.problem and finding.required for finding in findings) else 0


def system() -> dict[str, str | int]:
    """The versions of latconf, Python and the operating system."""
    return {
        "latconf": installed_version("latconf") or "not installed",
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "processors": os.cpu_count() or 1,
    }


def examine(trial: Callable[[str], str | None] | None = None) -> list[Finding]:
    """A finding for every package; `trial` runs Python code elsewhere and returns what went wrong."""
    tried = trial or run_trial
    findings = []
    for name in (*PLAIN, *TRIALS):
        version = installed_version(name)
        code = TRIALS.get(name)
        problem = "not installed" if version is None else tried(code) if code else None
        findings.append(Finding(name, version, problem, required=True))
    for name, loss in OPTIONAL.items():
        version = installed_version(name)
        findings.append(Finding(name, version, None if version else _without(loss), required=False))
    return findings


def _without(loss: str) -> str:
    """What a package that is not there costs, and the remedy; into a folder of its own nothing can be installed."""
    return f"not in this folder: {loss.split(';')[0]}" if is_frozen() else f"not installed: {loss}"


def installed_version(name: str) -> str | None:
    """The version of a distribution, or None where it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def run_trial(code: str, environment: Mapping[str, str] | None = None) -> str | None:
    """The last line that Python code says when it fails in a process of its own, or None."""
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"} if environment is None else dict(environment)
    in_python = [sys.executable, "-P", "-c", code]  # never a Python file of the folder one happens to be in
    command = module_command(__name__, code) if is_frozen() else in_python
    try:
        done = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=TRIAL_SECONDS)
    except subprocess.TimeoutExpired:
        return f"did not answer within {TRIAL_SECONDS} seconds"
    if done.returncode == 0:
        return None
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"ended with exit code {done.returncode}"


def main() -> int:
    """Run one of the trials here: a frozen program has no Python that could be given code."""
    if sys.argv[1:] and sys.argv[1] in TRIALS.values():
        exec(sys.argv[1], {})
    return 0


def display_state(environment: Mapping[str, str]) -> str:
    """Whether a window can open here, as a sentence."""
    names = [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if environment.get(name)]
    if sys.platform.startswith("linux") and not names:
        return "none: neither DISPLAY nor WAYLAND_DISPLAY is set; the sub-commands work without one"
    where = ", ".join(f"{name}={environment[name]}" for name in names) or platform.system()
    problem = run_trial(TRIALS["PySide6-Essentials"], environment)
    return f"{where}: {'a window can open' if problem is None else problem}"


def as_text(about: Mapping[str, str | int], display: str, findings: list[Finding]) -> str:
    """The findings as a reader wants them: what is wrong stands in its line."""
    lines = [
        f"latconf     {about['latconf']}",
        f"Python      {about['python']} ({about['executable']})",
        f"System      {about['platform']}, {about['processors']} processors",
        f"Display     {display}",
        "Packages",
    ]
    for finding in findings:
        state = finding.problem or "ok"
        lines.append(f"  {finding.name:<20}{finding.version or '-':<12}{state}")
    return "\n".join(lines)
