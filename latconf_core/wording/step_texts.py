"""What happens in each step of a learner and why, in words, with what to point at in the graph."""

from __future__ import annotations

from dataclasses import dataclass

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import (
    KNOWLEDGE,
    ColliderOriented,
    EdgeRemoved,
    EdgeRepaired,
    GraphStarted,
    MarkChanged,
    PagEvent,
    PagLearned,
    Pair,
    PhaseStarted,
    ScoreStep,
    TripleAmbiguous,
)
from latconf_core.pag.replay import Replay
from latconf_core.phrases import counted, list_names, p_text
from latconf_core.wording.rule_texts import rule_premises, rule_sentences

_FOUND = {  # what is said of the set by the phase that found it
    "possible-d-sep": " Not all of this set are neighbours of either variable: it comes from a possible-d-sep set.",
    "triples": " The edge was tested again before a rule used it.",
    "shields": " The score search had added the edge, as it can when a hidden cause is involved.",
}


@dataclass(frozen=True)
class StepText:
    """One step in words.

    kind : what a list of steps is filtered by: "Edge removed", "R1", …
    title : the step in a few words
    text : what happens and why
    path : the triple or path to point at, in order
    pairs : the edges that change
    premises : the other edges that the step looked at
    given, p_value : the separating set that decided, where one did
    """

    kind: str
    title: str
    text: str
    path: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    given: tuple[str, ...] | None = None
    p_value: float | None = None
    premises: tuple[Pair, ...] = ()


def step_kind(event: PagEvent) -> str:
    """What a list of steps is filtered by."""
    match event:
        case PhaseStarted() | GraphStarted():
            return "New phase"
        case EdgeRemoved():
            return "Edge removed"
        case ColliderOriented():
            return "Collider"
        case TripleAmbiguous():
            return "Undecided triple"
        case ScoreStep():
            return "Score"
        case MarkChanged(rule):
            return "Knowledge" if rule == KNOWLEDGE else rule
        case EdgeRepaired():
            return "Repair"
        case _:
            return "Result"


def step_title(event: PagEvent) -> str:
    """The step in a few words, without its reason."""
    match event:
        case PhaseStarted(_, text) | GraphStarted(_, text):
            return text.partition(":")[0].partition(".")[0]
        case EdgeRemoved(x, y, given):
            return f"{x} - {y} removed, given {list_names(given)}"
        case ColliderOriented(a, b, c):
            return f"{a} *-> {b} <-* {c}"
        case TripleAmbiguous(a, b, c):
            return f"{a} - {b} - {c}: undecided"
        case ScoreStep(kind, x, y):
            return f"{x} - {y} {'added' if kind == 'insert' else 'removed'}"
        case MarkChanged(_, before, after):
            return f"{before} becomes {after}"
        case EdgeRepaired(before, after):
            return _repaired(before, after)
        case _:
            return "The PAG is complete"


def tell_step(replay: Replay, step: int, *, is_exact: bool = False) -> StepText:
    """What happens in a step and why; `is_exact` where an oracle answered instead of tests on data."""
    event = replay.events[step]
    teller = _Teller(replay, step, is_exact)
    text, path, given, p_value = teller.tell(event)
    few = replay.n_changes(step) <= 2 * len(replay.nodes)  # else a whole graph is put
    pairs = () if isinstance(event, GraphStarted) or not few else replay.changed_pairs(step)
    premises = _premises(event, pairs)
    return StepText(step_kind(event), step_title(event), text, path, pairs, given, p_value, premises)


def _premises(event: PagEvent, changed: tuple[Pair, ...]) -> tuple[Pair, ...]:
    match event:
        case MarkChanged():
            return rule_premises(event)
        case ColliderOriented(a, b, c) | TripleAmbiguous(a, b, c):
            pairs = {frozenset(pair) for pair in changed}
            return tuple(pair for pair in ((a, b), (b, c)) if frozenset(pair) not in pairs)
        case _:
            return ()


def independence_sentence(event: EdgeRemoved, *, is_exact: bool = False) -> str:
    """That a pair is independent, given what, and how the test came out: without a full stop."""
    given = f" given {list_names(event.given)}" if event.given else ""
    if is_exact:
        return f"{event.x} and {event.y} are d-separated{given}"
    return f"{event.x} and {event.y} are not significantly dependent{given} ({p_text(event.p_value)})"


def _outcome(p_value: float, is_exact: bool) -> str:
    return "d-separated in the DAG" if is_exact else p_text(p_value)


_Told = tuple[str, tuple[str, ...], tuple[str, ...] | None, float | None]


class _Teller:
    """The sentences of one step, which may speak of the graph before it and of sets found earlier."""

    def __init__(self, replay: Replay, step: int, is_exact: bool) -> None:
        self._replay = replay
        self._step = step
        self._is_exact = is_exact

    @property
    def _before(self) -> MixedGraph:
        return self._replay.graph(self._step - 1)

    def tell(self, event: PagEvent) -> _Told:
        """Text, path, separating set and p-value."""
        match event:
            case PhaseStarted(_, text) | GraphStarted(_, text):
                return text, (), None, None
            case EdgeRemoved():
                said = f"{independence_sentence(event, is_exact=self._is_exact)}; edge removed."
                return said + _FOUND.get(event.phase, ""), (event.x, event.y), event.given, self._shown(event.p_value)
            case ColliderOriented():
                return self._tell_collider(event)
            case TripleAmbiguous():
                return _tell_ambiguous(event), (event.a, event.b, event.c), None, None
            case MarkChanged():
                return self._tell_rule(event)
            case EdgeRepaired():
                return _tell_repair(event), event.ends, None, None
            case ScoreStep():
                return self._tell_score(event), (event.x, event.y), None, None
            case PagLearned():
                return self._tell_end(event), (), None, None
        raise ValueError(f"{type(event).__name__} is no step")

    def _shown(self, p_value: float | None) -> float | None:
        return None if self._is_exact else p_value

    def _tell_collider(self, event: ColliderOriented) -> _Told:
        a, b, c = event.a, event.b, event.c
        so = f"So {b} is a cause of neither, and both edges have an arrowhead at {b}."
        if self._replay.n_changes(self._step) == 1:
            so += " One of the two was already there."
        removal = self._replay.removal(a, c, until=self._step)
        p_value = None if removal is None else self._shown(removal.p_value)
        if event.is_by_score:
            text = (
                f"The scored graph has {a} --> {b} <-- {c}: a collider, which hidden causes cannot explain away. {so}"
            )
            return text, (a, b, c), None, None
        if event.n_sets is not None:
            text = f"{_tell_counts(event)} {so}"
        else:
            known = "" if removal is None else f"{independence_sentence(removal, is_exact=self._is_exact)}. "
            unneeded = "is not in that set" if event.given else "was not conditioned on"
            text = (
                f"{known}{b} is adjacent to both and {unneeded}. If {b} were a cause of {a} or of {c}, the "
                f"path through {b} would be open and the two would be dependent. {so}"
            )
        return text, (a, b, c), event.given, p_value

    def _tell_rule(self, event: MarkChanged) -> _Told:
        given, p_value = event.given, event.p_value
        if event.rule == "R4" and given is None:
            removal = self._replay.removal(event.path[0], event.path[-1], until=self._step)
            given, p_value = (None, None) if removal is None else (removal.given, removal.p_value)
        separated_by = ""
        if given is not None:
            told = "" if p_value is None else f" ({_outcome(p_value, self._is_exact)})"
            separated_by = f"{list_names(given) if given else 'the empty set'}{told}"
        name = "" if event.rule == KNOWLEDGE else f"{event.rule}: "
        text = f"{name}{rule_sentences(event, self._before, separated_by)} {event.before} becomes {event.after}."
        return text, event.path, given, self._shown(p_value)

    def _tell_score(self, event: ScoreStep) -> str:
        x, y, gain = event.x, event.y, f"{event.gain:,.1f} nats"
        if event.kind == "insert":
            said = f"Adding an edge between {x} and {y} raises the score by {gain}."
        else:
            said = f"Removing the edge between {x} and {y} raises the score by {gain}."
        n_others = len(self._replay.changed_pairs(self._step)) - 1
        if n_others <= 0:
            return said
        others = "One other edge changes direction" if n_others == 1 else f"{n_others} other edges change direction"
        return f"{said} {others} with it."

    def _tell_end(self, event: PagLearned) -> str:
        graph = event.result.graph
        circles = int((graph.marks == Mark.CIRCLE).sum())
        left = f"{counted(circles, 'end')} {'is' if circles == 1 else 'are'} left open"
        tests = f"{event.result.n_tests:,} {'d-separation queries' if self._is_exact else 'tests'}"
        said = f"No rule applies any more: this is the PAG. {counted(graph.n_edges, 'edge')}, {left}, {tests}."
        return " ".join([said, *event.result.notes])


def _repaired(before: Edge | None, after: Edge | None) -> str:
    if before is None:
        return f"{after} added"
    return f"{before} removed" if after is None else f"{before} becomes {after}"


def _tell_repair(event: EdgeRepaired) -> str:
    """What a repair did, and that no test or rule speaks for it."""
    fault = f": {event.fault}" if event.fault else ""
    return (
        f"Repair: {_repaired(event.before, event.after)}. The rules ended with a graph that is not the PAG of any "
        f"MAG{fault}. Tests and score contradict each other, and this edge is different in the nearest valid PAG "
        "that was found. No test or rule supports this change itself."
    )


def _tell_counts(event: ColliderOriented) -> str:
    a, b, c = event.a, event.b, event.c
    joined = f"{b} is adjacent to {a} and {c}, and is"
    if event.n_sets == 1:
        return f"{joined} not in the only set that separates them."
    if not event.n_with:
        return f"{joined} in none of the {event.n_sets} sets that separate them."
    return f"{joined} in only {event.n_with} of the {event.n_sets} sets that separate them, fewer than half."


def _tell_ambiguous(event: TripleAmbiguous) -> str:
    a, b, c = event.a, event.b, event.c
    if not event.n_sets:
        return (
            f"{a} - {b} - {c}: the sets that separate {a} and {c} could not all be listed, so the triple stays "
            "undecided."
        )
    return (
        f"{b} is in {event.n_with} of the {event.n_sets} sets that separate {a} and {c}. The tests contradict "
        f"each other about whether {b} is a collider, so the triple stays undecided and no rule uses it."
    )
