"""The table of README is that of the catalogues."""

from __future__ import annotations

from pathlib import Path

from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES

README = Path(__file__).resolve().parents[2] / "README.md"
CATALOGUES = (("search", SEARCHES), ("learner", LEARNERS), ("test", INDEPENDENCE_TESTS))


def test_that_the_readme_lists_what_the_catalogues_hold() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    wanted = [f"| `{name}` ({kind}) | {one.description} |" for kind, own in CATALOGUES for name, one in own.items()]
    assert [line for line in lines if line.startswith("| `") and line.split("`")[2].startswith(" (")] == wanted
