"""What all tests share: where the reference material is, and a summary of what was skipped for want of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference material; tests that need it skip where it is not there."""
    if not REFERENCE.is_dir():
        pytest.skip(f"no reference material at {REFERENCE}; set LATCONF_REFERENCE to its folder")
    return REFERENCE


def pytest_configure(config: pytest.Config) -> None:
    from support.processor_time import ProcessorTime

    config.pluginmanager.register(ProcessorTime())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    missing = [r for r in terminalreporter.stats.get("skipped", []) if "no reference material" in str(r.longrepr)]
    if missing:
        terminalreporter.write_line(f"{len(missing)} tests need the reference material and were skipped")
