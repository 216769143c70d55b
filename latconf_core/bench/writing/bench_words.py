"""What a bench found and how it was run, in sentences: the same in every file and in the window."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.bench.bench_columns import BenchRow
from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.bench_table import RANK_TITLES, BenchTable
from latconf_core.bench.cell import learner_title, method_title
from latconf_core.bench.mean_ranks import rank_methods
from latconf_core.counted import counted
from latconf_core.density.baselines import CANNOT_SAY
from latconf_core.durations import duration
from latconf_core.search.catalogue import search_title
from latconf_core.search.outcome.wording import nats, odds

COMPARABLE = (
    "p-ELBO is comparable between all searches here because one scorer, one prior and one penalty are used; it is "
    "that of the whole table."
)
HELD_OUT = (
    "Held-out likelihood: the found DAG keeps its edges and latents, its tables are fitted on {train} of the rows and "
    "must foresee the other {test}; all methods have the same rows. The DAG itself was found on all rows, so this "
    "judges what a model says of new rows, not whether the search would find it again."
)
TRUTHS = (
    "Where the truth is known, models are compared with it by their MAGs, and latents by their children; variables of "
    "the truth that the table lacks are hidden."
)


def headline(table: BenchTable) -> str:
    """How much was run."""
    plan = table.plan
    n_rows = len(table.rows())
    return f"{counted(len(plan.data), 'data set')}, {counted(len(plan.methods), 'method')}, {counted(n_rows, 'result')}"


def findings(table: BenchTable) -> Iterator[str]:
    """Who was best, in a few sentences."""
    rows = table.rows()
    ranked = rank_methods(rows, "p_elbo")
    if ranked.ranks:
        best, place = next(iter(ranked.ranks.items()))
        yield (
            f"By p-ELBO {method_title(best)} is best: mean rank {place:.2f} of {len(ranked.ranks)} over "
            f"{counted(len(ranked.data), 'data set')}."
        )
    foreseen = rank_methods(rows, "held_out")
    if foreseen.ranks:
        best, place = next(iter(foreseen.ranks.items()))
        yield f"By held-out likelihood {method_title(best)} is best: mean rank {place:.2f} of {len(foreseen.ranks)}."
    yield from _latents_found(table, rows)
    if table.plan.options.densities:
        yield CANNOT_SAY


def rank_sentences(table: BenchTable) -> Iterator[str]:
    """Every mean rank, for where no table of them stands."""
    for what, title in RANK_TITLES.items():
        ranks = rank_methods(table.rows(), what).ranks
        if ranks:
            yield f"{title}: {', '.join(f'{method_title(one)} {place:.2f}' for one, place in ranks.items())}."


def _latents_found(table: BenchTable, rows: list[BenchRow]) -> Iterator[str]:
    """Which methods found how many of the hidden variables."""
    told = []
    for method in table.plan.methods:
        own = [row.against for row in rows if row.cell.method == method and row.against and row.knows_latents]
        n_true = sum(len(one.latents) for one in own)
        if n_true:
            n_exact = sum(one.n_latents_exact for one in own)
            n_partial = sum(0 < match.overlap < 1 for one in own for match in one.latents)
            n_wrong = sum(one.n_latents_wrong for one in own)
            claimed = f", and claims {n_wrong} that are not there" if n_wrong else ""
            told.append(f"{method_title(method)} {n_exact} of {n_true} exactly, {n_partial} in part{claimed}")
    if told:
        yield f"Hidden variables found: {'; '.join(told)}."


def gap_sentence(row: BenchRow) -> str:
    """How far a model is from the true DAG, with odds; empty where that is not known."""
    if row.gap is None:
        return ""
    side = "above" if row.gap >= 0 else "below"
    return f"{nats(abs(row.gap))} nats {side} the true DAG (odds {odds(row.gap)})"


def conditions(plan: BenchPlan) -> Iterator[str]:
    """How it was run."""
    own = plan.options.options
    limit = "none" if own.time_limit is None else duration(own.time_limit)
    learners = ", ".join(learner_title(name) for name in plan.options.learners) or "none"
    yield f"Learners: {learners} (settings: {plan.options.preset})."
    yield f"Searches: {', '.join(search_title(name) for name in plan.options.searches)}."
    yield f"Seed {own.seed}, prior {own.vbem.prior}, time limit of a cell: {limit}."
    share = plan.options.split.test_share
    yield HELD_OUT.format(train=f"{1 - share:.0%}", test=f"{share:.0%}")
    yield COMPARABLE
    yield TRUTHS
