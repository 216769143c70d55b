"""Reports as a reader gets them, of three kinds of data: valid pages, and commands that give the same numbers again."""

from __future__ import annotations

import re
import shlex
from html import unescape
from pathlib import Path

import html5lib
import numpy as np
import pytest

from latconf_core.cli import main as command_line
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_gui.painter import SvgPainter

KINDS = ("asia", "alarm", "own table")
OWN_WORDS = ["--missing", "state", "--search", "hclc-v", "--learn", "fci"]


def write_asia(folder: Path) -> list[str]:
    drawn = sample(load_example("asia"), 400, rng=np.random.default_rng(1), hide=["smoke"])
    write_dataset(drawn.dataset, folder / "data.csv")
    return ["--learn", "gfci", "--search", "hclc-v"]


def write_alarm(folder: Path) -> list[str]:
    """Alarm with its hidden cause: a large drawing and large tables, by the quickest search."""
    drawn = sample(load_example("alarm"), 300, rng=np.random.default_rng(1), hide=["ERRCAUTER"])
    write_dataset(drawn.dataset, folder / "data.csv")
    return ["--search", "hc"]


def write_own_table(folder: Path) -> list[str]:
    """A table with missing cells, a column of one value, names that are markup, and states with blanks."""
    rng = np.random.default_rng(3)
    lines = ["mood <b>today</b>,a very long name of a question that somebody asked,pain & fever,site"]
    for _ in range(200):
        hidden = rng.random() < 0.5
        cells = [str(rng.choice(["good", "so so", "bad"], p=[0.6, 0.3, 0.1] if hidden else [0.1, 0.3, 0.6]))]
        cells += ["yes" if rng.random() < (0.8 if hidden else 0.2) else "no" for _ in range(2)]
        cells = ["" if rng.random() < 0.05 else cell for cell in cells]
        lines.append(",".join([*cells, "Oxford"]))
    (folder / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return OWN_WORDS


WRITERS = {"asia": write_asia, "alarm": write_alarm, "own table": write_own_table}


@pytest.fixture(scope="module", params=KINDS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a table was searched by the command line, with its report in the folder `run`."""
    mktemp = tmp_path_factory.mktemp(request.param.replace(" ", "-"))
    words = WRITERS[request.param](mktemp)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(mktemp)
        given = ["run", "data.csv", *words, "--seed", "3", "--out", "run"]
        assert command_line(given, painter=SvgPainter()) == 0
    return mktemp


def read_report(folder: Path) -> str:
    return (folder / "run" / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_that_a_strict_parser_of_html_accepts_the_report(folder: Path) -> None:
    text = read_report(folder)
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    assert len(tree.findall(".//table")) >= 5
    pictures = [one for one in tree.iter() if str(one.tag).endswith("}svg")]
    assert len(pictures) == (4 if "The PAG" in text else 3)  # model, chart, determined PAG, PAG
    ids = [one.get("id") for one in tree.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert [one for one in tree.findall(".//section") if len(one) < 2] == []  # a heading and nothing below it


@pytest.mark.slow
def test_that_a_report_loads_nothing_from_elsewhere(folder: Path) -> None:
    text = read_report(folder)
    assert not re.search(r"<(script|link|img|iframe|object|embed|base)\b|@import", text)
    assert all(place.startswith("#") for place in re.findall(r'(?:href|src)="([^"]*)"', text))
    assert all(place.startswith("#") for place in re.findall(r"url\(([^)]*)\)", text))


@pytest.mark.slow
def test_that_the_command_of_a_report_gives_its_numbers_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_report(folder)
    hit = re.search("<h3>Command to repeat the run</h3>\n<pre><code>(.*?)</code></pre>", first)
    assert hit is not None
    program, *words = shlex.split(unescape(re.sub("</?span>", "", hit[1])))
    assert program == "latconf"
    monkeypatch.chdir(folder)
    (folder / "run" / "report.html").unlink()
    assert command_line(words, painter=SvgPainter()) == 0
    seconds = re.compile(r"<td>Time of the search</td><td>[^<]*</td>")
    assert len(seconds.findall(first)) == 1
    assert seconds.sub("", read_report(folder)) == seconds.sub("", first)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["own table"], indirect=True)
def test_that_a_report_says_what_became_of_missing_cells_and_idle_columns(folder: Path) -> None:
    text = read_report(folder)
    assert "<li>site is excluded: " in text
    assert "missing (" in text  # the state that they became, with its rows
    assert "mood &lt;b&gt;today&lt;/b&gt;" in text
