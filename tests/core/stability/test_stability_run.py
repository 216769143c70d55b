"""Repetitions on samples: shares against samples learned by hand, workers, stops, refusals and the JSON form."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import Future
from itertools import count

import numpy as np
import pytest
from support.builders import mixed
from support.small_bench import confounded

import latconf_core
from latconf_core.control import RunControl, StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError, FileFormatError, GraphError, LatconfError, OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.runner import run_search
from latconf_core.stability.run_sample import SampleOutcome, SampleWork
from latconf_core.stability.sample_workers import make_workers
from latconf_core.stability.stability_result import Stability
from latconf_core.stability.stability_run import (
    SampleFinished,
    StabilityEvent,
    StabilityFinished,
    StabilityProgress,
    StabilityStarted,
    Whole,
    start_stability,
)
from latconf_core.wording.stability_words import headline, latent_sentence, remarks

SEARCH = SearchOptions(vbem=VbemOptions(restarts=2), max_bidirected=2)
GFCI = PagOptions(method="gfci")


def options(**changes: object) -> StabilityOptions:
    chosen = {"samples": 4, "learner": GFCI, "search": "hclc-v", "search_options": SEARCH, "seed": 3, **changes}
    return StabilityOptions(**chosen)  # type: ignore[arg-type]


def measure(data: Dataset, asked: StabilityOptions, **more: object) -> tuple[Stability, list[StabilityEvent]]:
    events = list(start_stability(data, asked, **more))  # type: ignore[arg-type]
    assert isinstance(events[-1], StabilityFinished)
    return events[-1].stability, events


def sample_by_hand(data: Dataset, seed: int, number: int, *, half: bool) -> tuple[Dataset, int]:
    """The rows of a sample written out, and its seed: by numpy alone."""
    own = int(np.random.SeedSequence((seed, number)).generate_state(1)[0])
    rows, counts = np.unique(data.codes, axis=0, return_counts=True)
    rng = np.random.default_rng(own)
    if half:
        drawn = rng.multivariate_hypergeometric(counts, len(data.codes) // 2, method="marginals")
    else:
        drawn = rng.multinomial(len(data.codes), counts / len(data.codes))
    return Dataset(data.names, data.states, np.repeat(rows, drawn, axis=0)), own


@pytest.mark.parametrize("half", [False, True])
def test_that_shares_are_those_of_samples_learned_and_searched_by_hand(half: bool) -> None:
    data = confounded(90, 1)
    stability, _ = measure(data, options(resampling="half" if half else "bootstrap"))
    arrows: dict[tuple[str, str], Counter[str]] = {}
    children: Counter[tuple[str, ...]] = Counter()
    edges: Counter[tuple[str, str]] = Counter()
    for number in (1, 2, 3, 4):
        rows, seed = sample_by_hand(data, 3, number, half=half)
        pag = run_learner(rows, GFCI).graph
        for edge in pag.edges():
            arrows.setdefault((edge.first, edge.second), Counter())[edge.arrow] += 1
        best = run_search(
            rows, pag, "hclc-v", options=SearchOptions(vbem=VbemOptions(restarts=2), max_bidirected=2, seed=seed)
        ).best
        assert best is not None
        children.update(latent.children for latent in best.latents)
        edges.update(best.edges)
    assert {
        (pag_pair.a, pag_pair.b): dict(pag_pair.counts) for pag_pair in stability.pag_pairs if pag_pair.counts
    } == arrows
    found = {latent.children: latent.n_exact for latent in (*stability.latents, *stability.new_latents)}
    assert {value: count for value, count in found.items() if count} == children
    directed = {(dag_pair.a, dag_pair.b): dag_pair.counts.get("-->", 0) for dag_pair in stability.dag_pairs}
    directed |= {(dag_pair.b, dag_pair.a): dag_pair.counts.get("<--", 0) for dag_pair in stability.dag_pairs}
    assert {value: count for value, count in directed.items() if count} == edges
    whole = run_learner(data, GFCI).graph
    assert stability.pag == whole
    assert (
        stability.dag
        == run_search(
            data, whole, "hclc-v", options=SearchOptions(vbem=VbemOptions(restarts=2), max_bidirected=2, seed=3)
        ).best
    )


@pytest.mark.slow
def test_that_two_workers_give_the_same_shares_as_one() -> None:
    data = confounded(80, 2)
    one, two = (measure(data, options(workers=workers))[0].to_json() for workers in (1, 2))
    for told in (one, two):
        del told["seconds"], told["options"]["workers"]
    assert one == two


def test_that_another_seed_draws_other_samples_and_the_same_seed_the_same() -> None:
    data, pags = confounded(60, 2), {"search": None, "samples": 3}
    first, again, other = (measure(data, options(**pags, seed=seed))[0] for seed in (3, 3, 4))
    assert first.outcomes == again.outcomes != other.outcomes


def test_that_cancelling_keeps_the_samples_that_are_done() -> None:
    data, done = confounded(60, 1), []
    control = RunControl(lambda: len(done) >= 3)  # the data themselves, then two samples
    events = []
    for event in start_stability(data, options(samples=50, search=None), control=control):
        events.append(event)
        done += [event] if isinstance(event, SampleFinished) else []
    assert isinstance(events[0], StabilityStarted)
    assert isinstance(events[-1], StabilityFinished)
    stability = events[-1].stability
    assert (stability.stop_reason, stability.n_samples) == (StopReason.CANCELLED, 2)
    assert [outcome.number for outcome in stability.outcomes] == [1, 2]
    assert list(remarks(stability)) == ["it was stopped after 2 of 50 samples; what was done is kept"]
    assert "2 half samples of 50 asked for" in headline(stability)
    assert stability.pag == run_learner(data, GFCI).graph


def test_that_cancelling_within_a_sample_counts_nothing_of_it() -> None:
    calls = []
    control = RunControl(lambda: len(calls) >= 60 or calls.append(1) is not None)
    stability, _ = measure(confounded(60, 1), options(samples=50), control=control)
    assert stability.stop_reason is StopReason.CANCELLED
    assert all(outcome.dag is not None for outcome in stability.outcomes)


def test_that_the_time_limit_is_for_all_samples_together() -> None:
    clock = count()
    control = RunControl(clock=lambda: float(next(clock)))
    stability, _ = measure(confounded(60, 1), options(samples=1000, search=None, time_limit=300.0), control=control)
    assert stability.stop_reason is StopReason.TIME_LIMIT
    assert stability.n_samples < 1000
    assert next(iter(remarks(stability))).startswith("the time limit was reached after")


def test_that_closing_the_events_gives_up_what_is_under_way() -> None:
    closed = []

    class Workers:
        n_workers = 1

        def submit(self, worker: int, number: int) -> Future[SampleOutcome | None]:
            future: Future[SampleOutcome | None] = Future()
            future.set_result(SampleOutcome(number, ()))
            return future

        def close(self) -> None:
            closed.append(True)

    events = start_stability(confounded(60, 1), options(search=None), workers=lambda work, control: Workers())
    next(events), next(events)
    events.close()
    assert closed == [True]


def test_that_a_given_result_is_what_latents_are_looked_for() -> None:
    data = confounded(90, 1)
    model = LatentDag(data.names, (), [])
    stability, events = measure(data, options(samples=2), whole=Whole(dag=model))
    assert stability.dag == model
    assert stability.latents == ()
    assert [event.outcome.number for event in events if isinstance(event, SampleFinished)] == [1, 2]


def test_that_a_search_can_keep_to_a_given_pag() -> None:
    data = confounded(90, 1)
    pag = mixed("A <-> B", "A o-> C", "B o-> D", nodes="ABCD")
    stability, _ = measure(data, options(samples=2, learner=None), pag=pag)
    assert stability.keeps_pag
    assert stability.pag_pairs == ()
    assert all(outcome.pag is None and outcome.dag is not None for outcome in stability.outcomes)
    assert "used the same PAG" in " ".join(remarks(stability))


def test_that_knowledge_holds_in_every_sample() -> None:
    data = confounded(200, 1)
    knowledge = Knowledge(required=(("A", "D"),))
    stability, _ = measure(data, options(search=None), knowledge=knowledge)
    (pair,) = (pag_pair for pag_pair in stability.pag_pairs if (pag_pair.a, pag_pair.b) == ("A", "D"))
    assert dict(pair.counts) == {"-->": 4}


def test_that_a_sample_that_fails_counts_for_nothing_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import latconf_core.stability.run_sample as module

    learn, calls = module.learned_from_rows, []

    def fail_once(*given: object, **more: object) -> object:
        calls.append(1)
        if len(calls) == 3:  # the second sample
            raise GraphError("nothing fits")
        return learn(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "learned_from_rows", fail_once)
    stability, _ = measure(confounded(60, 1), options(search=None))
    assert (stability.n_samples, stability.n_failed) == (3, 1)
    assert list(remarks(stability)) == ["1 sample failed and is left out; sample 2: nothing fits"]
    assert {pag_pair.n_samples for pag_pair in stability.pag_pairs} == {3}


def test_that_data_that_cannot_be_searched_end_it_with_their_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    import latconf_core.stability.run_sample as module

    def fail(*given: object, **more: object) -> object:
        raise GraphError("nothing fits")

    monkeypatch.setattr(module, "learned_from_rows", fail)
    with pytest.raises(LatconfError, match="nothing fits"):
        measure(confounded(60, 1), options(search=None))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"samples": 0}, "number of samples is 0; it must be at least 1"),
        ({"samples": 10**7}, "at most 100,000"),
        ({"samples": 2.5}, "must be a whole number"),
        ({"resampling": "thirds"}, "resampling is 'thirds'; choose one of half, bootstrap"),
        ({"learner": None, "search": None}, "there is nothing to repeat; choose a PAG learner"),
        ({"learner": None}, "hclc-v needs a PAG; name a learner, or give a PAG"),
        ({"search": "magic"}, "there is no search 'magic'; choose one of"),
        ({"time_limit": 0.0}, "time limit is 0.0; it must be above 0"),
        ({"workers": 0}, "workers is 0"),
    ],
)
def test_that_what_cannot_be_repeated_is_a_sentence(changes: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        start_stability(confounded(30, 1), options(**changes))


def test_that_a_pag_beside_a_learner_and_one_row_are_refused() -> None:
    data = confounded(30, 1)
    with pytest.raises(OptionError, match="give either a PAG or a learner"):
        start_stability(data, options(), pag=mixed("A o-o B", nodes="ABCD"))
    with pytest.raises(GraphError, match="which the data lack"):
        start_stability(data, options(learner=None), pag=mixed("A o-o X", nodes="ABCDX"))
    with pytest.raises(DataError, match="the data have 1 rows"):
        start_stability(Dataset(data.names, data.states, data.codes[:1]), options())


def test_that_all_of_it_survives_json_and_shares_are_counted_anew() -> None:
    stability, _ = measure(confounded(60, 1), options(samples=2))
    told = json.loads(json.dumps(stability.to_json()))
    assert Stability.from_json(told).to_json() == told
    assert set(told) >= {"samples", "edges", "latents", "seconds"}
    for edge in told["edges"]:
        assert sum(edge["marks"].values()) + edge["absent"] == pytest.approx(1)
    assert Stability.from_json({**told, "edges": [], "latents": []}).to_json()["edges"] == told["edges"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "latconf result"}, "not a stability result"),
        ({"version": 99}, "install a newer one"),
        ({"nodes": ["A"]}, "cannot be read"),
        ({"outcomes": [{"number": "one"}]}, "cannot be read"),
        ({"stop_reason": "bored"}, "cannot be read"),
    ],
)
def test_that_damaged_content_is_refused_with_a_sentence(change: dict[str, object], said: str) -> None:
    stability, _ = measure(confounded(60, 1), options(samples=1, search=None))
    with pytest.raises(FileFormatError, match=said):
        Stability.from_json({**stability.to_json(), **change})


def test_that_no_more_processes_are_made_than_there_are_samples() -> None:
    work = SampleWork.__new__(SampleWork)
    object.__setattr__(work, "options", options(samples=1, workers=8))
    workers = make_workers(work, RunControl())
    workers.close()
    assert workers.n_workers == 1


def test_that_progress_counts_samples_and_guesses_the_time_left() -> None:
    clock = iter([0.0, 0.0, 30.0])
    seen = StabilityProgress(2, clock=lambda: next(clock))
    seen.see(StabilityStarted(50))
    seen.see(SampleFinished(SampleOutcome(10, ()), 10, 50))
    progress = seen.progress()
    assert (progress.done, progress.total, progress.text) == (10, 50, "10 of 50 samples, about 2 min left")


def test_that_python_measures_stability_without_naming_a_room() -> None:
    data = confounded(90, 1)
    result = latconf_core.find_latents(data, latconf_core.learn(data), "hclc-v")
    stability = latconf_core.measure_stability(data, result=result, samples=3, seed=3, max_bidirected=2)
    assert isinstance(stability.pag, MixedGraph)
    assert stability.dag == result.best
    assert {"a", "b", "absent"} <= set(stability.edges_to_pandas().columns)
    assert len(stability.latents_to_pandas()) == len(stability.latents) + len(stability.new_latents)
    assert "3 half samples" in stability._repr_html_()
    other = confounded(90, 2)
    with pytest.raises(OptionError, match="other data"):
        latconf_core.measure_stability(other, result=result, samples=1)


def test_that_the_sentence_of_a_latent_says_how_often_and_how_exactly() -> None:
    data = confounded(300, 1)
    model = latconf_core.find_latents(data, latconf_core.learn(data), "hclc-v").best
    stability, _ = measure(data, options(samples=2, search=None), whole=Whole(dag=model))
    share = stability.latents_of(LatentDag(data.names, (), model.latents if model else ()))
    assert all(latent_sentence(one, stability.options) == "recovered in none of 0 bootstrap samples" for one in share)
