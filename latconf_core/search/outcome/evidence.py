"""Two kinds of evidence for a latent, always shown apart: what the PAG says, and what the data gain by it.

The data are asked against the best DAG without latents (`search/judgement.py`); here is what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import inf
from typing import Any, Literal

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.graph.bits import bits, topological_order
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.held_out_gain import HeldOutGain
from latconf_core.json_form import decode, encode
from latconf_core.model.bit_dag import BitDag

Verdict = Literal["requires", "allows", "contradicts"]
Support = Literal["strong", "weak", "none"]
Limit = Literal["filled in", "copied rows", "design", "cut short"]
Warning = Literal[
    "two children",
    "merged states",
    "order",
    "proxy",
    "untried",
    "spread",
    "PAG",
    "others",
    "better",
    "held out",
    "chance",
    "filled in",
    "copied rows",
    "design",
    "cut short",
    "complete rows",
    "unchecked",
]
GRADES: tuple[Support, ...] = ("none", "weak", "strong")
MAX_EXHAUSTIVE_CHILDREN = 3  # 27 ways to join three children; above, edges are added one at a time

ScoresOf = Callable[[Sequence[BitDag]], Sequence[float]]


@dataclass(frozen=True)
class PairEvidence:
    """What the PAG says of a hidden common cause of two variables."""

    first: str
    second: str
    verdict: Verdict


@dataclass(frozen=True)
class OnCompleteRows:
    """A latent judged again on the rows without missing cells among its children and their parents.

    density, support : as in the evidence; None where too few rows are complete, and it could not be checked
    """

    n_rows: int
    density: float | None = None
    support: Support | None = None


@dataclass(frozen=True)
class LatentEvidence:
    """What speaks for one latent.

    orientation : what the PAG says of each pair of its children
    density : nats of p-ELBO gained over the best DAG without latents, both sides optimised around the children of
        the latent; None where that was not computed
    support : how much the data support it; None where it was not judged
    over_local : nats gained over that DAG where tables of the children may have rows in common
    spread : how far the starts of its fit ended apart, in nats
    beside : the children of each of the hidden causes beside which it gains that, where it does not pay alone; the
        density is then over the best model with those
    better_by : nats by which those others explain the data better than it does; None where none are known that do. It
        is then judged beside them although it pays alone
    untried : the children whose tables are too large to try whether rows of theirs may be in common
    held_out : what it gains on rows left out of the fit; None where that was not computed
    over_ordinal : nats gained where ordered variables may have cumulative logits, with the latent and without; None
        where no child is ordered, or it gains too little over tables to be asked
    proxy : the child whose exact value the latent may be, measured coarsely; None where no child is near all others
    null_gains : what the same search gained on tables drawn from the best DAG without latents; empty where none were
    limits : what about the table, or the end of the run, keeps it from being more than weak evidence
    on_complete : what came of judging it on complete rows; None where no cell around it is missing
    """

    latent: Latent
    orientation: tuple[PairEvidence, ...]
    density: float | None = None
    support: Support | None = None
    over_local: float | None = None
    spread: float | None = None
    beside: tuple[tuple[str, ...], ...] = ()
    better_by: float | None = None
    untried: tuple[str, ...] = ()
    held_out: HeldOutGain | None = None
    null_gains: tuple[float, ...] = ()
    limits: tuple[Limit, ...] = ()
    on_complete: OnCompleteRows | None = None
    over_ordinal: float | None = None
    proxy: str | None = None

    @property
    def is_weak(self) -> bool:
        """Whether the data gain less than is asked for."""
        return self.density is not None and self.density < LEAST_CLAIM

    def graded(self) -> LatentEvidence:
        """The same with the support that its numbers give; as it is where it was not judged."""
        if self.density is None:
            return self
        rivals = [gain for gain in (self.over_local, self.over_ordinal) if gain is not None]
        is_vetoed = self._loses_on_held_out or self._is_chance or bool(self.limits)
        support: Support = "weak" if self.density >= 0 else "none"
        if min([self.density, *rivals]) >= LEAST_CLAIM and not is_vetoed:
            support = "strong"
        if self.on_complete is not None and self.on_complete.support is not None:
            support = min(support, self.on_complete.support, key=GRADES.index)
        return replace(self, support=support)

    def limited(self, *limits: Limit) -> LatentEvidence:
        """The same, at most weak evidence for the reasons that are named too."""
        return replace(self, limits=tuple(dict.fromkeys((*self.limits, *limits)))).graded() if limits else self

    @property
    def _is_lower_on_complete(self) -> bool:
        """Whether the rows that are complete say less than all of them."""
        complete = self.on_complete
        return complete is not None and complete.support in ("weak", "none")

    @property
    def _loses_on_held_out(self) -> bool:
        return self.held_out is not None and self.held_out.per_row <= 0

    @property
    def _is_chance(self) -> bool:
        """Whether a table without hidden causes gained as much."""
        return self.density is not None and self.density <= max(self.null_gains, default=-inf)

    @property
    def verdict(self) -> Verdict | None:
        """What the PAG says: the least that it says of any pair of the children; None where there is no PAG."""
        said = {pair.verdict for pair in self.orientation}
        order: tuple[Verdict, ...] = ("contradicts", "allows", "requires")
        return next((verdict for verdict in order if verdict in said), None)

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """What makes it less sure than its gain alone says."""
        gain = -inf if self.density is None else self.density
        gains = gain >= 0
        applies: dict[Warning, bool] = {
            "two children": len(self.latent.children) == 2,
            "merged states": gains and self.over_local is not None and self.over_local < LEAST_CLAIM,
            "order": gains and self.over_ordinal is not None and self.over_ordinal < LEAST_CLAIM,
            "proxy": gains and self.proxy is not None,
            "untried": gains and bool(self.untried),
            "spread": gains and self.spread is not None and self.spread > gain,
            "PAG": self.verdict == "contradicts",
            "others": gains and bool(self.beside) and self.better_by is None,
            "better": self.better_by is not None,
            "held out": gains and self._loses_on_held_out,
            "chance": gains and self._is_chance,
            "filled in": gains and "filled in" in self.limits,
            "copied rows": gains and "copied rows" in self.limits,
            "design": gains and "design" in self.limits,
            "cut short": gains and "cut short" in self.limits,
            "complete rows": gains and self._is_lower_on_complete,
            "unchecked": gains and self.on_complete is not None and self.on_complete.support is None,
        }
        return tuple(name for name, holds in applies.items() if holds)

    def to_json(self) -> dict[str, Any]:
        """The latent, what the PAG says of each pair of its children, and what the data gain."""
        latent = self.latent
        return {
            "latent": latent.name,
            "children": list(latent.children),
            "states": latent.n_states,
            "parent": latent.parent,
            "orientation": [[pair.first, pair.second, pair.verdict] for pair in self.orientation],
            "density": self.density,
            "weak": self.is_weak,
            "support": self.support,
            "over_local": self.over_local,
            "over_ordinal": self.over_ordinal,
            "proxy": self.proxy,
            "spread": self.spread,
            "beside": [list(children) for children in self.beside],
            "better_by": self.better_by,
            "untried": list(self.untried),
            "held_out_gain": None if self.held_out is None else self.held_out.to_json(),
            "limits": list(self.limits),
            "on_complete_rows": None if self.on_complete is None else encode(self.on_complete),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> LatentEvidence:
        """The evidence that `to_json` gave; ValueError where a part of it is of a wrong type."""
        latent = Latent.from_json({"name": content["latent"], **content})
        pairs = tuple(PairEvidence(*decode(tuple[str, str, Verdict], pair)) for pair in content["orientation"])
        known = {
            key: decode(float | None, content.get(key))
            for key in ("density", "over_local", "over_ordinal", "spread", "better_by")
        }
        support: Support | None = decode(Support | None, content.get("support"))
        beside = decode(tuple[tuple[str, ...], ...], content.get("beside", []))
        if any(len(children) < 2 for children in beside):
            raise ValueError("a hidden cause beside which it was judged has fewer than two children")
        if known["better_by"] is not None and not beside:
            raise ValueError("the hidden cause that explains more is missing")
        held_out = content.get("held_out_gain")
        limits: tuple[Limit, ...] = decode(tuple[Limit, ...], content.get("limits", []))
        on_complete: OnCompleteRows | None = decode(OnCompleteRows | None, content.get("on_complete_rows"))
        return cls(
            latent,
            pairs,
            support=support,
            beside=beside,
            untried=decode(tuple[str, ...], content.get("untried", [])),
            proxy=decode(str | None, content.get("proxy")),
            held_out=None if held_out is None else HeldOutGain.from_json(held_out),
            limits=limits,
            on_complete=on_complete,
            **known,
        )


def largest_gain(evidence: Collection[LatentEvidence]) -> float | None:
    """The most that a latent gains, 0 where none gains anything; None where some were not judged."""
    gains = [judgement.density for judgement in evidence]
    known = [gain for gain in gains if gain is not None]
    return max((0.0, *known)) if len(known) == len(gains) else None


def has_neighbours(latent: Latent, nodes: Collection[str]) -> bool:
    """Whether a latent has a parent or a latent child, and so is not judged against the best DAG without latents."""
    return latent.parent is not None or any(child not in nodes for child in latent.children)


def latent_evidence(dag: LatentDag, pag: MixedGraph) -> tuple[LatentEvidence, ...]:
    """What the PAG alone says of every latent of a DAG."""
    return tuple(LatentEvidence(latent, orientation_evidence(latent, pag)) for latent in dag.latents)


def orientation_evidence(latent: Latent, pag: MixedGraph) -> tuple[PairEvidence, ...]:
    """What the PAG says of each pair of observed children; nothing where there is no PAG: a graph without edges."""
    if not pag.marks.any():
        return ()
    observed = [child for child in latent.children if child in pag.index]
    return tuple(PairEvidence(a, b, _verdict(pag, a, b)) for a, b in combinations(observed, 2))


def _verdict(pag: MixedGraph, first: str, second: str) -> Verdict:
    if not pag.is_adjacent(first, second):
        return "contradicts"
    marks = {pag.mark_at(first, second), pag.mark_at(second, first)}
    if marks == {Mark.ARROW}:
        return "requires"
    return "contradicts" if Mark.TAIL in marks else "allows"


def replace_latents(dag: BitDag, scores: ScoresOf) -> tuple[float, BitDag]:
    """The DAG without its latents, the children of one after the other joined by directed edges where that helps."""
    rival = BitDag(dag.parents)
    (score,) = scores([rival])
    for latent in dag.latents:
        score, rival = _join_children(rival, list(bits(latent.children & (1 << len(dag.parents)) - 1)), scores)
    return score, rival


def _join_children(dag: BitDag, children: Sequence[int], scores: ScoresOf) -> tuple[float, BitDag]:
    """The best DAG with edges added among the children of a latent that it lacks, and its score."""
    apart = _apart(dag, list(combinations(children, 2)))
    if len(children) <= MAX_EXHAUSTIVE_CHILDREN:
        ways = list(_every_way(dag, apart))
        return max(zip(scores(ways), ways), key=lambda way: way[0])
    return _join_one_by_one(dag, apart, scores)


def _apart(dag: BitDag, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs without an edge."""
    return [(a, b) for a, b in pairs if not dag.parents[b] >> a & 1 and not dag.parents[a] >> b & 1]


def _every_way(dag: BitDag, pairs: Sequence[tuple[int, int]]) -> Iterator[BitDag]:
    """The DAG with each pair left apart or joined either way, where that is acyclic."""
    for ways in product((None, False, True), repeat=len(pairs)):
        edges = [(b, a) if turned else (a, b) for (a, b), turned in zip(pairs, ways) if turned is not None]
        yield from _with_edges(dag, edges)


def _join_one_by_one(dag: BitDag, pairs: Sequence[tuple[int, int]], scores: ScoresOf) -> tuple[float, BitDag]:
    """The DAG and its score after adding the edge that helps most, again and again, while one helps."""
    (best,) = scores([dag])
    while True:
        steps = [joined for a, b in pairs for edge in ((a, b), (b, a)) for joined in _with_edges(dag, [edge])]
        reached = scores(steps)
        if not steps or max(reached) <= best:
            return best, dag
        best, dag = max(zip(reached, steps), key=lambda step: step[0])
        pairs = _apart(dag, pairs)


def _with_edges(dag: BitDag, edges: Sequence[tuple[int, int]]) -> Iterator[BitDag]:
    """The DAG with edges added; nothing where they close a cycle."""
    parents = list(dag.parents)
    for parent, child in edges:
        parents[child] |= 1 << parent
    if topological_order(parents) is not None:
        yield BitDag(tuple(parents), dag.latents)
