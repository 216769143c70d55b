"""Other cut points: what is cut and searched, what counts as having survived, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from latconf_core.control import RunControl, StopReason
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.other_cuttings import other_cuttings
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.raw_table import ColumnBuilder, RawTable
from latconf_core.errors import DataError, OptionError
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.cut_outcomes import CutOutcome
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.stability.other_cuts import OtherCuts, OtherCutsFinished, start_other_cuts, survival_of
from latconf_core.wording.cut_sentences import cut_lines

N_ROWS = 600
CUT = Preparation(discretise=(("age", Discretisation("k-means", 3)),))


@cache
def effects_and_age() -> RawTable:
    """Four effects of one hidden cause, and a number that depends on the first."""
    rng = np.random.default_rng(1)
    cause = rng.integers(2, size=N_ROWS)
    effects = [np.where(rng.random(N_ROWS) < 0.8, cause, rng.integers(2, size=N_ROWS)) for _ in range(4)]
    age = np.round(rng.normal(40 + 15 * effects[0], 12), 2)
    columns = []
    for own in (*effects, age):
        texts, codes = np.unique(own.astype(str), return_inverse=True)
        builder = ColumnBuilder()
        builder.add(codes, list(texts))
        columns.append(builder.build())
    return RawTable((*"ABCD", "age"), tuple(columns))


@cache
def run_of() -> SearchResult:
    dataset = prepare(effects_and_age(), CUT).dataset
    return run_search(dataset, empty_graph(dataset.names), "refine", options=SearchOptions(seed=7))


def search(**more: object) -> OtherCuts:
    cuttings = other_cuttings(effects_and_age(), CUT, run_of().dataset_digest)
    *_, last = start_other_cuts(run_of(), cuttings, **more)  # type: ignore[arg-type]
    assert isinstance(last, OtherCutsFinished)
    return last.cuts


@pytest.mark.slow
def test_that_a_hidden_cause_of_uncut_variables_survives_every_other_cutting() -> None:
    cuts = search()
    assert [outcome.title for outcome in cuts.outcomes] == [
        "equal width",
        "equal frequency",
        "one interval more",
        "one interval fewer",
    ]
    known = replace(run_of(), other_cuts=cuts.outcomes)
    survival = survival_of(known)
    assert survival is not None
    (claim,) = survival.latents
    assert (claim.children, claim.n_half, claim.n_exact) == (("A", "B", "C", "D"), 4, 4)
    (edge,) = [pair for pair in survival.pairs if "age" in (pair.a, pair.b)]
    assert edge.n_joined == 4
    assert "L1 (A, B, C, D) is supported in 4 of 4, always with the same children." in cut_lines(known)
    assert search(n_workers=2).outcomes == cuts.outcomes


def test_that_a_search_that_is_cancelled_keeps_what_was_done() -> None:
    cuts = search(control=RunControl(lambda: True))
    assert cuts.outcomes == ()
    assert cuts.stop_reason is StopReason.CANCELLED


def test_that_a_claim_survives_only_where_a_supported_one_has_half_of_its_children() -> None:
    own = run_of()
    assert own.best is not None
    nodes, edges = own.best.nodes, own.best.edges

    def outcome(title: str, children: str, support: str, kept: bool = True) -> CutOutcome:
        dag = LatentDag(nodes, edges if kept else (), [Latent("L1", 2, tuple(children))])
        return CutOutcome(title, dag, (support,))  # type: ignore[arg-type]

    known = replace(
        own,
        other_cuts=(
            outcome("same", "ABCD", "strong"),
            outcome("near", "ABC", "strong"),
            outcome("unsupported", "ABCD", "weak", kept=False),
            CutOutcome("failed", failure="the graph allows no DAG"),
        ),
    )
    survival = survival_of(known)
    assert survival is not None
    (claim,) = survival.latents
    assert (claim.n_samples, claim.n_half, claim.n_exact) == (3, 2, 1)
    assert [latent.children for latent in survival.new] == [("A", "B", "C")]
    assert {pair.n_joined for pair in survival.pairs} == {2}
    lines = cut_lines(known, {"L1": "Illness"})
    assert lines[0] == "Searched again with 3 other cuttings: same, near, unsupported."
    assert "Illness (A, B, C, D) is supported in 2 of 3, with the same children in 1." in lines
    assert lines[-1] == "Left out: failed: the graph allows no DAG."
    assert cut_lines(own) == []
    again = SearchResult.from_json(known.to_json(), history=known.history)
    assert again.other_cuts == known.other_cuts
    assert known.other_cuts is not None
    torn = {**known.to_json(), "other_cuts": [{**known.other_cuts[0].to_json(), "supports": []}]}
    with pytest.raises(ValueError, match="support for other latents"):
        SearchResult.from_json(torn, history=known.history)


def test_that_columns_are_cut_elsewhere_and_equal_tables_are_left_out() -> None:
    digest = run_of().dataset_digest
    cuttings = {
        other_cutting.title: other_cutting.dataset for other_cutting in other_cuttings(effects_and_age(), CUT, digest)
    }
    index = run_of().best.nodes.index("age")  # type: ignore[union-attr]
    assert {title: cutting.n_states[index] for title, cutting in cuttings.items()} == {
        "equal width": 3,
        "equal frequency": 3,
        "one interval more": 4,
        "one interval fewer": 2,
    }
    assert all(cutting.ordered["age"].is_cut for cutting in cuttings.values())
    halves = Preparation(discretise=(("age", Discretisation("equal frequency", 2)),))
    digest = prepare(effects_and_age(), halves).dataset.digest
    assert [other_cutting.title for other_cutting in other_cuttings(effects_and_age(), halves, digest)] == [
        "equal width",
        "one interval more",
    ]
    points = Preparation(discretise=(("age", Discretisation("cut points", cut_points=(30, 50))),))
    digest = prepare(effects_and_age(), points).dataset.digest
    assert len(other_cuttings(effects_and_age(), points, digest)) == 4


def test_that_what_cannot_be_cut_elsewhere_is_refused_in_a_sentence() -> None:
    whole = Preparation(set_aside=frozenset({"age"}))
    digest = prepare(effects_and_age(), whole).dataset.digest
    with pytest.raises(DataError, match="no column was cut from numbers"):
        other_cuttings(effects_and_age(), whole, digest)
    with pytest.raises(DataError, match="the run was on other data"):
        other_cuttings(effects_and_age(), whole, run_of().dataset_digest)
    with pytest.raises(OptionError, match="no other cuttings"):
        start_other_cuts(run_of(), [])
