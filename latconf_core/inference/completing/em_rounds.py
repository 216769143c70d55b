"""Structural EM (Friedman 1998) without latents: complete the rows by a DAG, look for the best DAG, again.

With every completion listed the score of a round, expected score and entropy, is a lower bound of the log evidence of
the cells that were observed, and never falls for a fixed DAG: the Dirichlet-multinomial of expected counts is the bound
of a VB-E step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.objectives import JUDGING
from latconf_core.families.priors import Priors
from latconf_core.graph.bits import bits
from latconf_core.inference.completing.completions import Completion, CompletionPlan, complete_rows
from latconf_core.inference.completing.expected_logs import LogTable, available_tables, log_table, tables_of_cpts
from latconf_core.inference.completing.node_average import node_average_score
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.structure.best_dag import best_of, reach_best, reach_best_by
from latconf_core.structure.family_table import Parents

MOST_ROUNDS = 5


@dataclass(frozen=True, eq=False)
class EmRound:
    """A DAG, the rows completed by it, and what both are worth.

    score : of the DAG on its completions, and their entropy; comparable within a run
    """

    parents: Parents
    completion: Completion
    score: float


def begin(
    dataset: Dataset,
    options: VbemOptions,
    plan: CompletionPlan,
    *,
    control: RunControl,
    known: BoundKnowledge | None = None,
) -> EmRound:
    """The best allowed DAG by node-average scores, and the rows completed by what is observed of its families."""
    n_variables, checkpoint = dataset.n_variables, control.checkpoint
    score = node_average_score(dataset)
    best = best_of(reach_best(n_variables, score, seed=plan.seed, checkpoint=checkpoint, known=known, is_short=True))
    return begin_at(dataset, best.parents, options, plan, control=control)


def begin_at(
    dataset: Dataset, parents: Parents, options: VbemOptions, plan: CompletionPlan, *, control: RunControl
) -> EmRound:
    """The rows completed by a DAG, its tables those of the rows that are complete in each family."""
    priors = Priors(dataset, options)
    tables = available_tables(dataset, [list(bits(mask)) for mask in parents], priors)
    return _round(dataset, parents, tables, options, plan, control)


def next_round(
    now: EmRound,
    options: VbemOptions,
    plan: CompletionPlan,
    *,
    control: RunControl,
    known: BoundKnowledge | None = None,
) -> EmRound:
    """The best allowed DAG on the completed rows, climbed to from the present one, and rows completed by it."""
    scorer = Scorer(now.completion.data, options, control=control)
    best = best_of(
        reach_best_by(
            scorer,
            seed=plan.seed,
            checkpoint=control.checkpoint,
            known=known,
            start=now.parents,
            is_short=True,  # a round need not find the very best
        )
    )
    return complete_by(now, best.parents, options, plan, control=control)


def complete_by(
    now: EmRound, parents: Parents, options: VbemOptions, plan: CompletionPlan, *, control: RunControl
) -> EmRound:
    """The rows completed anew by a DAG, its tables those of the present completions."""
    source = now.completion.data.source
    tables = plain_tables(now.completion.data, parents, options)
    return _round(source, parents, tables, options, plan, control)


def rounds(
    dataset: Dataset,
    options: VbemOptions | None = None,
    plan: CompletionPlan | None = None,
    *,
    control: RunControl,
    known: BoundKnowledge | None = None,
) -> Iterator[EmRound]:
    """The rounds of structural EM without latents, until the DAG repeats or MOST_ROUNDS were made.

    known : what every DAG obeys
    """
    options, plan = JUDGING.apply(options or VbemOptions()), plan or CompletionPlan()
    now = begin(dataset, options, plan, control=control, known=known)
    yield now
    for _ in range(MOST_ROUNDS - 1):
        before, now = now, next_round(now, options, plan, control=control, known=known)
        yield now
        if now.parents == before.parents:
            return


def complete_by_best_dag(
    dataset: Dataset, *, seed: int = 0, control: RunControl, known: BoundKnowledge | None = None
) -> EmRound:
    """The last round of structural EM without latents; remembered with the data."""
    bound = known if known is not None and known.binds else None
    kept: dict[tuple[int, BoundKnowledge | None], EmRound] = dataset.__dict__.setdefault("_em_rounds", {})
    if (seed, bound) not in kept:
        *_, last = rounds(dataset, plan=CompletionPlan(seed=seed), control=control, known=bound)
        kept[seed, bound] = last
    return kept[seed, bound]


def rows_to_score(
    dataset: Dataset, *, seed: int = 0, control: RunControl | None = None, known: BoundKnowledge | None = None
) -> Dataset:
    """The data themselves where no cell is missing, else their rows completed by the best DAG without latents.

    known : what that DAG obeys
    """
    if dataset.is_complete:
        return dataset
    return complete_by_best_dag(dataset, seed=seed, control=control or RunControl(), known=known).completion.data


def complete_by_model(
    data: Completion, dag: LatentDag, options: VbemOptions, plan: CompletionPlan, *, control: RunControl
) -> Completion:
    """The rows completed by a DAG with latents, fitted to the present completions; latents are summed out."""
    present = data.data
    posterior = Scorer(present, options, control=control).posterior(dag)
    tables = tables_of_cpts(posterior.cpts, present.names)
    latents = [len(posterior.cpts[latent.name].states) for latent in dag.latents]
    return complete_rows(present.source, tables, [*present.n_states, *latents], plan=plan, control=control)


def plain_tables(data: Dataset, parents: Sequence[int], options: VbemOptions) -> list[LogTable]:
    """The expected logs of a DAG's tables on completed rows."""
    families = DiscreteFamilies(data, options)
    above = [list(bits(mask)) for mask in parents]
    return [log_table([*parents, child], families.table(child, parents)) for child, parents in enumerate(above)]


def _round(
    dataset: Dataset,
    parents: Parents,
    tables: Sequence[LogTable],
    options: VbemOptions,
    plan: CompletionPlan,
    control: RunControl,
) -> EmRound:
    completion = complete_rows(dataset, tables, dataset.n_states, plan=plan, control=control)
    scorer = Scorer(completion.data, options, control=control)
    score = sum(map(scorer.family_score, range(len(parents)), parents)) + completion.entropy
    return EmRound(parents, completion, score)
