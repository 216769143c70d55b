from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from latconf_core.cli import main as command_line
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import Sample, sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects.kept_items import DataMark, KeptPag, KeptRun
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.options.searching import SearchOptions
from latconf_core.report.contents import DataSummary, ReportContents, RunAbout
from latconf_core.report.page import figure, folded, table
from latconf_core.report.probability_table import probability_table
from latconf_core.report.render import render_report
from latconf_core.report.sources import contents_of_kept
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from tests.support.builders import mixed

SAMPLES = Path(__file__).resolve().parents[1] / "formats" / "projects" / "samples"
VOID = {"meta", "br", "img", "hr", "input", "link"}


class Balance(HTMLParser):
    """Whether every element that opens closes, and which ids and addresses there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.ids += [value or "" for key, value in attributes if key == "id"]
        self.addresses += [value or "" for key, value in attributes if key in ("href", "src", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def read(html: str) -> Balance:
    balance = Balance()
    balance.feed(html)
    return balance


class Boxes:
    """A painter whose pictures share their ids."""

    def dag_svg(self, dag: object, knowledge: object = None) -> str:
        return '<?xml version="1.0"?><svg><g id="node1"/><use href="#node1"/></svg>'

    graph_svg = chart_svg = dag_svg


@pytest.fixture(scope="module")
def drawn() -> Sample:
    return sample(load_example("asia"), 400, rng=np.random.default_rng(1), hide=["smoke"])


@pytest.fixture(scope="module")
def result(drawn: Sample) -> SearchResult:
    names = drawn.dataset.names
    pag = mixed("lung <-> bronc", "either o-> dysp", nodes=names)
    return run_search(drawn.dataset, pag, "hclc-v", options=SearchOptions(seed=3))


@pytest.fixture(scope="module")
def contents(drawn: Sample, result: SearchResult) -> ReportContents:
    assert result.posterior is not None
    return ReportContents(
        result,
        title="A <b>study</b> & more",
        data=DataSummary.of(drawn.dataset, source="asia.csv", notes=["3 rows were dropped"]),
        network=result.posterior.network(),
        pag_origin="GFCI, alpha 0.05",
        learner="gfci",
        truth=drawn.truth,
        command=("latconf", "run", "my data.csv", "--seed", "3"),
    )


@pytest.mark.parametrize(
    ("learner", "origin", "said"),
    [("gfci", "GFCI, by Auto", "Learned by GFCI, by Auto."), ("", "drawn", "Origin: drawn.")],
)
def test_that_a_report_says_of_a_pag_whether_it_was_learned(
    contents: ReportContents, learner: str, origin: str, said: str
) -> None:
    assert said in render_report(replace(contents, learner=learner, pag_origin=origin), Boxes())


def test_that_a_report_is_one_page_that_needs_nothing_from_elsewhere(contents: ReportContents) -> None:
    found = read(render_report(contents, Boxes()))
    assert found.open == []
    assert found.wrong == []
    assert "script" not in found.tags
    assert all(address.startswith("#") for address in found.addresses)
    assert len(found.ids) == len(set(found.ids)) == 4
    assert {address[1:] for address in found.addresses} == set(found.ids)


def test_that_a_report_tells_what_was_found_and_how_to_repeat_it(
    contents: ReportContents, result: SearchResult
) -> None:
    html = render_report(contents)
    assert "A &lt;b&gt;study&lt;/b&gt; &amp; more" in html
    assert "latconf run &#x27;my data.csv&#x27; --seed 3" in re.sub("</?span>", "", html)
    assert "nothing missing, after these changes:" in html
    assert "3 rows were dropped" in html
    assert "<td>time limit</td><td>12 h</td>" in html
    assert "400 rows of 7 variables" in html
    assert "PGM" in html
    assert "Compared with the truth" in html
    assert f"{result.p_elbo:,.2f}".replace("-", "−") in html
    assert result.best is not None
    for latent in result.best.latents:
        assert f"{latent.name}: a hidden cause of {', '.join(latent.children)}" in html
    assert "95 % credible interval" in html


def test_that_the_interval_of_a_report_is_the_posterior_s(contents: ReportContents) -> None:
    network = contents.network
    assert network is not None
    cpt = network.cpts["asia"]
    low, high = cpt.credible_interval(0.95)
    interval = f'<span class="interval">({low[0]:.3f} – {high[0]:.3f})</span>'
    assert f"{cpt.table[0]:.3f} {interval}" in render_report(contents)


def test_that_a_report_without_data_tables_or_pictures_says_the_rest(result: SearchResult) -> None:
    html = render_report(ReportContents(result, title="bare"))
    assert read(html).wrong == []
    assert "Data</h2>" not in html
    assert "The model</h2>" in html


def test_that_what_is_kept_beside_a_result_comes_back(drawn: Sample) -> None:
    about = RunAbout(DataSummary.of(drawn.dataset, source="x.csv", notes=["n"]), ("latconf", "run"), "GFCI")
    assert RunAbout.from_json(json.loads(json.dumps(about.to_json()))) == about


def test_that_a_run_of_a_project_is_reported_under_the_names_given_to_its_latents(
    drawn: Sample, result: SearchResult
) -> None:
    assert result.best is not None
    latent = result.best.latents[0]
    assert isinstance(latent, Latent)
    mark = DataMark.of(drawn.dataset)
    prepared = Prepared(drawn.dataset, np.arange(drawn.dataset.n_rows))
    kept = KeptRun("HCLC-V on drawn", result, "drawn", mark)
    state = ProjectState(
        name="asia",
        prepared=prepared,
        truth=load_example("asia"),
        pags=(KeptPag("drawn", result.pag, "drawn by hand", mark),),
        runs=(kept,),
        latent_names=MappingProxyType({latent.children: "Smoking?"}),
    )
    told = contents_of_kept(state, kept, place=Path("asia.latconf"))
    assert told.command == ("latconf", "run", "--project", "asia.latconf", "--run", "1")
    assert told.truth == drawn.truth
    html = render_report(told)
    assert f"Smoking?: a hidden cause of {', '.join(latent.children)}" in html
    assert "Probabilities of Smoking?" in html
    other = Dataset(["lung"], [("a", "b")], [[0], [1]])
    elsewhere = ProjectState(prepared=Prepared(other, np.arange(2)), runs=(kept,))
    assert contents_of_kept(elsewhere, kept).data is None


@pytest.mark.slow
def test_that_a_folder_of_a_run_has_its_report_and_another_can_be_made_from_it(
    drawn: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, folder = tmp_path / "asia.csv", tmp_path / "run"
    write_dataset(drawn.dataset, data)
    assert command_line(["run", str(data), "--search", "no-latents", "--seed", "1", "--out", str(folder)]) == 0
    first = (folder / "report.html").read_text(encoding="utf-8")
    assert "--search no-latents --seed 1" in re.sub("</?span>", "", first)
    out = tmp_path / "again.html"
    capsys.readouterr()
    assert command_line(["report", str(folder), "--truth", "asia", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["out"] == str(out)
    again = out.read_text(encoding="utf-8")
    assert "Compared with the truth" in again
    tables = re.findall(r"Probabilities of \w+", first)
    assert tables == re.findall(r"Probabilities of \w+", again)
    assert len(tables) == drawn.dataset.n_variables
    (folder / "about.json").write_text('{"version": 99}', encoding="utf-8")
    assert command_line(["report", str(folder), "--out", str(out)]) == 2
    assert "about.json" in capsys.readouterr().err


def test_that_a_report_of_nothing_names_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["report", str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
    assert command_line(["report", str(tmp_path), "--run", "2"]) == 2
    assert "--run is only for a project" in capsys.readouterr().err


def table_of(n_states: int, n_parents: int, *, is_learned: bool = True) -> str:
    """The table of a variable with that many states and parents of two."""
    parents = [Cpt(f"p{i}", ("no", "yes"), (), [0.5, 0.5]) for i in range(n_parents)]
    numbers = np.ones((2,) * n_parents + (n_states,))
    states, above = [f"s{k}" for k in range(n_states)], [parent.variable for parent in parents]
    if is_learned:
        dirichlet = Cpt.from_dirichlet("x", states, above, numbers)
    else:
        dirichlet = Cpt("x", states, above, numbers / n_states)
    return probability_table(BayesNet([*parents, dirichlet]), "x")


def test_that_a_table_too_broad_for_paper_puts_intervals_below_and_then_states_below_each_other() -> None:
    narrow, broader, broadest = table_of(3, 1), table_of(5, 1), table_of(12, 1)
    assert "stacked" not in narrow
    assert "stacked" in broader
    assert broader.count("<tr>") == narrow.count("<tr>") == 3
    assert broadest.count("<tr>") == 1 + 2 * 12
    assert "<th>p0</th><th>x</th>" in broadest
    assert "stacked" not in table_of(5, 1, is_learned=False)


def test_that_rows_beyond_what_can_be_read_are_counted_and_left_to_the_files() -> None:
    told = table_of(2, 9)
    assert told.count("<tr>") == 401
    assert "112 more rows are in the files of the model" in told


def test_that_short_tables_stay_on_one_page_with_their_title() -> None:
    assert '<details class="short">' in folded("T", table(["a"], [["1"]] * 5))
    assert "<details>" in folded("T", table(["a"], [["1"]] * 50))


def test_that_only_a_broad_drawing_gets_a_page_across() -> None:
    assert '<figure class="broad">' in figure('<svg viewBox="0.00 0.00 1500.00 600.00"></svg>', "c", number=1)
    for size in ("500.00 300.00", "1500.00 2000.00", "3000.00 100.00"):
        assert "<figure>" in figure(f'<svg viewBox="0.00 0.00 {size}"></svg>', "c", number=1)


def test_that_settings_of_searches_that_did_not_run_are_left_out(contents: ReportContents) -> None:
    html = render_report(contents)
    assert "<td>score: prior</td><td>empirical</td>" in html
    assert "<td>tries cliques</td><td>no</td>" in html
    assert "n_pairs" not in html
    assert "CIL" not in html
    assert "<td>CIL: n pairs</td>" in render_report(replace(contents, result=replace(contents.result, algorithm="cil")))


@pytest.mark.parametrize("project", sorted(SAMPLES.glob("*.latconf")), ids=lambda path: path.stem)
def test_that_a_project_of_every_version_is_reported(project: Path, tmp_path: Path) -> None:
    """Events of a learner that were kept without its result made an internal error."""
    assert command_line(["report", str(project), "--out", str(tmp_path / "report.html")]) == 0
    assert "<h1" in (tmp_path / "report.html").read_text(encoding="utf-8")
