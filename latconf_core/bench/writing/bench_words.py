"""What a bench found and how it was run, in sentences: the same in every file and in the window."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.bench_table import RANK_TITLES, BenchTable
from latconf_core.bench.cell import learner_title, method_title
from latconf_core.bench.mean_ranks import rank_methods
from latconf_core.density.baselines import CANNOT_SAY
from latconf_core.phrases import counted, duration, nats
from latconf_core.search.catalogue import search_title

COMPARABLE = (
    "p-ELBO is comparable between all searches because they share one scorer, prior and penalty; it refers to {rows}."
)
SPLIT_FIRST = (
    "{test} of the rows were held out first; PAGs were learned and searched on the other {train} only. "
    "The tables of each DAG, including the true one, are fitted on these training rows and predict the "
    "held-out rows, which are the same for all methods."
)
FRESH = (
    "If the true network is known, {number} fresh rows were drawn from it (seed {seed}) and predicted in the same way."
)
TIES = "Differences are paired by row; methods within two standard errors of a better one share its rank."
WHOLE_TABLE = "As in the paper's Table 2, PAGs were learned and searched on the whole table; no rows were held out."
TRUTHS = (
    "If the truth is known, models are compared with it by their {view}s, and latents by their children; "
    "variables missing from the table are hidden."
)
RANKED_BY = {"fresh": "fresh rows", "held_out": "held-out likelihood", "p_elbo": "p-ELBO"}


def headline(table: BenchTable) -> str:
    """How much was run."""
    plan = table.plan
    n_rows = len(table.rows())
    return f"{counted(len(plan.data), 'data set')}, {counted(len(plan.methods), 'method')}, {counted(n_rows, 'result')}"


def findings(table: BenchTable) -> Iterator[str]:
    """Who was best, in a few sentences."""
    rows = table.rows()
    for what, called in RANKED_BY.items():
        ranked = rank_methods(rows, what)
        if ranked.ranks:
            best, rank = next(iter(ranked.ranks.items()))
            equal = [method_title(method) for method, other in ranked.ranks.items() if other == rank]
            are = f"{method_title(best)} is best" if len(equal) == 1 else f"{', '.join(equal)} are tied as best"
            over = f"{rank:.2f} of {len(ranked.ranks)} over {counted(len(ranked.data), 'data set')}"
            yield f"By {called} {are}: mean rank {over}."
    yield from _latents_found(table, rows)
    if table.plan.options.densities:
        yield CANNOT_SAY


def rank_sentences(table: BenchTable) -> Iterator[str]:
    """Every mean rank, for where no table of them stands."""
    for what, title in RANK_TITLES.items():
        ranks = rank_methods(table.rows(), what).ranks
        if ranks:
            yield f"{title}: {', '.join(f'{method_title(value)} {rank:.2f}' for value, rank in ranks.items())}."


def _latents_found(table: BenchTable, rows: list[BenchRow]) -> Iterator[str]:
    """Which methods found how many of the hidden variables."""
    told = []
    for method in table.plan.methods:
        judged = [row.against for row in rows if row.cell.method == method and row.against and row.knows_latents]
        n_true = sum(len(against.latents) for against in judged)
        if n_true:
            n_exact = sum(against.n_latents_exact for against in judged)
            n_partial = sum(0 < match.overlap < 1 for against in judged for match in against.latents)
            n_wrong = sum(against.n_latents_wrong for against in judged)
            claimed = f", {counted(n_wrong, 'false positive')}" if n_wrong else ""
            told.append(f"{method_title(method)} {n_exact} of {n_true} exactly, {n_partial} partially{claimed}")
    if told:
        yield f"Hidden variables found: {'; '.join(told)}."


def gap_sentence(row: BenchRow) -> str:
    """How far a model's p-ELBO is from that of the true DAG; empty where that is not known."""
    if row.gap is None:
        return ""
    side = "above" if row.gap >= 0 else "below"
    return f"{nats(abs(row.gap))} nats {side} the true DAG"


def conditions(plan: BenchPlan) -> Iterator[str]:
    """How it was run."""
    bench_options = plan.options.options
    limit = "none" if bench_options.time_limit is None else duration(bench_options.time_limit)
    learners = ", ".join(learner_title(name) for name in plan.options.learners) or "none"
    yield f"Learners: {learners} (settings: {plan.options.preset})."
    yield f"Searches: {', '.join(search_title(name) for name in plan.options.searches)}."
    yield f"Seed {bench_options.seed}, prior {bench_options.vbem.prior}, time limit per cell: {limit}."
    options, share = plan.options, plan.options.split.test_share
    if options.splits_first:
        yield SPLIT_FIRST.format(train=f"{1 - share:.0%}", test=f"{share:.0%}")
        if any(data.network is not None for data in plan.data):
            yield FRESH.format(number=f"{options.fresh_rows:,}", seed=options.split.seed)
        yield TIES
    else:
        yield WHOLE_TABLE
    yield COMPARABLE.format(rows="the training rows" if options.splits_first else "the whole table")
    yield TRUTHS.format(view=options.compared_as)
