"""Questions to a network with latents and their exact answers: see, do, before and after."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.reading.frames import make_frame
from latconf_core.inference.junction_tree import ImpossibleEvidenceError, JunctionTree
from latconf_core.inference.question import NOTHING, Question
from latconf_core.phrases import list_names
from latconf_core.pictures import make_table

if TYPE_CHECKING:
    import pandas as pd

MAX_KEPT = 3  # networks after cuts: the one without, and the two of a contrast
CAVEAT = "Interventions are answered by this DAG. Equally good DAGs of its class may answer differently."


@dataclass(frozen=True, eq=False)
class Answer:
    """The distribution of every variable, and how probable it is to see what was seen, given what was set.

    before : the distributions with nothing seen or set
    """

    network: BayesNet
    question: Question
    probabilities: Mapping[str, FloatArray]
    before: Mapping[str, FloatArray]
    log_probability: float

    @property
    def probability(self) -> float:
        """Of what was seen; may be too small for a number and then 0, where `log_probability` still says it."""
        return math.exp(self.log_probability)

    def __getitem__(self, variable: str) -> dict[str, float]:
        """The probability of each state of a variable."""
        return self._by_state(variable, self.probabilities[variable])

    def most_probable(self, variable: str) -> tuple[str, float]:
        """The most probable state of a variable with its probability; of several the first."""
        shares = self.probabilities[variable]
        best = int(shares.argmax())
        return self.network.states(variable)[best], float(shares[best])

    def rows(self) -> Iterator[tuple[str, str, float, float]]:
        """Variable, state, probability before and after, in the network's order."""
        for name in self.network.variables:
            yield from (
                (name, state, float(before), float(after))
                for state, before, after in zip(self.network.states(name), self.before[name], self.probabilities[name])
            )

    def to_pandas(self) -> pd.DataFrame:
        """A row per state of every variable, with its probability before and after."""
        titles = ("variable", "state", "before", "after")
        return make_frame(dict(zip(titles, zip(*self.rows()))))

    def _repr_html_(self) -> str:
        rows: list[list[object]] = [[name, state, f"{a:.4f}", f"{b:.4f}"] for name, state, a, b in self.rows()]
        told = f"<p>{escape(CAVEAT)}</p>" if self.question.do else ""
        return told + make_table(["variable", "state", "before", "after"], rows)

    def to_json(self) -> dict[str, Any]:
        """Everything by name; `caveat` where something was set."""
        content = {
            "see": dict(self.question.see),
            "do": dict(self.question.do),
            "probability_of_evidence": self.probability,
            "log_probability_of_evidence": self.log_probability,
            "latents": [name for name in self.network.variables if name in self.network.latents],
            "probabilities": {
                name: self._by_state(name, probability) for name, probability in self.probabilities.items()
            },
            "before": {name: self._by_state(name, value) for name, value in self.before.items()},
        }
        return {**content, "caveat": CAVEAT} if self.question.do else content

    def _by_state(self, name: str, shares: FloatArray) -> dict[str, float]:
        return dict(zip(self.network.states(name), shares.tolist()))


class InferenceEngine:
    """A network that is asked again and again, by one thread at a time; what was built for the latest cuts is kept."""

    def __init__(self, network: BayesNet) -> None:
        self.network = network
        self._before: Mapping[str, FloatArray] | None = None
        self._trees: dict[tuple[tuple[str, int], ...], JunctionTree] = {}

    def ask(
        self, see: Mapping[str, str] = NOTHING, do: Mapping[str, str] = NOTHING, *, control: RunControl | None = None
    ) -> Answer:
        """The answer; ImpossibleEvidenceError, in a sentence, where what was seen cannot be."""
        question = Question(dict(see), dict(do))
        question.check(self.network)
        before = self.before(control=control)
        seen, set_to = question.codes(self.network)
        if question.is_empty:
            return Answer(self.network, question, before, before, 0.0)
        tree = self._tree_after(set_to)
        log_probability = tree.log_probability(seen, control=control)
        if log_probability == -math.inf:
            raise ImpossibleEvidenceError(_impossible(question, tree.conflict(seen, control=control)))
        shares = tree.marginals(seen, control=control)
        return Answer(self.network, question, shares, before, log_probability)

    def before(self, *, control: RunControl | None = None) -> Mapping[str, FloatArray]:
        """The distribution of every variable with nothing seen or set."""
        if self._before is None:
            self._before = self._tree_after({}).marginals({}, control=control)
        return self._before

    def joint(self, names: Sequence[str], *, control: RunControl | None = None) -> FloatArray:
        """The joint distribution of some variables with nothing seen or set, an axis for each."""
        return self._tree_after({}).joint(names, control=control)

    def _tree_after(self, set_to: dict[str, int]) -> JunctionTree:
        key = tuple(sorted(set_to.items()))
        tree = self._trees.pop(key, None) or JunctionTree(self.network, set_to)
        while len(self._trees) >= MAX_KEPT:
            self._trees.pop(next(iter(self._trees)))
        self._trees[key] = tree  # last, as the latest used
        return tree


def ask_network(
    network: BayesNet,
    see: Mapping[str, str] = NOTHING,
    do: Mapping[str, str] = NOTHING,
    *,
    control: RunControl | None = None,
) -> Answer:
    """The exact distribution of every variable after seeing and setting states."""
    return InferenceEngine(network).ask(see, do, control=control)


def _impossible(question: Question, names: tuple[str, ...]) -> str:
    """That these cannot be seen, and what to do."""
    states = [f"{name} = {question.see[name]}" for name in names]
    after = ", ".join(f"{name} = {state}" for name, state in question.do.items())
    where = f"after setting {after}" if after else "in this model"
    if len(states) == 1:
        return f"{states[0]} cannot be observed {where}: its probability is 0; remove it"
    return f"{list_names(states)} cannot be observed together {where}: their probability is 0; remove one of them"
