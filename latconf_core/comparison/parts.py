"""What a difference between two DAGs with latents is worth: the score, block by block."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.naming import split
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.result import SearchResult

KeptScores = Mapping[Hashable, float]  # by the key of a part
NO_SCORES: KeptScores = MappingProxyType({})


@dataclass(frozen=True)
class Part:
    """A family without latents, or latents joined by common children: the variables it explains, and its score.

    key : equal for parts that are the same in two DAGs
    """

    variables: frozenset[str]
    score: float
    key: Hashable


@dataclass(frozen=True)
class BlockDifference:
    """A smallest set of variables that is a union of parts in both DAGs, in which they differ."""

    variables: tuple[str, ...]
    a: float
    b: float

    @property
    def difference(self) -> float:
        """Nats that B is above A."""
        return self.b - self.a


def find_blocks(a: LatentDag, b: LatentDag, dataset: Dataset) -> tuple[tuple[str, ...], ...]:
    """The blocks of variables in which two DAGs differ, before anything is scored, in the order of the data."""
    first, second = _sets_by_key(a, dataset), _sets_by_key(b, dataset)
    odd = [value for key, value in (*first.items(), *second.items()) if key not in first or key not in second]
    position_of = {name: i for i, name in enumerate(dataset.names)}
    return tuple(
        sorted(
            (tuple(sorted(finest_union, key=position_of.__getitem__)) for finest_union in _finest_unions(odd)),
            key=lambda finest_union: position_of[finest_union[0]],
        )
    )


def _sets_by_key(dag: LatentDag, dataset: Dataset) -> dict[Hashable, frozenset[str]]:
    """The variables of each part of a DAG, by a key that is equal for parts that are the same in two DAGs."""
    parts, names = split(dag, dataset), dataset.names
    sets: dict[Hashable, frozenset[str]] = {family: frozenset((names[family[0]],)) for family in parts.families}
    for component in parts.components:
        children = (family.child for family in component.families if not component.is_latent(family))
        sets[component] = frozenset(names[child] for child in children)
    return sets


def kept_scores(results: Iterable[SearchResult], scorer: Scorer) -> dict[Hashable, float]:
    """What results have reported of the parts of their best DAGs, by the key of the part.

    Only of the same data, and scored by the same prior and form of the posterior. Where two results have the same
    part it is the higher score: both are lower bounds.
    """
    scores: dict[Hashable, float] = {}
    for result in results:
        if result.best is None or result.dataset_digest != scorer.dataset.digest:
            continue
        if _what_is_scored(result.options.vbem) != _what_is_scored(scorer.options):
            continue
        reported = {frozenset(part.variables): part.p_elbo for part in result.parts}
        for key, variables in _sets_by_key(result.best, scorer.dataset).items():
            if variables in reported:
                scores[key] = max(reported[variables], scores.get(key, -inf))
    return scores


def _what_is_scored(options: VbemOptions) -> tuple[object, ...]:
    """What a score is of, whatever the effort to find it."""
    return options.prior, options.prices, options.ess, options.posterior


def score_parts(dag: LatentDag, scorer: Scorer, kept: KeptScores = NO_SCORES) -> tuple[Part, ...]:
    """The parts of a DAG, which add up to its score; every observed variable is in exactly one.

    kept : of parts that a result has reported; all others are fitted, with the full effort of the scorer
    """
    pairs = []
    for key, variables in _sets_by_key(dag, scorer.dataset).items():
        known = kept.get(key)
        pairs.append(Part(variables, _fit(key, scorer) if known is None else known, key))
    return tuple(pairs)


def score_of(dag: LatentDag, scorer: Scorer, kept: KeptScores = NO_SCORES) -> float:
    """The score of a DAG, with the parts that a result has reported as they are."""
    return sum(part.score for part in score_parts(dag, scorer, kept))


def _fit(key: Hashable, scorer: Scorer) -> float:
    """The score of a part; never that of a visit, which may have been given little effort."""
    if isinstance(key, Component):
        return scorer.fit(key).p_elbo
    return scorer.family_score(*key)  # type: ignore[misc]


def compare_parts(
    a: LatentDag, b: LatentDag, scorer: Scorer, kept: KeptScores = NO_SCORES
) -> tuple[BlockDifference, ...]:
    """The blocks in which two DAGs differ, the largest difference first; together the difference of their scores."""
    first, second = score_parts(a, scorer, kept), score_parts(b, scorer, kept)
    same = {part.key for part in first} & {part.key for part in second}
    ours, theirs = ([part for part in parts if part.key not in same] for parts in (first, second))
    blocks = [
        BlockDifference(
            tuple(name for name in scorer.dataset.names if name in block),
            sum(part.score for part in ours if part.variables <= block),
            sum(part.score for part in theirs if part.variables <= block),
        )
        for block in _finest_unions([part.variables for part in (*ours, *theirs)])
    ]
    return tuple(sorted(blocks, key=lambda block: -abs(block.difference)))


def _finest_unions(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Sets that overlap, directly or through others, united."""
    blocks: list[frozenset[str]] = []
    for member in sets:
        touching = [block for block in blocks if block & member]
        blocks = [block for block in blocks if not block & member]
        blocks.append(member.union(*touching))
    return blocks
