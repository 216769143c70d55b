"""Searches of data with missing cells: on completed rows, in rounds, with what a reader must know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latconf_core.control import RunControl, StopReason
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.facts import TableFacts
from latconf_core.density.fit_density import fit_density
from latconf_core.errors import DataError
from latconf_core.graph.mixed import empty_graph
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.association import associations
from latconf_core.score.scorer import Scorer
from latconf_core.search import complete_rows
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.complete_rows import find_zone
from latconf_core.search.model_facts import facts_of
from latconf_core.search.outcome.events import SearchFinished, SearchStarted
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search, start_search

CHILDREN = {"A", "B", "C", "D"}


NAMES = "ABCDE"


def confounded(n_rows: int, seed: int) -> Dataset:
    """Four noisy copies of a hidden bit, and one of the first."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(2, size=n_rows)
    copies = [np.where(rng.random(n_rows) < 0.85, hidden, 1 - hidden) for _ in range(4)]
    last = np.where(rng.random(n_rows) < 0.8, copies[0], 1 - copies[0])
    return Dataset(NAMES, [("no", "yes")] * 5, np.stack([*copies, last], axis=1))


def with_gaps(share: float = 0.1, n_rows: int = 600, seed: int = 3) -> Dataset:
    data = confounded(n_rows, seed)
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random(data.codes.shape) < share, -1, data.codes.astype(int))
    return Dataset(data.names, data.states, codes)


@pytest.fixture(scope="module")
def result() -> SearchResult:
    return run_search(with_gaps(), empty_graph(NAMES), "auto", options=SearchOptions(seed=1))


def test_that_a_hidden_cause_is_found_under_missing_cells(result: SearchResult) -> None:
    assert result.best is not None
    assert [set(latent.children) for latent in result.best.latents] == [CHILDREN]
    (evidence,) = result.evidence
    assert evidence.support == "strong"
    assert evidence.on_complete is not None
    assert evidence.on_complete.support == "strong"
    data = with_gaps()
    columns = [data.index[name] for name in find_zone(evidence.latent, result.best)]
    assert evidence.on_complete.n_rows == int((data.codes[:, columns] >= 0).all(axis=1).sum())


def test_that_the_result_says_what_completing_took(result: SearchResult) -> None:
    data, report = with_gaps(), result.completion
    assert report is not None
    assert result.dataset_digest == data.digest
    assert report.rows == 600
    assert report.missing_cells == int((data.codes < 0).sum())
    assert report.incomplete_rows == int((data.codes < 0).any(axis=1).sum())
    assert report.completions >= report.incomplete_rows
    assert 0 <= report.mass_left_out < 0.01
    assert 1 <= report.rounds <= 5


def test_that_rows_get_the_mean_over_their_completions(result: SearchResult) -> None:
    assert result.posterior is not None
    shares = result.posterior.responsibilities("L1")
    assert shares.shape == (600, 2)
    assert np.allclose(shares.sum(axis=1), 1)


def test_that_the_json_form_comes_back(result: SearchResult) -> None:
    content = json.loads(json.dumps(result.to_json()))
    again = SearchResult.from_json(content, history=result.history)
    assert (again.completion, again.repeats, again.evidence) == (result.completion, result.repeats, result.evidence)


def test_that_no_missing_cells_give_what_the_search_gives_without() -> None:
    complete = confounded(300, 3)
    result = run_search(complete, empty_graph(NAMES), "refine")
    assert result.completion is None
    again = run_search(
        Dataset(complete.names, complete.states, complete.codes.astype(int)), empty_graph(NAMES), "refine"
    )
    assert (again.history, again.evidence) == (result.history, result.evidence)


@pytest.mark.parametrize("search", [name for name, method in SEARCHES.items() if method.takes_missing])
def test_that_every_search_that_takes_missing_cells_ends_once(search: str) -> None:
    data = with_gaps(n_rows=200)
    needs = SEARCHES[search].needs_pag
    pag = learned_from_rows(data, PagOptions(method="gfci")).graph if needs else empty_graph(data.names)
    events = [*start_search(data, pag, search)]
    assert sum(isinstance(event, SearchFinished) for event in events) == 1
    assert sum(isinstance(event, SearchStarted) for event in events) == 1
    assert isinstance(events[-1], SearchFinished)
    assert events[-1].result.best is not None


@pytest.mark.parametrize("search", [name for name, method in SEARCHES.items() if not method.takes_missing])
def test_that_searches_that_fill_in_latents_alone_refuse_missing_cells(search: str) -> None:
    with pytest.raises(DataError, match="missing: drop"):
        run_search(with_gaps(), empty_graph(NAMES), search)


def test_that_densities_and_scorers_refuse_missing_cells() -> None:
    with pytest.raises(DataError, match="missing: drop"):
        next(fit_density(with_gaps(), "vae"))
    with pytest.raises(ValueError, match="complete the rows"):
        Scorer(with_gaps(), SearchOptions().vbem).family_score(0, 0)


def test_that_a_stopped_run_still_ends_with_a_result() -> None:
    stopped = RunControl(is_cancelled=lambda: True)
    *_, last = start_search(with_gaps(), empty_graph(NAMES), "auto", control=stopped)
    assert isinstance(last, SearchFinished)
    assert last.result.stop_reason is StopReason.CANCELLED


def test_that_a_claim_near_filled_in_cells_is_weak_evidence_at_most() -> None:
    data = confounded(600, 3)
    plain = run_search(data, empty_graph(NAMES), "refine")
    assert [latent_evidence.support for latent_evidence in plain.evidence] == ["strong"]
    filled = data.with_facts(TableFacts(filled_in=frozenset("B")))
    (capped,) = run_search(filled, empty_graph(NAMES), "refine").evidence
    assert (capped.support, "filled in" in capped.warnings) == ("weak", True)
    elsewhere = data.with_facts(TableFacts(filled_in=frozenset("E")))
    assert [
        latent_evidence.support for latent_evidence in run_search(elsewhere, empty_graph(NAMES), "refine").evidence
    ] == ["strong"]


def test_that_claims_on_copied_rows_are_weak_until_the_user_says_they_are_real() -> None:
    data = confounded(600, 3)
    copied = Dataset(data.names, data.states, np.repeat(data.codes, 4, axis=0))
    result = run_search(copied, empty_graph(NAMES), "refine")
    assert result.repeats is not None
    assert result.repeats.divisor % 4 == 0
    assert {latent_evidence.support for latent_evidence in result.evidence} <= {"weak", "none"}
    assert [latent_evidence.limits for latent_evidence in result.evidence] == [("copied rows",)]
    accepted = run_search(copied.with_facts(TableFacts(rows_are_real=True)), empty_graph(NAMES), "refine")
    assert accepted.repeats is not None
    assert accepted.repeats.is_accepted
    assert [latent_evidence.limits for latent_evidence in accepted.evidence] == [()]


def test_that_complete_rows_are_asked_under_the_knowledge_of_the_run(
    result: SearchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    knowledge = Knowledge(tiers=(("D",), ("C",), ("B",), ("A",), ("E",)))
    judge, references = complete_rows.judge_dag, []

    def watch(*args: Any, known: BoundKnowledge, **named: Any) -> Iterator[tuple[LatentEvidence, ...]]:
        references.append(args[3].parents)
        assert known == knowledge.bind(args[0].dataset.names)
        yield from judge(*args, known=known, **named)

    monkeypatch.setattr(complete_rows, "judge_dag", watch)
    assert result.best is not None
    bound = replace(result, best=LatentDag(NAMES, [("A", "E")], result.best.latents), knowledge=knowledge)
    complete_rows.check_on_complete_rows(bound, with_gaps(), control=RunControl())
    (parents,) = references
    assert any(parents)
    assert all(mask < 1 << 4 and mask >> v << v == mask for v, mask in enumerate(parents)), "D, C, B, A in time"


def test_that_too_few_complete_rows_cannot_be_asked() -> None:
    result = run_search(with_gaps(share=0.35, n_rows=900), empty_graph(NAMES), "refine")
    for one in result.evidence:
        assert one.on_complete is None or one.on_complete.support is None or one.on_complete.n_rows >= 450


def test_that_a_claim_is_asked_of_rows_that_each_side_completes() -> None:
    rng = np.random.default_rng(8)
    columns = [rng.integers(3, size=1500)]
    for _ in range(3):
        columns.append(np.where(rng.random(1500) < 0.7, columns[-1], rng.integers(3, size=1500)))
    codes = np.where(rng.random((1500, 4)) < 0.2, -1, np.stack(columns, axis=1))
    chain = Dataset("ABCD", [("0", "1", "2")] * 4, codes)
    latent = Latent("L1", 2, ("A", "B", "C", "D"))
    claim = LatentEvidence(latent, (), 20.0, "strong")
    found = run_search(chain, empty_graph(chain.names), "no-latents")
    claiming = replace(found, best=LatentDag(chain.names, [], [latent]), evidence=(claim,))
    (checked,) = complete_rows.check_on_complete_rows(claiming, chain, control=RunControl()).evidence
    assert checked.density is not None
    assert checked.density < 0, "nothing is hidden, and edges explain the chain"
    assert checked.support == "none"


def test_that_associations_count_completions_by_their_weight(result: SearchResult) -> None:
    assert result.posterior is not None
    found = associations(result.posterior, "L1")
    assert {one.variable for one in found} == set(NAMES)
    latent = result.posterior.latents["L1"]
    _, weights = latent.weighted_rows(result.posterior.dataset)
    assert weights.sum() == pytest.approx(600)
    facts = [*facts_of(with_gaps(), result, result.best)]  # type: ignore[arg-type]
    assert facts[-1].is_complete
