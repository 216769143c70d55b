"""Plain hill-climbing without latents: what the baselines are compared with."""

from __future__ import annotations

from latconf_core.control import StopReason
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.baselines.structural_em import LEAST_GAIN
from latconf_core.search.outcome.events import LevelStarted, Search
from latconf_core.search.run import SearchRun
from latconf_core.structure.family_table import FamilyTable
from latconf_core.structure.hill_climber import climb_steps


def hill_climbing(run: SearchRun) -> Search:
    """Add, delete or turn one edge at a time, always the best, from the DAG without edges."""
    options = run.options.glsl
    yield LevelStarted(0, None)
    scorer = run.own_scorer
    table = FamilyTable(
        run.dataset.n_variables,
        scorer.family_score,
        max_parents=options.max_parents,
        known=run.known,
        row=scorer.family_row,
    )
    for parents in climb_steps(
        table, least_gain=LEAST_GAIN, turns_edges=options.turns_edges, checkpoint=run.control.checkpoint
    ):
        yield run.record(BitDag(parents), table.total(parents), level=0)
    return StopReason.FINISHED
