"""Seeing a cause against setting it: what each does to an effect, and the open back-door paths between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import OptionError
from latconf_core.graph.bits import BitGraph, closure, unite
from latconf_core.graph.paths import PathVerdict
from latconf_core.graph.separation import explain_m_separation
from latconf_core.inference.asking import InferenceEngine
from latconf_core.inference.question import NOTHING, Question, check_variable
from latconf_core.phrases import list_names

MAX_PATHS = 30
SAME = 5e-4  # differences of probabilities that three decimals do not show


@dataclass(frozen=True, eq=False)
class Contrast:
    """One effect under two questions that differ in one thing: the cause's state is seen, or set.

    before, seen, set_to : the distribution of the effect with the rest of the question alone, and with the cause
    open_paths : the back-door paths that explain the difference; none where there cannot be one
    through : the latents on the paths that are listed
    sole_sources : the variables that every open path passes, listed or not; latents first
    truncated : not all open paths are listed
    """

    cause: str
    state: str
    effect: str
    states: tuple[str, ...]
    before: FloatArray
    seen: FloatArray
    set_to: FloatArray
    given: Question
    open_paths: tuple[PathVerdict, ...]
    through: tuple[str, ...]
    sole_sources: tuple[str, ...]
    latents: frozenset[str]
    truncated: bool

    @property
    def largest_difference(self) -> float:
        """The largest difference between a state's probability after seeing and after setting."""
        return float(abs(self.seen - self.set_to).max())

    def to_json(self) -> dict[str, Any]:
        """Everything by name."""
        shares = {"before": self.before, "see": self.seen, "do": self.set_to}
        return {
            "cause": self.cause,
            "state": self.state,
            "effect": self.effect,
            **{kind: dict(zip(self.states, share.tolist())) for kind, share in shares.items()},
            "open_back_door_paths": [list(path.nodes) for path in self.open_paths],
            "truncated": self.truncated,
            "comes_from": list(self.sole_sources),
            "sentence": contrast_sentence(self),
        }


def contrast(
    engine: InferenceEngine,
    cause: tuple[str, str],
    effect: str,
    *,
    see: Mapping[str, str] = NOTHING,
    do: Mapping[str, str] = NOTHING,
    control: RunControl | None = None,
) -> Contrast:
    """Seeing the cause's state against setting it, beside all else that is seen and set."""
    network = engine.network
    name, state = cause
    check_variable(effect, network.variables)
    if name == effect:
        raise OptionError(f"{name!r} cannot be cause and effect at once; choose two variables")
    rest_seen = {other: value for other, value in see.items() if other not in (name, effect)}
    rest_set = {other: value for other, value in do.items() if other not in (name, effect)}
    set_to = engine.ask(rest_seen, {**rest_set, name: state}, control=control)
    seen = engine.ask({**rest_seen, name: state}, rest_set, control=control)
    before = engine.ask(rest_seen, rest_set, control=control)
    graph = back_door_graph(network, name, tuple(rest_set))
    held = (*rest_seen, *rest_set)  # what is set has one value: nothing passes it
    verdict = explain_m_separation(graph, name, effect, held, max_paths=MAX_PATHS)
    listed = {node for path in verdict.open_paths for node in path.nodes}
    return Contrast(
        name,
        state,
        effect,
        network.states(effect),
        before.probabilities[effect],
        seen.probabilities[effect],
        set_to.probabilities[effect],
        Question(rest_seen, rest_set),
        verdict.open_paths,
        tuple(variable for variable in network.variables if variable in network.latents and variable in listed),
        sole_sources(graph, (name, effect), held, network.latents),
        network.latents,
        verdict.open_truncated,
    )


def back_door_graph(network: BayesNet, cause: str, cut: tuple[str, ...] = ()) -> BitGraph:
    """The DAG without the edges out of the cause and without those into what is set.

    Seeing and setting the cause tell the same of what it is separated from here (Pearl 2009, rule 2).
    """
    names = network.variables
    index = {name: i for i, name in enumerate(names)}
    parents, children = [0] * len(names), [0] * len(names)
    for parent, child in network.edges:
        if parent != cause and child not in cut:
            parents[index[child]] |= 1 << index[parent]
            children[index[parent]] |= 1 << index[child]
    return BitGraph(names, parents, children, [0] * len(names))


def sole_sources(
    graph: BitGraph, ends: tuple[str, str], given: tuple[str, ...], latents: frozenset[str]
) -> tuple[str, ...]:
    """The inner nodes that every open path between the two passes, latents first; none where no path is open."""
    index = {name: i for i, name in enumerate(graph.nodes)}
    first, second = (index[name] for name in ends)
    conditioned = sum(1 << index[name] for name in given)
    if not _reaches(graph, (first, second), conditioned, without=0):
        return ()
    inner = [i for i in range(len(graph.nodes)) if i not in (first, second)]
    sole = [graph.nodes[i] for i in inner if not _reaches(graph, (first, second), conditioned, without=1 << i)]
    return tuple(sorted(sole, key=lambda name: name not in latents))


def _reaches(graph: BitGraph, ends: tuple[int, int], conditioned: int, *, without: int) -> bool:
    """Whether an open path joins the two that avoids some nodes; colliders may be opened through those all the same."""
    opened = closure(graph.parents, conditioned)
    seen_out = seen_into = 0
    out_of, into = 1 << ends[0], 0
    while out_of or into:
        seen_out |= out_of
        seen_into |= into
        passed, collided = out_of & ~conditioned, into & opened
        out_of = unite(graph.parents, passed | collided) & ~seen_out & ~without
        into = unite(graph.children, passed | into & ~conditioned) & ~seen_into & ~without
    return bool((seen_out | seen_into) >> ends[1] & 1)


def contrast_sentence(effect_contrast: Contrast) -> str:
    """Whether seeing and setting differ, and where the difference comes from."""
    seen, effect = f"observing {effect_contrast.cause} = {effect_contrast.state}", effect_contrast.effect
    if not effect_contrast.open_paths:
        return f"No back-door path is open: {seen} and setting it predict the same for {effect}."
    by = f"by up to {effect_contrast.largest_difference:.3f}"
    what = f"{seen[0].upper()}{seen[1:]} and setting it differ {by} for {effect}."
    if effect_contrast.largest_difference < SAME:
        what = f"{seen[0].upper()}{seen[1:]} and setting it hardly differ for {effect}, although"
    return f"{what} {_source_sentence(effect_contrast)}"


def _source_sentence(effect_contrast: Contrast) -> str:
    n = len(effect_contrast.open_paths)
    start = (
        "One back-door path is open" if n == 1 and not effect_contrast.truncated else f"{n} back-door paths are open"
    )
    start = f"At least {start}" if effect_contrast.truncated else start
    each = "" if n == 1 else "each "
    hidden = [name for name in effect_contrast.sole_sources if name in effect_contrast.latents]
    if hidden:
        return f"{start}, {each}through {list_names(hidden)}: this comes from {list_names(hidden)}."
    if effect_contrast.sole_sources:
        source = effect_contrast.sole_sources[0]
        return f"{start}, {each}through {source}, which is measured: this comes from {source}."
    through = (
        f"some through {list_names(effect_contrast.through)}"
        if effect_contrast.through
        else "none through a hidden cause"
    )
    return f"{start}, {through}."


def path_text(network: BayesNet, path: PathVerdict) -> str:
    """The path as it is drawn: `A ← L1 → B`."""
    edges = set(network.edges)
    text = path.nodes[0]
    for a, b in zip(path.nodes, path.nodes[1:]):
        text += f" {'→' if (a, b) in edges else '←'} {b}"
    return text
