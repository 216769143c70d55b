"""What the page on Python shows about other libraries runs from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "resources" / "docs" / "python.md"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of other libraries
def test_that_the_page_runs_from_where_data_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    above, _, section = PAGE.read_text(encoding="utf-8").partition("Data can also be drawn from a network")
    lines = [line[4:] if line.startswith("    ") else "" for line in section.splitlines()]
    assert sum(map(bool, lines)) > 10
    monkeypatch.chdir(tmp_path)
    start = "import latconf_core as latconf"
    names: dict[str, object] = {}
    padding = [""] * (len(above.splitlines()) - 1)
    exec(compile("\n".join([start, *padding, *lines]), str(PAGE), "exec"), names)
