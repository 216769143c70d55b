"""The changes of latents that GLSL tries: a new one, one fewer, a state more or fewer. No latent has a parent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import NO_PARENT, BitDag, Hidden
from latconf_core.search.baselines.pairs import Pair

FEWEST_STATES = 2
FEWEST_CHILDREN = 2


def in_order(parents: Sequence[int], latents: Iterable[Hidden]) -> BitDag:
    """The candidate of edges and latents without parents, in the one order that equal ones have in common."""
    ordered = sorted(latents, key=lambda latent: (tuple(bits(latent.children)), latent.n_states))
    return BitDag(tuple(parents), tuple(ordered))


def with_latent(dag: BitDag, pair: Pair) -> BitDag:
    """The DAG with a new latent of two states above two variables."""
    return in_order(dag.parents, (*dag.latents, Hidden(1 << pair[0] | 1 << pair[1])))


def without_latent(dag: BitDag, index: int) -> BitDag:
    """The DAG without one of its latents."""
    return in_order(dag.parents, (*dag.latents[:index], *dag.latents[index + 1 :]))


def with_states(dag: BitDag, index: int, n_states: int) -> tuple[BitDag, int]:
    """The DAG with another number of states of a latent, and where that latent stands in it."""
    changed = dag.latents[index]._replace(n_states=n_states)
    trial = in_order(dag.parents, (*dag.latents[:index], changed, *dag.latents[index + 1 :]))
    return trial, trial.latents.index(changed)


def states_trials(dag: BitDag, most: int) -> Iterator[tuple[BitDag, int]]:
    """One state more for each latent, then one fewer for each, as far as that is possible."""
    for change in (1, -1):
        for index, latent in enumerate(dag.latents):
            if FEWEST_STATES <= latent.n_states + change <= max(most, FEWEST_STATES):
                yield with_states(dag, index, latent.n_states + change)


def open_nodes(dag: BitDag, *, of_roots: bool, max_parents: int) -> list[int]:
    """The variables that may be put below a new latent: those without any parent, or all that have room for one."""
    counts = [
        mask.bit_count() + sum(latent.children >> v & 1 for latent in dag.latents) for v, mask in enumerate(dag.parents)
    ]
    most = 0 if of_roots else max_parents - 1
    return [v for v, count in enumerate(counts) if count <= most]


def without_parents_of_latents(dag: BitDag) -> BitDag:
    """The DAG with no arc into a latent; latents that are left with too few observed children go."""
    observed = (1 << len(dag.parents)) - 1
    roots = [latent._replace(children=latent.children & observed, parent=NO_PARENT) for latent in dag.latents]
    return in_order(dag.parents, [root for root in roots if root.children.bit_count() >= FEWEST_CHILDREN])
