"""Begins a latent anew in other surroundings, which the DAG without it cannot show.

Without a hidden cause, edges around its effects are turned round, and causes of one effect seem to be causes of others.
A posterior that is fitted among such edges is far from the truth, and with that posterior the edges stay. So the edges
around the children are drawn anew at random, a posterior is fitted there, and all edges are chosen again with it.
Where the children have to stay, every second time another DAG that says the same is drawn first, by turning covered
edges (Chickering 1995): a chain that runs into a child may so run out of it, which single moves do not reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.search.refining.fitting import MAX_JOINT, Fitting
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.reordering import reorder_around
from latconf_core.search.refining.soft_model import Scored, SoftModel, is_acyclic

N_STARTS = 8
USUAL_STATES = 4  # up to which numbers of states are drawn, or to one more than there are
WITHIN = 100.0  # nats below the present model; a trial further down is given up
KEPT_INSIDE, KEPT_PARENTS, TURNED = 0.3, 0.7, 0.3  # chances of edges among the children, into them and out of them
MOST_DRAWN = 3  # parents of a child
AS_IT_IS = 0.5  # chance that no covered edges are turned
TURNS_PER_VARIABLE = 3  # at most


def renew(
    fitting: Fitting, present: Scored, place: int, *, n_trials: int, series: int = 0, may_change: bool = True
) -> Scored:
    """The best model found with a latent begun anew several times, each time around the best so far.

    series : another number draws other surroundings
    may_change : whether variables may join or leave its children
    """
    first = present.model.latents[place].children
    for k in range(n_trials):
        fitting.checkpoint()
        rng = np.random.default_rng([first, series, k])
        trial = _trial(fitting, present, place, rng, may_change=may_change)
        if trial is not None and trial.score > present.score:
            present = trial
    return present


def _trial(
    fitting: Fitting, present: Scored, place: int, rng: np.random.Generator, *, may_change: bool
) -> Scored | None:
    model, latent = present.model, present.model.latents[place]
    most = min(max(USUAL_STATES, latent.n_states + 1), fitting.max_states)
    n_states = int(rng.integers(2, most + 1))
    others = [one for k, one in enumerate(model.latents) if k != place and one.children & latent.children]
    if prod(one.n_states for one in others) * n_states > MAX_JOINT:
        return None
    is_turned = not may_change and rng.random() >= AS_IT_IS
    drawn_from = SoftModel(turn_covered(model, rng), model.latents) if is_turned else model
    parents = redraw(drawn_from, latent.children, rng)
    if any(parents[v].bit_count() + len(model.latents_of(v)) > MAX_PARENTS for v in range(len(parents))):
        return None
    seed = int(rng.integers(2**31))
    fresh = fitting.start(parents, latent.children, n_states=n_states, n_starts=N_STARTS, seed=seed)
    drawn = SoftModel(parents, model.with_latent(place, fresh).latents)
    trial = reorder_around(fitting, drawn, latent.children)
    if trial.score < present.score - WITHIN:
        return None
    return fitting.climb(trial, latent.children, focus=place if may_change else None, rounds=4)


def turn_covered(model: SoftModel, rng: np.random.Generator) -> tuple[int, ...]:
    """The parents of a random DAG with the same independences: covered edges are turned, one after the other.

    An edge is covered where both ends have the same other parents, latents among them.
    """
    parents = list(model.parents)
    above = [sum(1 << k for k, one in enumerate(model.latents) if one.children >> v & 1) for v in range(len(parents))]
    for _ in range(int(rng.integers(TURNS_PER_VARIABLE * len(parents) + 1))):
        covered = [
            (a, b)
            for b, mask in enumerate(parents)
            for a in bits(mask)
            if mask == parents[a] | 1 << a and above[a] == above[b]
        ]
        if not covered:
            break
        a, b = covered[int(rng.integers(len(covered)))]
        parents[a], parents[b] = parents[a] | 1 << b, parents[b] & ~(1 << a)
    return tuple(parents)


def redraw(model: SoftModel, children: int, rng: np.random.Generator) -> tuple[int, ...]:
    """The parents of every variable with the edges around some of them drawn anew, acyclic."""
    parents = [0] * len(model.parents)
    for a, b in _drawn_edges(model, children, rng):
        if children >> b & 1 and parents[b].bit_count() >= MOST_DRAWN:
            continue
        parents[b] |= 1 << a
        if not is_acyclic(parents, [b]):
            parents[b] &= ~(1 << a)
    return tuple(parents)


def _drawn_edges(model: SoftModel, children: int, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Edges around some variables, each kept, turned or left out, in a random order; then all others as they are."""
    edges = [(a, b) for b, mask in enumerate(model.parents) for a in bits(mask)]
    around = [(a, b) for a, b in edges if (1 << a | 1 << b) & children]
    rank = rng.permutation(len(model.parents))
    for k in rng.permutation(len(around)):
        a, b = around[k]
        chance = rng.random()
        if children >> a & children >> b & 1:
            if chance < KEPT_INSIDE:
                yield (a, b) if rank[a] < rank[b] else (b, a)
        elif children >> b & 1:
            if chance < KEPT_PARENTS:
                yield a, b
        else:
            yield (b, a) if chance < TURNED else (a, b)
    yield from (edge for edge in edges if not (1 << edge[0] | 1 << edge[1]) & children)
