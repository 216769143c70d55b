"""Why a mark of a learned PAG is there, or an edge is not: the step of the learner that decided it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from latconf_core.graph.marks import MARK_NAMES, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import EdgeRepaired, GraphStarted, PagLearned, Pair, PhaseStarted, TripleAmbiguous
from latconf_core.pag.replay import Replay
from latconf_core.wording.step_texts import step_kind, step_title, tell_step

UNTOLD = "The learner did not record why."
CHANGED = "was changed manually or by a repair after the PAG was learned"


@dataclass(frozen=True)
class MarkReason:
    """Why an end of an edge, or a pair without an edge, is as it is.

    step : of the learner that decided it; None where none did
    path : the triple or path that the step saw
    edges : the edges of it
    given, p_value : the separating set that decided, and its test
    is_learned : the graph is here as the learner left it
    """

    text: str
    step: int | None = None
    path: tuple[str, ...] = ()
    given: tuple[str, ...] | None = None
    p_value: float | None = None
    is_learned: bool = True
    edges: tuple[Pair, ...] = ()


def explain_mark(replay: Replay, graph: MixedGraph, node: str, other: str, *, is_exact: bool = False) -> MarkReason:
    """Why the mark at `node` on its edge with `other` is what it is; without an edge, why there is none.

    graph : the PAG as it is now, which may have been edited since it was learned
    is_exact : an oracle answered instead of tests on data
    """
    strangers = [name for name in (node, other) if name not in replay.nodes]
    if strangers:
        return MarkReason(f"{strangers[0]} was not there when the PAG was learned.", is_learned=False)
    learned = replay.graph(replay.last)
    before, now = learned.mark_at(node, other), graph.mark_at(node, other)
    reason = _explain_learned(replay, node, other, before, is_exact=is_exact)
    if before == now:
        return reason
    return replace(reason, text=f"{_say_changed(node, other, before, now)} {reason.text}", is_learned=False)


def say_origin(replay: Replay, step: int, node: str, other: str) -> str:
    """Which step put the mark that stands at `node` after a step."""
    until = [earlier for earlier in replay.steps_of_end(node, other) if earlier <= step]
    event = replay.events[until[-1]] if until else None
    if event is None or isinstance(event, GraphStarted):
        return f"The mark at {node} on its edge with {other} is still undecided."
    kind = step_kind(event)
    return f"The mark at {node} on its edge with {other} was set in step {until[-1] + 1}: {kind}, {step_title(event)}."


def _say_changed(node: str, other: str, before: Mark, now: Mark) -> str:
    if before == Mark.NONE:
        return "This edge was added manually or by a repair after the PAG was learned. The learned PAG has none:"
    if now == Mark.NONE:
        return "This edge was removed manually or by a repair after the PAG was learned. The learned PAG has one:"
    return f"The mark at {node} {CHANGED}. The learned PAG has {_a(before)} there:"


def _a(mark: Mark) -> str:
    return f"{'an' if mark == Mark.ARROW else 'a'} {MARK_NAMES[mark]}"


def _explain_learned(replay: Replay, node: str, other: str, mark: Mark, *, is_exact: bool) -> MarkReason:
    step = next(reversed(replay.steps_of_end(node, other)), None)
    event = None if step is None else replay.events[step]
    is_repaired = isinstance(event, EdgeRepaired)
    if step is None or isinstance(event, GraphStarted) or (mark == Mark.CIRCLE and not is_repaired):
        return _explain_untouched(replay, node, other, mark)
    if isinstance(event, PagLearned):
        return MarkReason(UNTOLD)
    told = tell_step(replay, step, is_exact=is_exact)
    return MarkReason(
        told.text, step, told.path, told.given, told.p_value, edges=(*told.pairs, *told.premises) if mark else ()
    )


def _explain_untouched(replay: Replay, node: str, other: str, mark: Mark) -> MarkReason:
    if mark == Mark.NONE:
        return MarkReason(
            f"The learner did not join {node} and {other}."
            if not any(isinstance(event, PhaseStarted) and event.phase == "score search" for event in replay.events)
            else f"The score search added no edge between {node} and {other}: none would have raised the score."
        )
    text = f"Circle at {node}: undecided. No test or rule determines whether {node} is a cause of {other}."
    for step, event in enumerate(replay.events):
        if isinstance(event, TripleAmbiguous) and event.b == node and other in (event.a, event.c):
            told = tell_step(replay, step)
            return MarkReason(f"{text} {told.text}", step, told.path, edges=told.premises)
    return MarkReason(text)
