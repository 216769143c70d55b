"""The climb with posteriors held: edges around some variables, and the children of one latent, change while it pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.promise import MANY_VARIABLES
from latconf_core.search.refining.soft_model import SoftModel, is_acyclic
from latconf_core.search.refining.soft_scores import SoftScores

MAX_PARENTS = 5  # latents among them
LEAST_GAIN = 1e-6
MOST_STEPS = 60
MOVES_BETWEEN_CHECKPOINTS = 16
Change = dict[int, tuple[int, bool]]  # of a variable: its new parents, and whether the latent in focus is one


@dataclass(frozen=True)
class Surroundings:
    """Where a climb may change things.

    around : variables whose families may gain parents, and whose edges may go or turn
    zone : both ends of every edge that changes lie in it
    focus : the place of the latent whose children may change; None for no latent
    """

    around: int
    zone: int
    focus: int | None = None


def climb_around(
    model: SoftModel, soft: SoftScores, where: Surroundings, *, checkpoint: Callable[[], None] = lambda: None
) -> SoftModel:
    """The model from which no move raises the bound at the posteriors, by the best move at a time."""
    climber = _Climber(model, soft, where, checkpoint)
    for _ in range(MOST_STEPS):
        checkpoint()
        if not climber.step():
            break
    return climber.model


class _Climber:
    def __init__(self, model: SoftModel, soft: SoftScores, where: Surroundings, checkpoint: Callable[[], None]) -> None:
        self.model = model
        self._soft = soft
        self._where = where
        self._checkpoint = checkpoint
        focus = where.focus
        self._others: list[list[SoftLatent]] = [
            [latent for k, latent in enumerate(model.latents) if k != focus and latent.children >> v & 1]
            for v in range(len(model.parents))
        ]
        self._focused = None if focus is None else model.latents[focus]

    def step(self) -> bool:
        """Make the best move that rises; whether there was one."""
        parents, children = self.model.parents, self._children
        best_gain, best = LEAST_GAIN, None
        moves = _moves(parents, children, self._where, [len(other) for other in self._others])
        for index, change in enumerate(moves):
            if index % MOVES_BETWEEN_CHECKPOINTS == 0:
                self._checkpoint()
            gain = 0.0
            for v, (mask, is_child) in change.items():
                gain += self._family(v, mask, is_child) - self._family(v, parents[v], bool(children >> v & 1))
            if gain > best_gain and self._may_be(_changed(parents, change), change):
                best_gain, best = gain, change
        if best is None:
            return False
        self._make(best)
        return True

    def _may_be(self, parents: Sequence[int], changed: Change) -> bool:
        return is_acyclic(parents, changed) and self._soft.allows_ancestors(parents)

    @property
    def _children(self) -> int:
        return 0 if self._focused is None else self._focused.children

    def _family(self, child: int, mask: int, is_child: bool) -> float:
        others = self._others[child]
        if is_child and self._focused is not None:
            return self._soft.family(child, mask, [self._focused, *others])
        return self._soft.family(child, mask, others)

    def _make(self, change: Change) -> None:
        parents = _changed(self.model.parents, change)
        latents = list(self.model.latents)
        if self._focused is not None and self._where.focus is not None:
            children = self._focused.children
            for v, (_, is_child) in change.items():
                children = children | 1 << v if is_child else children & ~(1 << v)
            self._focused = latents[self._where.focus] = replace(self._focused, children=children)
        self.model = SoftModel(tuple(parents), tuple(latents))


def _changed(parents: Sequence[int], change: Change) -> list[int]:
    return [change[v][0] if v in change else mask for v, mask in enumerate(parents)]


def _moves(parents: Sequence[int], children: int, where: Surroundings, n_others: Sequence[int]) -> Iterator[Change]:
    """Every change of one edge, and of the children of the latent in focus."""
    rooms = [MAX_PARENTS - mask.bit_count() - n_others[v] for v, mask in enumerate(parents)]
    yield from _edge_moves(parents, children, where, rooms)
    if where.focus is not None:
        everything = (1 << len(parents)) - 1
        yield from _joining(parents, children, rooms, where.zone if len(parents) > MANY_VARIABLES else everything)
        if children.bit_count() > 2:
            yield from _leaving(parents, children, rooms)


def _edge_moves(parents: Sequence[int], children: int, where: Surroundings, rooms: Sequence[int]) -> Iterator[Change]:
    around = where.around | children
    for b in bits(where.zone):
        is_b = bool(children >> b & 1)
        for a in bits(where.zone if around >> b & 1 else where.zone & around):
            if a == b:
                continue
            if parents[b] >> a & 1:
                less = parents[b] & ~(1 << a)
                is_a = bool(children >> a & 1)
                yield {b: (less, is_b)}
                if rooms[a] - is_a > 0:
                    yield {b: (less, is_b), a: (parents[a] | 1 << b, is_a)}
            elif around >> b & 1 and rooms[b] - is_b > 0 and not parents[a] >> b & 1:
                yield {b: (parents[b] | 1 << a, is_b)}


def _joining(parents: Sequence[int], children: int, rooms: Sequence[int], among: int) -> Iterator[Change]:
    """A variable, wherever it is among some, becomes a child; or does so and its edges with the children go."""
    for v in bits(among & ~children):
        if rooms[v] > 0:
            yield {v: (parents[v], True)}
        if parents[v] & children:
            yield {v: (parents[v] & ~children, True)}
        into = [c for c in bits(children) if parents[c] >> v & 1]
        if into and rooms[v] > 0:
            yield {v: (parents[v], True)} | {c: (parents[c] & ~(1 << v), True) for c in into}


def _leaving(parents: Sequence[int], children: int, rooms: Sequence[int]) -> Iterator[Change]:
    """A child leaves; or leaves and gets an edge with another child."""
    for v in bits(children):
        yield {v: (parents[v], False)}
        for c in bits(children & ~(1 << v) & ~parents[v]):
            if not parents[c] >> v & 1:
                yield {v: (parents[v] | 1 << c, False)}
                if rooms[c] > 1:
                    yield {v: (parents[v], False), c: (parents[c] | 1 << v, True)}
