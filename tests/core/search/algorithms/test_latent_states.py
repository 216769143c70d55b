"""The number of states of each latent is raised while that helps, in passes until nothing changes."""

from __future__ import annotations

from support.builders import mixed
from support.search_runs import made_up_run

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.searching import SearchOptions
from latconf_core.score.naming import to_bits
from latconf_core.search.algorithms.latent_states import search_states

PAG = mixed("A <-> B", "B <-> C")


def tried(scores: dict[tuple[int, ...], float], **options: int) -> list[tuple[int, ...]]:
    def score_of(dag: LatentDag) -> float:
        return scores.get(tuple(latent.n_states for latent in dag.latents), -100.0)

    run = made_up_run(PAG, score_of, options=SearchOptions(**options), n_states=5)
    start = next(run.visit([_binary()], level=2))
    assert start.is_best
    return [tuple(latent.n_states for latent in event.dag.latents) for event in search_states(run)]


def _binary() -> BitDag:
    return to_bits(LatentDag("ABC", [], [Latent("L1", 2, ("A", "B")), Latent("L2", 2, ("B", "C"))]))


def test_that_states_rise_while_the_score_does() -> None:
    assert tried({(2, 2): 0.0, (3, 2): 1.0, (4, 2): 2.0, (5, 2): 1.5}) == [(3, 2), (4, 2), (5, 2), (4, 3)]


def test_that_a_second_pass_sees_what_the_first_made_possible() -> None:
    scores = {(2, 2): 0.0, (3, 2): -1.0, (2, 3): 1.0, (3, 3): 2.0}
    assert tried(scores) == [(3, 2), (2, 3), (2, 4), (3, 3), (4, 3), (3, 4)]


def test_that_no_model_is_tried_twice() -> None:
    scores = {(2, 2): 0.0, (3, 2): 1.0, (3, 3): 2.0}
    found = tried(scores)
    assert len(found) == len(set(found))


def test_that_the_largest_number_in_the_data_or_the_option_ends_it() -> None:
    rising = {(n, m): float(n + m) for n in range(2, 9) for m in range(2, 9)}
    assert max(n for n, _ in tried(rising)) == 5
    assert max(n for n, _ in tried(rising, max_states=3)) == 3


def test_that_without_a_latent_nothing_is_tried() -> None:
    run = made_up_run(mixed("A --> B", nodes=["A", "B", "C"]), lambda dag: 0.0)
    assert list(search_states(run)) == []
