"""What holds of every learning run: events, budgets, stopping, and what may not change the answer."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from support.pag_cases import NEED_POSSIBLE_DSEP, drawn

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.counts.families import counting_table
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import DataError, OptionError
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.contingency import WORK_BETWEEN_CHECKPOINTS, ContingencyTest
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions, pag_preset
from latconf_core.pag.events import (
    ColliderOriented,
    EdgeRemoved,
    EdgeRepaired,
    LearnedPag,
    MarkChanged,
    PagLearned,
)
from latconf_core.pag.learners.catalogue import LEARNERS, learn_pag, run_learner, warm_up

METHODS: tuple[str, ...] = tuple(LEARNERS)


@pytest.fixture(scope="module")
def data() -> Dataset:
    """Alarm without three of its variables: enough structure for every phase to have work."""
    network = load_example("alarm")
    return sample(network, 800, rng=np.random.default_rng(5), hide=["INTUBATION", "LVFAILURE", "KINKEDTUBE"]).dataset


def crowd(n_variables: int, n_rows: int = 2000) -> Dataset:
    """Noisy copies of one hidden variable: no set separates any two."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(4, size=n_rows)
    columns = [np.where(rng.random(n_rows) < 0.8, hidden, rng.integers(4, size=n_rows)) for _ in range(n_variables)]
    names = [f"V{v}" for v in range(n_variables)]
    return Dataset(names, [list("abcd")] * n_variables, np.stack(columns, axis=1))


def what_was_found(result: LearnedPag) -> tuple[object, ...]:
    return result.graph, dict(result.sepsets), result.n_tests, result.truncated, result.notes, result.ambiguous


@pytest.mark.parametrize("method", METHODS)
def test_that_order_of_rows_and_names_of_states_change_nothing(data: Dataset, method: str) -> None:
    rng = np.random.default_rng(1)
    options = PagOptions(method=method)
    truth = what_was_found(run_learner(data, options))
    shuffled = Dataset(data.names, data.states, rng.permutation(data.codes))
    relabelled = np.stack([rng.permutation(card)[data.codes[:, v]] for v, card in enumerate(data.n_states)], axis=1)
    renamed = Dataset(data.names, [[f"new {k}" for k in range(card)] for card in data.n_states], relabelled)
    assert what_was_found(run_learner(shuffled, options)) == truth
    assert what_was_found(run_learner(renamed, options)) == truth


def test_that_the_order_of_columns_changes_no_adjacency_of_the_skeleton(data: Dataset) -> None:
    options = PagOptions(possible_dsep=False)
    graph = run_learner(data, options).graph
    for seed in range(3):
        names = [str(name) for name in np.random.default_rng(seed).permutation(data.names)]
        other = run_learner(data.select(names), options).graph.reordered(data.names)
        assert ((other.marks > 0) == (graph.marks > 0)).all()


@pytest.mark.parametrize("method", METHODS)
def test_that_the_last_event_alone_has_the_result_and_all_can_be_sent_elsewhere(data: Dataset, method: str) -> None:
    events = list(learn_pag(data, PagOptions(method=method)))
    assert [isinstance(event, PagLearned) for event in events] == [False] * (len(events) - 1) + [True]
    assert pickle.loads(pickle.dumps(events)) == events


@pytest.mark.parametrize("method", METHODS)
def test_that_the_events_tell_the_whole_story(data: Dataset, method: str) -> None:
    """Removals, colliders and rules, replayed on a complete graph of circles, give the learned graph."""
    events = list(learn_pag(data, PagOptions(method=method)))
    result = events[-1].result  # type: ignore[union-attr]
    graph = np.array(result.graph.marks > 0, dtype=np.uint8)
    for event in events:
        if isinstance(event, EdgeRemoved):
            assert result.sepsets[tuple(sorted((event.x, event.y), key=data.index.__getitem__))] == event.given  # type: ignore[index]
            assert not result.graph.is_adjacent(event.x, event.y)
        elif isinstance(event, ColliderOriented):
            for end in (event.a, event.c):
                graph[data.index[end], data.index[event.b]] = Mark.ARROW
        elif isinstance(event, MarkChanged):
            first, second = data.index[event.after.first], data.index[event.after.second]
            assert (graph[second, first], graph[first, second]) == (event.before.at_first, event.before.at_second)
            graph[second, first], graph[first, second] = event.after.at_first, event.after.at_second
        elif isinstance(event, EdgeRepaired):
            first, second = (data.index[name] for name in event.ends)
            after = event.after
            graph[second, first], graph[first, second] = (0, 0) if after is None else (after.at_first, after.at_second)
    if method != "rfci":  # which may orient an edge and then remove it
        assert MixedGraph(data.names, graph) == result.graph


def test_that_a_rule_says_why() -> None:
    dag = LatentDag("ABCD", [("A", "C"), ("B", "C"), ("C", "D")])
    (change,) = (event for event in learn_pag(DSeparationOracle(dag)) if isinstance(event, MarkChanged))
    assert (change.rule, str(change.before), str(change.after), change.path) == (
        "R1",
        "C o-o D",
        "C --> D",
        tuple("ACD"),
    )
    assert change.why == "A has an arrowhead into C and no edge with D: C is not a collider between them"


def test_that_a_dense_graph_ends_within_the_budget_of_the_skeleton() -> None:
    options = PagOptions(method="rfci", skeleton_tests=3000)
    result = run_learner(crowd(14), options)
    assert result.n_tests <= 3000 + 100  # RFCI tests a little more afterwards
    assert result.truncated
    assert result.notes == (
        "The skeleton search stopped after its budget of 3,000 tests, at conditioning sets of 2 variables: "
        "some edges may be superfluous.",
    )


def test_that_possible_dsep_ends_within_its_budget_and_says_so(data: Dataset) -> None:
    without = run_learner(data, PagOptions(possible_dsep=False))
    result = run_learner(data, PagOptions(possible_dsep_tests=50))
    assert without.n_tests < result.n_tests <= without.n_tests + 50
    assert result.truncated
    assert "budget of 50 tests" in result.notes[0]


def test_that_a_limit_on_the_size_of_possible_dsep_sets_is_told_where_it_cuts(data: Dataset) -> None:
    result = run_learner(data, PagOptions(possible_dsep_size=1))
    assert result.truncated
    assert "sets of up to 1 variables" in result.notes[0]


@pytest.mark.parametrize("method", ["cfci", "mfci"])
def test_that_listing_separating_sets_ends_within_its_budget(data: Dataset, method: str) -> None:
    options = PagOptions(method=method, possible_dsep=False)
    result = run_learner(data, replace(options, collider_tests=20))
    assert result.n_tests <= run_learner(data, replace(options, method="fci")).n_tests + 20
    assert result.truncated
    assert "treated as ambiguous" in result.notes[0]
    assert len(result.ambiguous) > len(run_learner(data, options).ambiguous)


def test_that_a_largest_conditioning_set_is_kept_to(data: Dataset) -> None:
    result = run_learner(data, PagOptions(max_conditioning=1))
    assert max(len(given) for given in result.sepsets.values()) == 1
    assert result.truncated


def test_that_budgets_do_not_apply_to_an_oracle() -> None:
    dag = drawn(NEED_POSSIBLE_DSEP[0])
    free = run_learner(DSeparationOracle(dag), PagOptions())
    limited = run_learner(
        DSeparationOracle(dag), PagOptions(possible_dsep_tests=0, possible_dsep_size=0, skeleton_tests=1)
    )
    assert limited.graph == free.graph
    assert not limited.truncated


@pytest.mark.parametrize("method", METHODS)
def test_that_cancelling_ends_the_run(data: Dataset, method: str) -> None:
    asked = iter(range(10**9))
    control = RunControl(lambda: next(asked) > 200)
    with pytest.raises(StopRequested) as stopped:
        run_learner(data, PagOptions(method=method), control=control)
    assert stopped.value.reason is StopReason.CANCELLED


@pytest.mark.slow
@pytest.mark.parametrize("method", [name for name in METHODS if name != "miic"])  # which counts in pyAgrum
def test_that_a_run_asks_whether_to_stop_after_a_bounded_amount_of_counting(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = load_example("alarm")
    large = sample(network, 20_000, rng=np.random.default_rng(0), hide=["INTUBATION"]).dataset
    n_rows = len(counting_table(large)[0])
    gaps = [0]  # rows counted between one checkpoint and the next
    test_subsets, log_score = ContingencyTest._test_subsets, DiscreteFamilies.log_score

    def noted_tests(test: ContingencyTest, *args: object, **kwargs: object) -> tuple[int, int, float]:
        subsets = test_subsets(test, *args, **kwargs)  # type: ignore[arg-type]
        gaps[-1] += subsets[1] * n_rows
        return subsets

    def noted_score(families: DiscreteFamilies, child: int, parents: int) -> float:
        gaps[-1] += n_rows
        return log_score(families, child, parents)

    monkeypatch.setattr(ContingencyTest, "_test_subsets", noted_tests)
    monkeypatch.setattr(DiscreteFamilies, "log_score", noted_score)
    run_learner(large, PagOptions(method=method), control=RunControl(lambda: bool(gaps.append(0))))
    assert sum(gaps) > 100 * n_rows
    assert max(gaps) <= WORK_BETWEEN_CHECKPOINTS


def test_that_the_paper_presets_are_what_they_are_named_after() -> None:
    fci = pag_preset("paper-fci")
    assert (fci.method, fci.statistic, fci.degrees_of_freedom, fci.alpha) == ("fci", "g-square", "full-guard", 0.05)
    assert (fci.possible_dsep_size, fci.possible_dsep_tests, fci.complete_rules) == (None, None, True)
    gfci = pag_preset("paper-gfci")
    assert (gfci.method, gfci.statistic, gfci.degrees_of_freedom) == ("gfci", "chi-square", "adaptive")
    assert (gfci.sample_prior, gfci.structure_prior, gfci.structure_prior_over) == (15, 1, "variables")
    assert (gfci.faithfulness, gfci.complete_rules) == (True, False)
    assert pag_preset("paper-fci", "rfci").method == "rfci"
    with pytest.raises(OptionError, match="paper-fci"):
        pag_preset("paper")


def test_that_data_without_rows_are_refused() -> None:
    empty = Dataset(["A", "B"], [["a"], ["b"]], np.zeros((0, 2), dtype=int))
    with pytest.raises(DataError, match="no rows"):
        run_learner(empty)


@pytest.mark.parametrize("method", METHODS)
def test_that_one_variable_and_constant_columns_give_no_edges(method: str) -> None:
    alone = Dataset(["A"], [["a", "b"]], np.array([[0], [1]]))
    assert run_learner(alone, PagOptions(method=method)).graph.n_edges == 0
    constant = Dataset(["A", "B"], [["a"], ["b", "c"]], np.array([[0, 0], [0, 1], [0, 1]]))
    assert run_learner(constant, PagOptions(method=method)).graph.n_edges == 0


def test_that_nothing_is_left_to_compile_after_warming_up(data: Dataset) -> None:
    from latconf_core.counts import kernels as scores
    from latconf_core.independence import kernels as tests

    warm_up()
    compiled = len(tests.search_subsets.signatures), len(scores.family_score.signatures)
    small = data.select(data.names[:6])
    run_learner(small, PagOptions())
    run_learner(small, PagOptions(method="gfci"))
    assert (len(tests.search_subsets.signatures), len(scores.family_score.signatures)) == compiled
