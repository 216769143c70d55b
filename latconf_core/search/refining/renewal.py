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
MOST_TURNS, LEAST_RISE = 3, 1.0  # of moves and orders; nats that moves must gain for another
USUAL_STATES = 4  # up to which numbers of states are drawn, or to one more than there are
WITHIN = 100.0  # nats below the present model; a trial further down is given up
KEPT_INSIDE, KEPT_PARENTS, TURNED = 0.3, 0.7, 0.3  # chances of edges among the children, into them and out of them
MOST_DRAWN = 3  # parents of a child
ONE_MORE, ONE_LESS = 0.25, 0.25  # chances of another set of children
AS_IT_IS = 0.5  # chance that no covered edges are turned
TURNS_PER_VARIABLE = 3  # at most


def renew(
    fitting: Fitting, present: Scored, index: int, *, n_trials: int, series: int = 0, may_change: bool = True
) -> Scored:
    """The best model found with a latent begun anew several times, each time around the best so far.

    series : another number draws other surroundings
    may_change : whether variables may join or leave its children
    """
    first = present.model.latents[index].children
    for k in range(n_trials):
        fitting.checkpoint()
        rng = np.random.default_rng([first, series, k])
        trial = _trial(fitting, present, index, rng, may_change=may_change)
        if trial is not None and trial.score > present.score:
            present = trial
    return present


def _trial(
    fitting: Fitting, present: Scored, index: int, rng: np.random.Generator, *, may_change: bool
) -> Scored | None:
    model, latent = present.model, present.model.latents[index]
    children = draw_children(model, latent.children, rng) if may_change else latent.children
    if not fitting.soft.may_share(children):
        return None
    most = min(max(USUAL_STATES, latent.n_states + 1), fitting.max_states)
    n_states = int(rng.integers(2, most + 1))
    others = [latent for k, latent in enumerate(model.latents) if k != index]
    if prod(other.n_states for other in others if other.children & children) * n_states > MAX_JOINT:
        return None
    is_turned = not may_change and rng.random() >= AS_IT_IS
    drawn_from = SoftModel(turn_covered(model, rng), model.latents) if is_turned else model
    parents = redraw(drawn_from, children, rng)
    above = [sum(other.children >> v & 1 for other in others) + (children >> v & 1) for v in range(len(parents))]
    if any(mask.bit_count() + n_latents > MAX_PARENTS for mask, n_latents in zip(parents, above)):
        return None
    seed = int(rng.integers(2**31))
    fresh = fitting.start(parents, children, n_states=n_states, n_starts=N_STARTS, seed=seed, by_moves=True)
    drawn = SoftModel(parents, model.with_latent(index, fresh).latents)
    trial = reorder_around(fitting, drawn, children)
    if trial.score < present.score - WITHIN:
        return None
    focus = index if may_change else None
    return _alternate(fitting, fitting.climb(trial, children, focus=focus, rounds=4), index, focus)


def _alternate(fitting: Fitting, trial: Scored, index: int, focus: int | None) -> Scored:
    """The model after moves of the posterior and a search over orders, in turn while both gain.

    A posterior among edges that are not yet right stays in an optimum that is hundreds of nats below the best one.
    """
    model = trial.model
    others = [latent for k, latent in enumerate(model.latents) if k != index]
    if any(other.children & model.latents[index].children for other in others):
        return trial
    for _ in range(MOST_TURNS):
        moved = fitting.refit(trial.model, by_moves=index)
        if moved.score < trial.score + LEAST_RISE:
            return max(trial, moved, key=lambda scored: scored.score)
        around = moved.model.latents[index].children
        again = fitting.climb(reorder_around(fitting, moved.model, around), around, focus=focus, rounds=4)
        trial = max(moved, again, key=lambda scored: scored.score)
    return trial


def draw_children(model: SoftModel, children: int, rng: np.random.Generator) -> int:
    """The children as they are, with a neighbour more, those with many links among them first, or with one less.

    A child that is missing is explained by edges as long as it is missing, and does not join by itself; one that joined
    too early shapes the posterior so that it seems to belong there.
    """
    chance = rng.random()
    near = model.adjacent()
    if chance < ONE_MORE:
        links = np.array([(near[v] & children).bit_count() * (1 - (children >> v & 1)) for v in range(len(near))])
        weights = links.astype(float) ** 2
        return children | 1 << int(rng.choice(len(near), p=weights / weights.sum())) if weights.any() else children
    if chance < ONE_MORE + ONE_LESS and children.bit_count() > 2:
        return children & ~(1 << int(rng.choice(list(bits(children)))))
    return children


def turn_covered(model: SoftModel, rng: np.random.Generator) -> tuple[int, ...]:
    """The parents of a random DAG with the same independences: covered edges are turned, one after the other.

    An edge is covered where both ends have the same other parents, latents among them.
    """
    parents = list(model.parents)
    above = [
        sum(1 << k for k, latent in enumerate(model.latents) if latent.children >> v & 1) for v in range(len(parents))
    ]
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
