"""The columns of the table of visits: one record each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from latconf_core.phrases import nats
from latconf_core.search.outcome.history import History
from latconf_core.wording.evidence_texts import SAME_NATS, latents_text


@dataclass(frozen=True, eq=False)
class VisitColumn:
    """What a column of the table says of every visit, and by what it is sorted.

    text : of one visit, by its number; sort_key : of all visits
    widest : a text as wide as any; empty where it may be cut
    is_number : whether it stands on the right
    is_fixed : whether the text of a visit stays as it is, so that it can be kept
    """

    title: str
    tip: str
    text: Callable[[History, int], str]
    sort_key: Callable[[History], np.ndarray]
    widest: str = ""
    is_number: bool = True
    is_fixed: bool = False


def _below_best(visits: History, number: int) -> str:
    best = number if visits.best is None else visits.best.index
    below = visits.score(best) - visits.score(number)
    return f"{below if abs(below) >= SAME_NATS else 0.0:,.2f}"


def _difference_to_best(visits: History, number: int) -> str:
    """The edges that a DAG has more and less than the best, e.g. "+ A → B, − C → D"."""
    if visits.best is None or visits.is_best(number):
        return "the best"
    own, best = (set(visits.dag(which).edges) for which in (number, visits.best.index))
    said = [f"{sign} {a} → {b}" for sign, edges in (("+", own - best), ("−", best - own)) for a, b in sorted(edges)]
    return ", ".join(said) or "the same edges"


def _count_edges(visits: History) -> np.ndarray:
    return np.array(
        [sum(mask.bit_count() for mask in candidate.parents) for candidate in visits.candidates], dtype=np.int64
    )


NUMBER = VisitColumn(
    "DAG",
    "Position in the order of visits",
    lambda visits, number: f"{number + 1:,}",
    lambda visits: np.arange(len(visits)),
    widest="888,888",
)
SCORE = VisitColumn(
    "Score",
    "In nats, under the objective of the search; higher is better",
    lambda visits, number: nats(visits.score(number)),
    lambda visits: visits.p_elbo,
    widest="−8,888,888.88",
)
BELOW = VisitColumn(
    "Below best",
    "Nats below the best visited DAG; a hidden cause must gain at least 3",
    _below_best,
    lambda visits: -visits.p_elbo,
    widest="8,888,888.88",
)
LEVEL = VisitColumn(
    "Level",
    "Bidirected edges (<->) of the DAG's MAG; for Auto and Refine the number of latents",
    lambda visits, number: str(visits[number].level),
    lambda visits: visits.level,
    widest="88",
)
LATENTS = VisitColumn(
    "Latents",
    "Hidden common causes, with number of states and children",
    lambda visits, number: latents_text(visits.dag(number)),
    lambda visits: visits.n_latents,
    widest="L1 (2 states) → VARIABLE, VARIABLE",
    is_number=False,
    is_fixed=True,
)
EDGES = VisitColumn(
    "Edges",
    "Edges between measured variables compared with the best DAG: added (+), removed (−); sorted by number",
    _difference_to_best,
    _count_edges,
    is_number=False,
)
EFFORT = VisitColumn(
    "Fit",
    "light: a quick fit, whose score is a lower bound; full: a thorough fit, by the search or on the Model page",
    lambda visits, number: "light" if visits.is_light[number] else "full",
    lambda visits: visits.is_light.astype(np.int64),
    widest="light",
    is_number=False,
)
COLUMNS = [NUMBER, SCORE, BELOW, LEVEL, EFFORT, LATENTS, EDGES]  # left to right
