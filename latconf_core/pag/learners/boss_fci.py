"""BOSS-FCI: GFCI from a search over orders (Andrews, Ramsey et al. 2023), which goes on where FGES ends."""

from __future__ import annotations

from latconf_core.pag.events import GraphStarted, PhaseStarted
from latconf_core.pag.learners.gfci import GFCI, learn_from_scored
from latconf_core.pag.learners.learner import Learner, Learning
from latconf_core.pag.learners.score_search import search_orders, search_under_knowledge
from latconf_core.pag.learners.work import Work


def learn_boss_fci(work: Work) -> Learning:
    """BOSS-FCI; returns the oriented marks."""
    yield GraphStarted((), "There are no edges yet: those of the best-scoring DAG are added.")
    yield PhaseStarted(
        "score search",
        (
            "Score search: find the order of the variables whose DAG has the best BDeu score, then add its "
            "edges, causes before effects. Edges on which equally good DAGs disagree are shown as o-o."
        ),
    )
    scored = yield from (search_under_knowledge(work, is_thorough=True) if work.known.binds else search_orders(work))
    return (yield from learn_from_scored(work, scored))


BOSS_FCI = Learner(
    "boss-fci",
    "BOSS-FCI",
    "Like GFCI, but from a search over variable orders, which finds higher scores.",
    GFCI.options,
    learn_boss_fci,
    takes_oracle=False,
)
