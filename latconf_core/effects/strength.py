"""How strong a hidden cause would have to be to explain an effect away, and how strong one of the model is.

E-value: VanderWeele and Ding (2017); bounding factor: Ding and VanderWeele (2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.effects.effect_question import EffectQuestion
from latconf_core.graph.bits import bits, closure
from latconf_core.inference.adjustment import CausalGraph, Names
from latconf_core.inference.asking import InferenceEngine


def e_value(risk_ratio: float) -> float:
    """What both ratios of a hidden cause must be at least to explain a risk ratio away, whichever way it points."""
    ratio = risk_ratio if risk_ratio >= 1 else (math.inf if risk_ratio <= 0 else 1 / risk_ratio)
    return ratio if math.isinf(ratio) else ratio + math.sqrt(ratio * (ratio - 1))


def bounding_factor(on_cause: float, on_effect: float) -> float:
    """The largest risk ratio that a hidden cause of this strength can make up alone."""
    if math.isinf(on_cause):
        return on_effect
    return on_cause if math.isinf(on_effect) else on_cause * on_effect / (on_cause + on_effect - 1)


@dataclass(frozen=True)
class HiddenStrength:
    """How strong a latent of the model is on both.

    on_cause : the largest ratio over its states u of P(u | x1) / P(u | x0), where x1 has the greater risk
    on_effect : the largest ratio of P(y | x, u) over two of its states, at one state of the cause
    """

    latent: str
    on_cause: float
    on_effect: float

    @property
    def factor(self) -> float:
        return bounding_factor(self.on_cause, self.on_effect)


@dataclass(frozen=True)
class Strength:
    """The adjusted risk ratio with its E-value, beside the hidden causes of the model.

    adjusted_for : the measured variables
    """

    risk_ratio: float
    adjusted_for: Names
    latents: tuple[HiddenStrength, ...]

    @property
    def needed_factor(self) -> float:
        """The bounding factor that explains the risk ratio away: itself, or its inverse where it is below 1."""
        return self.risk_ratio if self.risk_ratio >= 1 else (math.inf if self.risk_ratio <= 0 else 1 / self.risk_ratio)

    @property
    def e_value(self) -> float:
        return e_value(self.risk_ratio)

    def to_json(self) -> dict[str, Any]:
        """Every number; null for what is infinite."""
        return {
            "risk_ratio": _finite(self.risk_ratio),
            "adjusted_for": list(self.adjusted_for),
            "needed_factor": _finite(self.needed_factor),
            "e_value": _finite(self.e_value),
            "latents": [
                {
                    "latent": latent.latent,
                    "on_cause": _finite(latent.on_cause),
                    "on_effect": _finite(latent.on_effect),
                    "factor": _finite(latent.factor),
                }
                for latent in self.latents
            ],
        }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def common_latents(network: BayesNet, cause: str, effect: str) -> Names:
    """The latents that act on the cause, and on the effect by another way than through the cause."""
    dag = CausalGraph.of(network)
    first, second = dag.ends(cause, effect)
    around = [0 if v == first else below for v, below in enumerate(dag.graph.children)]
    return tuple(
        dag.graph.nodes[node]
        for node in bits(dag.hidden & closure(dag.graph.parents, 1 << first))
        if closure(around, 1 << node) >> second & 1
    )


def hidden_strength(
    engine: InferenceEngine,
    question: EffectQuestion,
    latent: str,
    *,
    is_swapped: bool,
    control: RunControl | None = None,
) -> HiddenStrength:
    """The strength of a latent on cause and effect in the fitted model.

    is_swapped : the second state of the cause has the greater risk
    """
    network = engine.network
    joint = engine.joint((question.cause, latent, question.effect), control=control)
    states = network.states(question.cause)
    high, low = states.index(question.first), states.index(question.second)
    if is_swapped:
        high, low = low, high
    state = network.states(question.effect).index(question.state)
    with_latent = joint.sum(axis=-1)  # (n_cause, n_latent)
    given_cause = with_latent[[high, low]] / with_latent[[high, low]].sum(axis=1, keepdims=True)
    chances = joint[[high, low], :, state] / np.where(with_latent[[high, low]] > 0, with_latent[[high, low]], 1)
    on_effect = max(_ratio(float(row.max()), float(row.min())) for row in chances)
    on_cause = max(_ratio(float(top), float(bottom)) for top, bottom in zip(*given_cause))
    return HiddenStrength(latent, on_cause, on_effect)


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else (math.inf if top > 0 else 1.0)
