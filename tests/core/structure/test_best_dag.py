"""The best DAG without latents, against every DAG of four variables and against what single moves could gain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest

from latconf_core.control import RunControl, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.structure import best_dag
from latconf_core.structure.best_dag import N_RANDOM_ORDERS, N_SHAKEN, choose_best, search_best_dag, shake
from latconf_core.structure.family_table import FamilyTable, order_of
from latconf_core.structure.hill_climber import climb
from latconf_core.structure.order_search import OrderSearch
from latconf_core.structure.parent_tree import ParentTree


def some_data(seed: int, n_variables: int = 4, n_rows: int = 300) -> Dataset:
    """Variables of two or three states, each following some of those before it."""
    rng = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    for k in range(n_variables):
        noise = rng.integers(3, size=n_rows)
        sources = [columns[j] for j in rng.choice(k, min(k, 2), replace=False)] if k else []
        columns.append(np.where(rng.random(n_rows) < 0.4, noise, sum(sources, noise)) % int(rng.integers(2, 4)))
    names = [f"V{k}" for k in range(n_variables)]
    codes = np.stack(columns, axis=1)
    return Dataset(names, [[str(s) for s in range(int(column.max()) + 1)] for column in codes.T], codes)


def table_of(data: Dataset, max_parents: int = 5) -> FamilyTable:
    return FamilyTable(data.n_variables, Scorer(data, VbemOptions()).family_score, max_parents=max_parents)


def every_dag(n: int) -> Iterator[tuple[int, ...]]:
    pairs = list(combinations(range(n), 2))
    for choice in product(range(3), repeat=len(pairs)):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from(pair[:: 1 if kind == 1 else -1] for pair, kind in zip(pairs, choice) if kind)
        if nx.is_directed_acyclic_graph(graph):
            yield tuple(sum(1 << parent for parent in graph.predecessors(v)) for v in range(n))


def is_acyclic(parents: tuple[int, ...]) -> bool:
    edges = [(a, b) for b, mask in enumerate(parents) for a in range(len(parents)) if mask >> a & 1]
    return bool(nx.is_directed_acyclic_graph(nx.DiGraph(edges)))


def test_that_the_best_of_all_dags_of_four_variables_is_found() -> None:
    dags = list(every_dag(4))
    assert len(dags) == 543
    for seed in range(12):
        table = table_of(some_data(seed))
        (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(0)))
        assert best.score == pytest.approx(max(table.total(dag) for dag in dags), abs=1e-6)
        assert best.score == pytest.approx(table.total(best.parents))


def test_that_no_single_move_improves_what_a_climb_reaches_and_it_stays_acyclic() -> None:
    for seed in range(6):
        table = table_of(some_data(seed, 6, 500), max_parents=2)
        reached = climb(table)
        assert is_acyclic(reached)
        assert max(mask.bit_count() for mask in reached) <= 2
        for child, parent in product(range(6), repeat=2):
            for changed in single_moves(reached, child, parent):
                if is_acyclic(changed) and max(mask.bit_count() for mask in changed) <= 2:
                    assert table.total(changed) <= table.total(reached) + 1e-6


def single_moves(dag: tuple[int, ...], child: int, parent: int) -> Iterator[tuple[int, ...]]:
    """One parent more or less, and the edge turned round where there is one."""
    if child == parent:
        return
    toggled = [mask ^ 1 << parent if v == child else mask for v, mask in enumerate(dag)]
    yield tuple(toggled)
    if dag[child] >> parent & 1:
        yield tuple(mask | 1 << child if v == parent else mask for v, mask in enumerate(toggled))


def test_that_an_order_search_never_loses_and_ends_where_no_place_is_better() -> None:
    table = table_of(some_data(3, 6, 500))
    search = OrderSearch(table)
    start = [5, 4, 3, 2, 1, 0]
    reached = search.improve(start)
    assert is_acyclic(reached)
    assert table.total(reached) >= table.total(search.parents_in(start))
    order = order_of(reached)
    for variable in range(6):
        others = [each for each in order if each != variable]
        for index in range(6):
            moved = [*others[:index], variable, *others[index:]]
            assert table.total(search.parents_in(moved)) <= table.total(reached) + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_that_scores_counted_together_lead_to_the_same_dags(seed: int) -> None:
    data = some_data(seed, 9, 400)
    names = data.names
    known = Knowledge(forbidden=((names[0], names[3]),), required=((names[1], names[5]),)).bind(names)
    for own in (None, known):
        reached = []
        for is_together in (False, True):
            scorer = Scorer(data, VbemOptions())
            row = scorer.family_row if is_together else None
            table = FamilyTable(9, scorer.family_score, max_parents=3, known=own, row=row)
            reached.append(list(search_best_dag(table, rng=np.random.default_rng(seed))))
        assert reached[0] == reached[1]


def test_that_every_move_is_to_the_first_of_the_best_places() -> None:
    """Against walks from nothing at every place."""
    for seed in range(5):
        table = table_of(some_data(seed, 7, 400))
        search = OrderSearch(table)
        order = np.random.default_rng(seed).permutation(7).tolist()
        for variable in range(7):
            others = [each for each in order if each != variable]
            totals = [
                table.total(search.parents_in([*others[:index], variable, *others[index:]])) for index in range(7)
            ]
            moved = search.improve(order, movable=1 << variable)
            assert table.total(moved) == pytest.approx(max(totals), abs=1e-8)


@pytest.mark.parametrize("is_together", [False, True])
def test_that_a_search_among_many_variables_has_something_to_show_from_the_first_moment(
    is_together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No edges before any pair is scored, then what a greedy search passes, each better than the last."""
    monkeypatch.setattr(best_dag, "MOST_WITHOUT_GREEDY", 8)
    data = some_data(3, 12, 600)
    scorer = Scorer(data, VbemOptions())
    asked: list[int] = []

    def score(child: int, parents: int) -> float:
        asked.append(parents)
        return scorer.family_score(child, parents)

    table = FamilyTable(12, score, max_parents=2, row=scorer.family_row if is_together else None)
    dags = search_best_dag(table, rng=np.random.default_rng(1), is_exact=False)
    first = next(dags)
    assert first.parents == (0,) * 12
    assert not any(asked)
    reached = [first, *dags]
    n_on_the_way = sum(one.is_on_the_way for one in reached)
    assert n_on_the_way > 3
    assert all(one.is_on_the_way for one in reached[:n_on_the_way])
    assert len(reached) - n_on_the_way == 2 + N_RANDOM_ORDERS + N_SHAKEN
    for scored in reached:
        assert is_acyclic(scored.parents)
        assert max(mask.bit_count() for mask in scored.parents) <= 2
        assert scored.score == pytest.approx(table.total(scored.parents))
    climbed = next(one for one in reached if not one.is_on_the_way)
    assert climbed.score >= max(candidate.score for candidate in reached[:n_on_the_way]) - 1e-6
    assert max(candidate.score for candidate in reached) >= table.total(climb(table)) - 20


def test_that_a_large_search_begins_with_what_knowledge_requires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_dag, "MOST_WITHOUT_GREEDY", 4)
    data = some_data(2, 7, 400)
    a, b, *_, c = data.names
    known = Knowledge(required=((c, a),), forbidden=((a, b), (b, a))).bind(data.names)
    scorer = Scorer(data, VbemOptions())
    table = FamilyTable(7, scorer.family_score, max_parents=3, known=known, row=scorer.family_row)
    for found in search_best_dag(table, rng=np.random.default_rng(1)):
        assert found.parents[0] >> 6 & 1
        assert not found.parents[1] & 1
        assert not found.parents[0] >> 1 & 1


def test_that_only_what_may_be_moved_is_moved() -> None:
    table = table_of(some_data(3, 6, 500))
    start = [5, 4, 3, 2, 1, 0]
    search = OrderSearch(table)
    still = search.improve(start, movable=0)
    assert still == search.parents_in(start)
    assert table.total(search.improve(start, movable=0b11)) >= table.total(still)


def test_that_choices_of_other_searches_with_the_same_scores_are_used_and_added_to() -> None:
    table = table_of(some_data(3, 6, 500))
    known = {v: ParentTree(v) for v in range(5)}
    alone = OrderSearch(table).improve(range(6))
    assert OrderSearch(table, known=known).improve(range(6)) == alone
    assert all(tree.n_nodes for tree in known.values())
    known[0] = ParentTree(0)  # of a variable that has no parents whatever comes before it
    known[0].choose(0b111110, FamilyTable(6, lambda _, parents: -parents.bit_count(), max_parents=5), lambda: None)
    assert OrderSearch(table, known=known).improve(range(6))[0] == 0


def test_that_a_shaken_order_holds_every_variable_once() -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 10):
        shaken = [shake(range(n), rng) for _ in range(30)]
        assert all(sorted(order) == list(range(n)) for order in shaken)
        assert n == 1 or any(order != list(range(n)) for order in shaken)


def test_that_shaking_the_best_order_gains_on_data_with_many_local_optima() -> None:
    data = sample(load_example("insurance"), 5000, rng=np.random.default_rng(1)).dataset
    dag = list(search_best_dag(table_of(data), rng=np.random.default_rng(0)))
    assert max(scored.score for scored in dag[6:]) > max(scored.score for scored in dag[:6]) + 50


def test_that_the_same_seed_gives_the_same_dags_and_the_best_are_different_ones() -> None:
    data = sample(load_example("child"), 500, rng=np.random.default_rng(1)).dataset
    runs = [choose_best(search_best_dag(table_of(data), rng=np.random.default_rng(7)), 3) for _ in range(2)]
    assert runs[0] == runs[1]
    assert len({run.parents for run in runs[0]}) == len(runs[0])
    assert [run.score for run in runs[0]] == sorted((run.score for run in runs[0]), reverse=True)


def test_that_the_truth_is_no_better_than_what_is_found_on_much_data() -> None:
    network = load_example("asia")
    data = sample(network, 20_000, rng=np.random.default_rng(2)).dataset
    truth = tuple(sum(1 << data.index[parent] for parent in network.cpts[name].parents) for name in data.names)
    table = table_of(data)
    (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(0)))
    assert best.score >= table.total(truth) - 1e-6


def test_that_a_stop_is_heard_in_the_climb_and_in_the_order_search() -> None:
    table = table_of(some_data(1, 6))
    asked = iter(range(10**6))
    with pytest.raises(StopRequested):
        climb(table, checkpoint=RunControl(lambda: next(asked) > 20).checkpoint)
    again = iter(range(10**6))
    with pytest.raises(StopRequested):
        OrderSearch(table, checkpoint=RunControl(lambda: next(again) > 20).checkpoint).improve(range(6))
