"""Rows that no method saw: held out before anything is learned, or drawn anew from a known network."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import log, prod

import numpy as np
import pytest
from support.small_bench import NAMES, confounded, fill, small_plan

from latconf_core.bench.bench_data import BenchData, draw_example, with_truth
from latconf_core.bench.bench_plan import BenchOptions, BenchPlan, make_plan
from latconf_core.bench.bench_row import compare_with_truth
from latconf_core.bench.cell import CellResult
from latconf_core.bench.fresh_rows import N_FRESH, fresh_rows
from latconf_core.bench.mean_ranks import rank_methods
from latconf_core.bench.shared_work import split_rows
from latconf_core.comparison.subject import Subject, View
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.families.objectives import JUDGING
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.examples import load_example
from latconf_core.inference.held_out import declare_states
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.runner import run_search

FEW = SearchOptions(vbem=VbemOptions(restarts=2))


def asia_plan(n_fresh: int = 50, **changes: object) -> BenchPlan:
    options = BenchOptions(learners=("gfci",), searches=("no-latents",), options=FEW, fresh_rows=n_fresh)
    return make_plan([draw_example(ExampleChoice("asia", ("smoke",), 300))], replace(options, **changes))  # type: ignore[arg-type]


def direct_sum(network: BayesNet, row: dict[str, str]) -> float:
    """The log probability of a row: the product of all tables, summed over every joint state of the latents."""
    latents = sorted(network.latents)
    total = 0.0
    for hidden in product(*(network.states(name) for name in latents)):
        values = {**row, **dict(zip(latents, hidden))}
        total += prod(
            cpt.table[tuple(network.states(name).index(values[name]) for name in (*cpt.parents, variable))]
            for variable, cpt in network.cpts.items()
        )
    return log(total)


def test_that_fresh_rows_have_the_likelihood_of_a_direct_sum_over_tables_of_the_training_rows() -> None:
    plan = asia_plan()
    (cell,) = (cell for cell in plan.cells if cell.is_truth)
    assert cell.fresh is not None
    fresh = cell.fresh.draw()
    parts = split_rows(plan.data[0].dataset, plan.options.split)
    assert parts is not None
    for row in fill(plan)[0].rows():
        assert row.result.dag is not None
        declared = declare_states(declare_states(parts[0], parts[1]), fresh)
        network = Scorer(declared, JUDGING.apply(FEW.vbem)).posterior(row.result.dag).network()
        logs = [
            direct_sum(network, {name: fresh.states[i][code] for i, (name, code) in enumerate(zip(fresh.names, codes))})
            for codes in fresh.codes.tolist()
        ]
        assert row.result.fresh == pytest.approx(np.mean(logs), abs=1e-9)
        assert row.result.fresh_error == pytest.approx(np.std(logs, ddof=1) / np.sqrt(50), abs=1e-9)
        assert row.result.fresh_logs is not None
        assert row.result.fresh_logs.values == pytest.approx(logs, abs=1e-6)


def test_that_the_rows_held_out_change_nothing_that_is_found() -> None:
    """The same training rows with other held-out rows give the same PAG, DAG and score."""
    plan = small_plan("hclc-v", "no-latents", n_rows=100)
    data = plan.data[0]
    n_test = round(plan.options.split.test_share * 100)
    test_rows = np.random.default_rng(plan.options.split.seed).permutation(100)[:n_test]
    codes = data.dataset.codes.copy()
    codes[test_rows] = 1 - codes[test_rows]
    other = make_plan([BenchData(data.name, Dataset(NAMES, data.dataset.states, codes), data.truth)], plan.options)
    mine = {row.cell.method: row.result for row in fill(plan)[0].rows() if row.cell.data == data.name}
    theirs = {row.cell.method: row.result for row in fill(other)[0].rows()}
    for method, result in mine.items():
        assert (result.dag, result.p_elbo) == (theirs[method].dag, theirs[method].p_elbo)
        if result.pag is not None:
            assert result.pag.graph == theirs[method].pag.graph  # type: ignore[union-attr]
        assert result.held_out != theirs[method].held_out


def test_that_the_table_of_the_paper_searches_all_rows_and_holds_none_out() -> None:
    plan = asia_plan(preset="paper")
    table, _ = fill(plan)
    (row,) = table.rows()  # the true DAG is no row of it
    whole = plan.data[0].dataset
    alone = run_search(
        whole, Subject("", LatentDag(whole.names)).pag, "no-latents", options=replace(FEW, objective="paper")
    )  # type: ignore[arg-type]
    assert (row.result.p_elbo, row.result.dag, row.result.n_rows) == (alone.p_elbo, alone.best, 300)
    assert row.true_p_elbo == Scorer(whole, FEW.vbem).score(plan.data[0].truth.dag).p_elbo  # type: ignore[union-attr, arg-type]
    assert (row.result.held_out, row.result.fresh) == (None, None)
    ranks = table.to_json()["mean_ranks"]
    assert (ranks["p_elbo"]["ranks"], ranks["held_out"]["ranks"]) == ({"no-latents": 1.0}, {})


def test_that_fresh_rows_are_of_a_seed_hidden_variables_left_out_and_not_those_of_the_example() -> None:
    network = load_example("asia")
    drawn = sample(network, 200, rng=np.random.default_rng(1), hide=["smoke"])
    source = fresh_rows(network, drawn.dataset, n_rows=200, seed=1)
    assert "smoke" not in source.draw().names
    assert (source.draw().codes == source.draw().codes).all()
    assert not (source.draw().codes == drawn.dataset.codes).all(axis=0).any()  # no column is drawn by the same numbers
    assert source == fresh_rows(network, drawn.dataset, n_rows=200, seed=1)
    assert source != replace(source, seed=2)
    assert source != fresh_rows(load_example("cancer"), drawn.dataset, n_rows=200, seed=1)
    assert fresh_rows(network, drawn.dataset).n_rows == N_FRESH == 20_000


def test_that_a_network_without_the_states_of_a_table_gives_no_fresh_rows_and_a_note() -> None:
    dataset = draw_example(ExampleChoice("asia", ("smoke",), 30)).dataset
    assert with_truth("asia_smoke", dataset, stem="asia_smoke").network is not None
    coded = Dataset(dataset.names, [("0", "1")] * dataset.n_variables, dataset.codes)
    data = with_truth("asia_smoke", coded, stem="asia_smoke")
    assert data.truth is not None
    assert data.network is None
    assert "no fresh rows" in data.notes[0]


@pytest.mark.parametrize(("view", "distance"), [("PAG", 0), ("MAG", 3)])
def test_that_a_markov_equivalent_dag_has_distance_zero_as_pag_and_not_as_mag(view: View, distance: int) -> None:
    chain = LatentDag(NAMES, [("A", "B"), ("B", "C"), ("C", "D")])
    turned = LatentDag(NAMES, [("D", "C"), ("C", "B"), ("B", "A")])
    data = BenchData("chain", confounded(60, 1), Subject("truth", chain))
    cell = asia_plan().cells[-1]
    against = compare_with_truth(data, cell, CellResult("finished", dag=turned), view=view)
    assert against is not None
    assert against.shd == distance


@pytest.mark.slow
@pytest.mark.parametrize("rows", [2000, 5000])
def test_that_the_true_dag_is_first_or_second_by_fresh_rows(rows: int) -> None:
    """Its tables are fitted on the training rows like those of every other; two networks, three searches."""
    data = [
        draw_example(ExampleChoice(name, (hidden,), rows)) for name, hidden in (("asia", "smoke"), ("sachs", "PKC"))
    ]
    options = BenchOptions(learners=("gfci",), searches=("no-latents", "hclc-v", "hc"), options=FEW)
    table, _ = fill(make_plan(data, options))
    standings = [row.fresh for row in table.rows() if row.cell.is_truth]
    assert len(standings) == 2
    assert all(standing is not None and standing.rank <= 2 for standing in standings)
    assert list(rank_methods(table.rows(), "fresh").ranks).index("truth") <= 1
