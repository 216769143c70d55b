"""Refine that keeps to a PAG, and Refine that starts from the model of another run."""

from __future__ import annotations

from itertools import combinations

import pytest
from support.builders import mixed
from support.hidden_causes import confounded_data

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError, OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.model.allowed_dag import allows
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.binding import bind_to_pag
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search

DATA = confounded_data(0)
HIDDEN = ("A", "B", "C", "D")
NO_PAG = MixedGraph.from_edges(DATA.names, ())


def test_that_marks_say_what_may_point_and_what_may_share_a_cause() -> None:
    bound = bind_to_pag(NO_KNOWLEDGE.bind("ABCD"), mixed("A o-> B", "B --> C", "C <-> D"), "marks")
    assert bound.parents == (0b0000, 0b0001, 0b0010, 0b0000)  # A may point at B, B at C
    assert bound.siblings == (0b0010, 0b0001, 0b1000, 0b0100)  # A with B, C with D
    assert bound.allows_latent(0b0011)
    assert not bound.allows_latent(0b0110)


def test_that_adjacencies_rule_out_only_what_is_not_joined() -> None:
    bound = bind_to_pag(NO_KNOWLEDGE.bind("ABC"), mixed("A --> B", "B --> C"), "adjacencies")
    assert bound.parents == bound.siblings == (0b010, 0b101, 0b010)
    assert allows(bound, BitDag((0b010, 0, 0b010)))
    assert not allows(bound, BitDag((0, 0, 0b001)))
    assert not allows(bound, BitDag((0, 0, 0), (Hidden(0b111),)))


def test_that_knowledge_binds_beside_the_pag() -> None:
    known = Knowledge(tiers=(("C",), ("A", "B"))).bind("ABC")
    bound = bind_to_pag(known, mixed("A --> B", "B --> C"), "adjacencies")
    assert bound.parents == (0b010, 0b101, 0b000)


def refine(pag: MixedGraph, binding: str, **more: LatentDag) -> SearchResult:
    return run_search(DATA, pag, "refine", options=SearchOptions(seed=1, binding=binding), **more)  # type: ignore[arg-type]


def test_that_a_bound_result_has_only_edges_and_causes_of_the_pag() -> None:
    pag = mixed("A o-o B", "B o-o C", "A o-o C", "A o-> E", nodes=DATA.names)
    result = refine(pag, "adjacencies")
    assert result.best is not None
    assert all(pag.is_adjacent(a, b) for a, b in result.best.edges)
    for latent in result.best.latents:
        assert all(pag.is_adjacent(a, b) for a, b in combinations(latent.children, 2))
    assert result.reference is not None
    free = refine(NO_PAG, "free")
    assert free.reference is not None
    assert result.reference.p_elbo == pytest.approx(free.reference.p_elbo)  # what is judged against is not bound


def test_that_a_pag_that_joins_the_children_lets_the_hidden_cause_be_found() -> None:
    clique = [f"{a} o-o {b}" for a, b in combinations(HIDDEN, 2)]
    result = refine(mixed(*clique, "A o-o E", "B o-o F", nodes=DATA.names), "adjacencies")
    assert result.best is not None
    assert [latent.children for latent in result.best.latents] == [HIDDEN]


def test_that_tails_keep_hidden_causes_out() -> None:
    tails = mixed("A --> B", "A --> C", "A --> D", "B --> C", "B --> D", "C --> D", nodes=DATA.names)
    result = refine(tails, "marks")
    assert result.best is not None
    assert result.best.latents == ()


def test_that_a_binding_without_a_pag_is_refused_with_the_remedy() -> None:
    with pytest.raises(OptionError, match="needs a PAG; give one, or choose 'free'"):
        refine(NO_PAG, "marks")


def test_that_refine_goes_on_from_a_start_and_stays_at_least_as_good() -> None:
    start = LatentDag(DATA.names, [("A", "E"), ("B", "F")], [Latent("L1", 2, HIDDEN)])
    result = refine(NO_PAG, "free", start=start)
    assert result.start == start
    assert result.best is not None
    assert [latent.children for latent in result.best.latents] == [HIDDEN]
    visited = {result.history.dag(index).key: visit.p_elbo for index, visit in enumerate(result.history)}
    assert result.p_elbo is not None
    assert result.p_elbo >= visited[start.key] - 1e-6
    assert SearchResult.from_json(result.to_json(), history=result.history).start == start


def test_that_a_start_that_cannot_be_taken_is_refused() -> None:
    with pytest.raises(GraphError, match="different variables"):
        refine(NO_PAG, "free", start=LatentDag("AB"))
    stacked = LatentDag(DATA.names, [], [Latent("L1", 2, ("A", "L2")), Latent("L2", 2, ("B", "C"))])
    with pytest.raises(GraphError, match="hidden causes of hidden causes"):
        refine(NO_PAG, "free", start=stacked)
    with pytest.raises(GraphError, match="rules out"):
        refine(mixed("A --> B", nodes=DATA.names), "marks", start=LatentDag(DATA.names, [("C", "D")]))
    with pytest.raises(OptionError, match="choose refine"):
        run_search(DATA, NO_PAG, "no-latents", start=LatentDag(DATA.names))
