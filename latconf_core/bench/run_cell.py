"""Runs one cell: learns the PAG where one is needed, searches, and predicts the rows that it did not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from latconf_core.bench.cell import FAILED, Cell, CellResult, FoundReference, shown_visits
from latconf_core.bench.row_logs import RowLogs
from latconf_core.bench.shared_work import SharedWork
from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.density.fit_density import DensityFitted, DensityOptions, fit_density, measure_density
from latconf_core.errors import LatconfError
from latconf_core.families.objectives import JUDGING, OBJECTIVES
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.held_out import fit_network, measure
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search

Runner = Callable[[Cell, SharedWork, RunControl, int], CellResult]


def run_cell(cell: Cell, shared: SharedWork, *, control: RunControl, workers: int = 1) -> CellResult:
    """The result of a cell, whatever ends it but a stop from outside, which passes through as StopRequested.

    workers : threads of the scoring; the result does not depend on them
    """
    try:
        return runner_of(cell)(cell, shared, control, workers)
    except LatconfError as error:  # this cell alone cannot be run
        return CellResult(FAILED, notes=(str(error),))


def runner_of(cell: Cell) -> Runner:
    """The function that runs cells of this kind."""
    if cell.is_density:
        return predict_by_density
    return score_truth if cell.is_truth else search


def score_truth(cell: Cell, shared: SharedWork, control: RunControl, workers: int) -> CellResult:
    """The score of a given DAG, and how it predicts other rows."""
    assert cell.dag is not None
    began = perf_counter()
    seen = shared.seen_by(cell)
    posterior = Scorer(seen, _vbem(cell), control=control).posterior(cell.dag)
    seconds = perf_counter() - began
    return predict_other_rows(
        CellResult(
            StopReason.FINISHED.value,
            dag=cell.dag,
            p_elbo=posterior.p_elbo,
            elbo=posterior.elbo,
            n_rows=seen.n_rows,
            seconds=seconds,
            n_visited=1,
            n_parameters=posterior.n_free_parameters,
            converged=posterior.converged,
        ),
        cell,
        shared,
        control,
    )


def predict_by_density(cell: Cell, shared: SharedWork, control: RunControl, workers: int) -> CellResult:
    """How a density baseline predicts held-out rows: a lower bound, and nothing else."""
    parts = None if cell.split is None else shared.split(cell.split)
    if parts is None:
        return CellResult(FAILED, notes=("too few rows to hold some out",))
    train, test = parts
    began, options = perf_counter(), DensityOptions(seed=cell.options.seed)
    child = control.child(time_limit=cell.options.time_limit)
    try:
        fitted = next(
            event
            for event in fit_density(train, cell.search, options=options, control=child)
            if isinstance(event, DensityFitted)
        )
        bound = measure_density(fitted.density, test, options=options, control=child)
    except StopRequested as stop:
        control.checkpoint()
        return CellResult(stop.reason.value, notes=(f"training took more than {cell.options.time_limit:g} s",))
    notes = () if bound.has_converged else (f"not converged: the last draws added {bound.change:.2f} nats per row",)
    return CellResult(
        StopReason.FINISHED.value,
        n_rows=train.n_rows,
        seconds=perf_counter() - began,
        n_parameters=fitted.n_parameters,
        notes=(*fitted.notes, *notes),
        held_out=bound.per_row,
        held_out_error=bound.standard_error,
        is_bound=True,
    )


def search(cell: Cell, shared: SharedWork, control: RunControl, workers: int) -> CellResult:
    """Learn the PAG unless others have, search, and measure what was found."""
    limit = cell.options.time_limit
    names = shared.dataset.names
    learned, graph = None, MixedGraph(names, np.zeros((len(names), len(names)), dtype=np.uint8))
    if cell.pag is not None:
        try:
            learned = shared.learn(cell, cell.pag, control=control.child(time_limit=limit))
        except StopRequested as stop:
            control.checkpoint()
            return CellResult(stop.reason.value, notes=(f"learning the PAG took more than {limit:g} s",))
        graph = learned.graph
    result = _result(cell, shared, graph, control=control, workers=workers)
    if result.stop_reason is StopReason.CANCELLED:
        raise StopRequested(StopReason.CANCELLED)
    searched = replace(_measured(cell, shared, result), pag=learned)
    return predict_other_rows(searched, cell, shared, control)


def _result(cell: Cell, shared: SharedWork, graph: MixedGraph, *, control: RunControl, workers: int) -> SearchResult:
    for event in start_search(
        shared.seen_by(cell),
        graph,
        cell.search,
        options=replace(cell.options, workers=workers),
        control=control,
        references=shared.references,
        with_evidence=False,
        knowledge=cell.knowledge,
    ):
        if isinstance(event, SearchFinished):
            return event.result
    raise AssertionError("a search ends with its result")


def _measured(cell: Cell, shared: SharedWork, result: SearchResult) -> CellResult:
    """What the table needs of a result; the time for the best DAG without latents counts for all that use it."""
    seen = shared.seen_by(cell)
    bound = cell.knowledge.bind(seen.names)
    has_reference = result.reference_seconds is not None
    reached = shared.references.recall(seen, cell.options, known=bound) if has_reference else None
    if reached is not None:
        shared.reference_seconds = max(shared.reference_seconds, result.reference_seconds or 0.0)
    apart = shared.reference_seconds if reached is not None else result.reference_seconds or 0.0
    posterior = result.posterior
    is_paper = result.objective is OBJECTIVES["paper"]
    if result.best is not None and (posterior is None or not is_paper):
        posterior = Scorer(seen, _vbem(cell)).posterior(result.best)  # p-ELBO of all methods is that of the paper
    visits = [(visit.level, visit.p_elbo) for visit in result.history] if is_paper else []
    return CellResult(
        result.stop_reason.value,
        dag=result.best,
        p_elbo=None if posterior is None else posterior.p_elbo,
        elbo=None if posterior is None else posterior.elbo,
        n_rows=seen.n_rows,
        seconds=result.seconds + apart + (result.evidence_seconds or 0.0),
        n_visited=len(result.history),
        n_parameters=None if posterior is None else posterior.n_free_parameters,
        converged=None if posterior is None else posterior.converged,
        notes=result.cuts,
        visits=shown_visits(visits),
        level_name=result.history.level_name,
        reference=None if reached is None else FoundReference(reached, shared.reference_seconds),
    )


def predict_other_rows(result: CellResult, cell: Cell, shared: SharedWork, control: RunControl) -> CellResult:
    """The result with the likelihood of held-out and fresh rows, its tables fitted on the rows that it saw."""
    parts = None if cell.split is None else shared.split(cell.split)
    if parts is None:
        note = () if cell.split is None else ("too few rows to hold some out",)
        return replace(result, notes=(*result.notes, *note))
    if result.dag is None:
        return result
    others = {"held_out": parts[1]}
    if cell.fresh is not None:
        others["fresh"] = shared.fresh(cell.fresh)
    try:
        network = fit_network(
            result.dag, parts[0], [*others.values()], options=JUDGING.apply(_vbem(cell)), control=control
        )
        measured = {name: _measure(network, rows, name, control) for name, rows in others.items()}
    except LatconfError as error:  # too many joint states: the model itself is still worth a row
        return replace(result, notes=(*result.notes, f"held-out likelihood omitted: {error}"))
    return replace(result, **{key: value for fields in measured.values() for key, value in fields.items()})


def _measure(network: BayesNet, rows: Dataset, name: str, control: RunControl) -> dict[str, Any]:
    """The fields of a result for one table of rows that were not seen."""
    measured = measure(network, rows, control=control)
    logs = RowLogs.of(measured.of_distinct[rows.distinct.of_row])
    return {name: measured.per_row, f"{name}_error": measured.standard_error, f"{name}_logs": logs}


def _vbem(cell: Cell) -> VbemOptions:
    return OBJECTIVES["paper"].apply(replace(cell.options.vbem, seed=cell.options.seed))
