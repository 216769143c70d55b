"""`latconf compare` as a person and a program call it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.builders import mixed
from support.small_runs import confounded, small_run

import latconf_core as latconf
from latconf_core.cli.main import main
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import write_dag, write_graph
from latconf_core.formats.run_folder import write_run
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

ASIA = ("asia", "tub", "lung", "bronc", "either", "xray", "dysp")


@pytest.fixture
def two_pags(tmp_path: Path) -> tuple[str, str]:
    write_graph(mixed("A o-> B", "B <-> C", "C --> D"), tmp_path / "first.txt")
    write_graph(mixed("A o-> B", "B o-> C", nodes=list("ABCD")), tmp_path / "second.txt")
    return str(tmp_path / "first.txt"), str(tmp_path / "second.txt")


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, object]:
    assert main(["compare", *args, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


def test_that_two_pags_are_compared_mark_by_mark(two_pags: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, *two_pags)
    (pair,) = answer["pairs"]  # type: ignore[misc]
    assert (pair["a"], pair["b"], pair["as"]) == (*two_pags, "as given")
    assert (pair["shd"], pair["adjacency"]["recall"], pair["bidirected"]["recall"]) == (2, pytest.approx(2 / 3), 0)
    assert (pair["p_elbo_difference"], pair["parts"]) == (None, None)


def test_that_variables_of_the_truth_that_the_graph_lacks_are_hidden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latent_dag = LatentDag(
        ASIA,
        [
            ("asia", "tub"),
            ("tub", "either"),
            ("lung", "either"),
            ("either", "xray"),
            ("either", "dysp"),
            ("bronc", "dysp"),
        ],
        [Latent("L1", 2, ("lung", "bronc"))],
    )
    write_dag(latent_dag, tmp_path / "found.json")
    (pair,) = told(capsys, str(tmp_path / "found.json"), "--truth", "asia")["pairs"]  # type: ignore[misc]
    assert (pair["shd"], pair["same_class"], pair["latents_wrong"]) == (0, True, 0)
    assert [(one["truth"], one["found"], one["exact"]) for one in pair["latents"]] == [("smoke", "L1", True)]


def test_that_with_data_the_parts_add_up_and_python_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = sample(load_example("asia"), 500, rng=np.random.default_rng(1), hide=["smoke"]).dataset
    write_dataset(data, tmp_path / "asia.csv")
    a = LatentDag(data.names, [("lung", "bronc"), ("either", "xray")])
    b = LatentDag(data.names, [("either", "xray")], [Latent("L1", 2, ("lung", "bronc"))])
    for name, dag in (("a", a), ("b", b)):
        write_dag(dag, tmp_path / f"{name}.json")
    (pair,) = told(capsys, str(tmp_path / "a.json"), str(tmp_path / "b.json"), "--data", str(tmp_path / "asia.csv"))[
        "pairs"
    ]  # type: ignore[misc]
    assert sum(part["difference"] for part in pair["parts"]) == pytest.approx(pair["score_difference"], abs=1e-6)
    (same,) = latconf.compare(a, b, data=data)
    assert same.score_difference == pytest.approx(pair["score_difference"], abs=1e-9)
    assert same.metrics.shd == pair["shd"]


def test_that_a_run_is_worth_what_it_was_reported_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = confounded()
    write_dataset(data, tmp_path / "data.csv")
    raised = tuple(replace(part, p_elbo=part.p_elbo + 2 * (len(part.variables) > 1)) for part in small_run().parts)
    write_run(replace(small_run(), parts=raised), tmp_path / "run")
    write_dag(LatentDag("ABC"), tmp_path / "empty.json")
    places = [str(tmp_path / "empty.json"), str(tmp_path / "run")]
    more = ("--data", str(tmp_path / "data.csv"), "--objective", "paper")  # as the run was scored
    (pair,) = told(capsys, *places, *more)["pairs"]  # type: ignore[misc]
    empty = Scorer(data, VbemOptions()).score(LatentDag("ABC")).p_elbo
    assert pair["p_elbo_difference"] == pytest.approx(sum(look.p_elbo for look in raised) - empty, abs=1e-6)


def test_that_a_graph_of_other_variables_is_named(
    two_pags: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "third.txt").write_text("A --> B\nB --> Z\n", encoding="utf-8")
    assert main(["compare", two_pags[0], str(tmp_path / "third.txt")]) == 2
    assert "third.txt has 'Z', which the others lack" in capsys.readouterr().err


@pytest.mark.parametrize("args", [[], ["--as", "mag"]])
def test_that_what_cannot_be_compared_is_said_with_the_remedy(
    two_pags: tuple[str, str], args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    graphs = two_pags if args else two_pags[:1]
    assert main(["compare", *graphs, *args]) == 2
    said = capsys.readouterr().err
    assert ("choose another way to compare" if args else "give a second one, or the truth with --truth") in said


def test_that_the_text_says_where_two_differ(two_pags: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *two_pags]) == 0
    said = capsys.readouterr().out
    assert "They differ in 2 edges." in said
    assert "other marks: B <-> C / B o-> C" in said
    assert "only in A: C --> D" in said
