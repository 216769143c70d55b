from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("pandas", "numba", "PySide6", "matplotlib", "pygraphviz", "networkx", "scipy.stats")


@pytest.mark.parametrize("module", ["latconf_core", "latconf_core.cli", "latconf_gui.__main__"])
def test_that_importing_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_that_building_the_whole_command_line_loads_nothing_heavy() -> None:
    code = (
        "import sys; from latconf_core.cli.main import build_parser; build_parser(); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
