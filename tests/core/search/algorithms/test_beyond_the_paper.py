"""What ILC-V does beyond the paper where it is asked to, and how Auto chooses a search of its PAG."""

from __future__ import annotations

from itertools import combinations

import pytest
from support.builders import mixed
from support.hidden_causes import confounded_data
from support.search_runs import made_up_run

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.auto import choose_search
from latconf_core.search.algorithms.clique_candidates import list_cliques, with_cause
from latconf_core.search.algorithms.ilc import ilc_v
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search, run_to_end

CHAIN = mixed("A o-> B", "C o-> B", "C o-> D", "E o-> D")
HIDDEN = "ABCD"


def valley(dag: LatentDag) -> float:
    """Worse with one latent, much better with two and more."""
    return {0: 0.0, 1: -1.0}.get(len(dag.latents), 10.0)


def result_of(**options: int) -> SearchResult:
    run = made_up_run(CHAIN, valley, options=SearchOptions(max_states=2, **options))  # type: ignore[arg-type]
    *_, last = run_to_end(ilc_v(run), run)
    assert isinstance(last, SearchFinished)
    return last.result


def test_that_the_papers_search_stops_before_a_valley_and_a_patient_one_crosses_it() -> None:
    assert result_of().p_elbo == 0.0
    patient = result_of(levels_without_gain=2)
    assert patient.p_elbo == 10.0
    assert max(patient.history.per_level()) > max(result_of().history.per_level())


def test_that_cliques_of_three_to_seven_are_listed_small_ones_first() -> None:
    four = mixed(*(f"{a} o-o {b}" for a, b in combinations("ABCD", 2)), "D o-o E")
    assert list_cliques(four, most=100) == [0b0111, 0b1011, 0b1101, 0b1110, 0b1111]
    assert list_cliques(four, most=2) == [0b0111, 0b1011]
    assert list_cliques(mixed("A o-o B", "B o-o C"), most=100) == []


def test_that_a_cause_of_a_clique_takes_the_place_of_what_is_inside_it() -> None:
    before = BitDag((0, 0b0001, 0b0011, 0b0100), (Hidden(0b0011), Hidden(0b1100)))
    after = with_cause(before, 0b0111)
    assert after.parents == (0, 0, 0, 0b0100)
    assert after.latents == (Hidden(0b0111), Hidden(0b1100))


def test_that_cliques_find_a_cause_of_four_that_the_papers_search_misses() -> None:
    data = confounded_data(0)
    clique = mixed(*(f"{a} o-o {b}" for a, b in combinations(HIDDEN, 2)), "A o-o E", "B o-o F")
    paper = SearchOptions(seed=1, max_bidirected=1, max_states=2)
    look = run_search(data, clique, "ilc-v", options=paper)
    assert look.history.best_with_latents is not None
    beyond = run_search(
        data, clique, "ilc-v", options=SearchOptions(seed=1, max_bidirected=1, max_states=2, tries_cliques=True)
    )
    assert [one.latent.children for one in beyond.evidence] == [tuple(HIDDEN)]
    assert beyond.p_elbo is not None
    assert look.p_elbo is not None
    assert beyond.p_elbo > look.p_elbo + 3


@pytest.mark.parametrize(("n_edges", "name"), [(3, "ilc-v"), (24, "hclc-v")])
def test_that_auto_lists_few_mags_and_climbs_among_many(n_edges: int, name: str) -> None:
    names = [f"V{k:02}" for k in range(n_edges + 1)]
    pairs = list(combinations(names[:8], 2))[:n_edges]
    run = made_up_run(mixed(*(f"{a} o-o {b}" for a, b in pairs), nodes=names[:8]), valley)
    assert choose_search(run) == name
