"""Intervals of what a fitted model answers: its rows are drawn anew and its tables fitted to them, its arrows kept.

Each draw is fitted by EM from the tables of the model: a bootstrap around one mode, whose latents keep their meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_groups import latent_groups
from latconf_core.data.dataset import Dataset
from latconf_core.effects.distributions import RowShares
from latconf_core.effects.effect_question import EffectQuestion, Ends, Pair, ends_of
from latconf_core.effects.plug_in import LEAST_DRAWS, N_DRAWS, TAIL, OnDraw, ignore_draws
from latconf_core.inference.asking import ask_network

FLAT = 1.0  # added to every cell: the flat prior of the calibrated objective
MOST_STEPS, CHANGE = 300, 1e-4  # of EM; a change of the largest probability that no answer shows
SMALLEST = 1e-300


def ask_pair(network: BayesNet, question: EffectQuestion, *, control: RunControl | None = None) -> Pair:
    """What this DAG answers after each of the two interventions, its latents included."""
    shares = [
        ask_network(network, {}, {question.cause: state}, control=control)[question.effect][question.state]
        for state in (question.first, question.second)
    ]
    return Pair(*shares)


def fitted_interval(
    network: BayesNet,
    question: EffectQuestion,
    dataset: Dataset,
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    control: RunControl | None = None,
    on_draw: OnDraw = ignore_draws,
) -> Ends | None:
    """The 95 % interval by the bootstrap of rows with the structure kept; None where too few draws are wanted.

    dataset : aligned to the network; rows with missing cells are left out
    """
    if n_draws < LEAST_DRAWS:
        return None
    control = control or RunControl()
    rows = RowShares.of(dataset, dataset.names)
    refits = Refits(network, rows)
    rng = np.random.default_rng(seed)
    pairs = []
    for number in range(n_draws):
        on_draw(number, n_draws)
        fitted = refits.fit(rows.drawn_anew(rng).counts, control=control)
        pairs.append(ask_pair(fitted, question, control=control))
    return ends_of(pairs, TAIL)


@dataclass(frozen=True, eq=False)
class _Family:
    """A table, and the cell of it that each row and joint state of the latents of its group looks up."""

    cpt: Cpt
    cells: IntArray  # (n_rows, n_joint)


class Refits:
    """A network whose tables are fitted to the same rows with other counts, from its tables on."""

    def __init__(self, network: BayesNet, rows: RowShares) -> None:
        self.network = network
        self._groups = [
            [_family(network, name, latents, rows) for name in families] for latents, families in latent_groups(network)
        ]
        grouped = {family.cpt.variable for group in self._groups for family in group}
        self._plain = [_family(network, name, (), rows) for name in network.variables if name not in grouped]

    def fit(self, counts: FloatArray, *, control: RunControl | None = None) -> BayesNet:
        """The network with tables of these counts of the rows."""
        control = control or RunControl()
        tables = {family.cpt.variable: _mean(family, counts[:, None]) for family in self._plain}
        for group in self._groups:
            tables |= _run_em(group, counts, control)
        cpts = (Cpt(name, cpt.states, cpt.parents, tables[name]) for name, cpt in self.network.cpts.items())
        return BayesNet(cpts, name=self.network.name, latents=self.network.latents)


def _family(network: BayesNet, name: str, latents: tuple[str, ...], rows: RowShares) -> _Family:
    sizes = tuple(len(network.states(latent)) for latent in latents)
    joint = np.indices(sizes).reshape(len(sizes), prod(sizes))
    cpt = network.cpts[name]
    codes = []
    for variable in (*cpt.parents, name):
        if variable in latents:
            codes.append(np.broadcast_to(joint[latents.index(variable)], (len(rows.codes), prod(sizes))))
        else:
            column = rows.codes[:, rows.names.index(variable)]
            codes.append(np.broadcast_to(column[:, None], (len(rows.codes), prod(sizes))))
    return _Family(cpt, np.ravel_multi_index(codes, cpt.table.shape))


def _mean(family: _Family, mass: FloatArray) -> FloatArray:
    """The table that this mass of rows and joint states gives."""
    shape = family.cpt.table.shape
    weights = np.broadcast_to(mass, family.cells.shape).ravel()
    counts = np.bincount(family.cells.ravel(), weights=weights, minlength=prod(shape)).reshape(shape) + FLAT
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _run_em(group: list[_Family], counts: FloatArray, control: RunControl) -> Mapping[str, FloatArray]:
    tables = {family.cpt.variable: np.asarray(family.cpt.table) for family in group}
    for _ in range(MOST_STEPS):
        control.checkpoint()
        logs = sum(np.log(np.maximum(tables[family.cpt.variable].ravel()[family.cells], SMALLEST)) for family in group)
        shares = np.exp(logs - np.max(logs, axis=1, keepdims=True))
        mass = counts[:, None] * shares / shares.sum(axis=1, keepdims=True)
        before, tables = tables, {family.cpt.variable: _mean(family, mass) for family in group}
        if max(float(abs(tables[name] - before[name]).max()) for name in tables) < CHANGE:
            break
    return tables


def state_positions(network: BayesNet, question: EffectQuestion) -> tuple[int, int, int]:
    """The positions of the two states of the cause and of the state of the effect in the network."""
    causes, effects = network.states(question.cause), network.states(question.effect)
    return causes.index(question.first), causes.index(question.second), effects.index(question.state)
