"""The score of every part of the DAG that a search reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.json_form import KEY
from latconf_core.score.naming import split
from latconf_core.score.scorer import Scorer


@dataclass(frozen=True)
class PartScore:
    """A family without latents, or latents joined by common children: the variables it explains, and its p-ELBO."""

    variables: tuple[str, ...] = field(metadata={KEY: "part"})
    p_elbo: float


def known_part_scores(dag: LatentDag, scorer: Scorer) -> tuple[PartScore, ...]:
    """The parts of a DAG, which add up to its p-ELBO, as far as they were scored; nothing is scored for it."""
    names, known, parts = scorer.dataset.names, scorer.known, split(dag, scorer.dataset)
    part_scores = [
        PartScore((names[child],), known.families[child][parents])
        for child, parents in parts.families
        if parents in known.families[child]
    ]
    for component in parts.components:
        if component in known.components:
            children = (family.child for family in component.families if not component.is_latent(family))
            part_scores.append(PartScore(tuple(names[child] for child in children), known.components[component].p_elbo))
    return tuple(part_scores)
