"""Exact marginals of a Bayesian network by message passing in its junction tree; the only pyAgrum.

pyAgrum sees positions instead of names: a name may be anything, theirs may not.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import LatconfError, OptionError

if TYPE_CHECKING:
    import pyagrum

SWIG_WARNING = "builtin type .* has no __module__ attribute"
MAX_CELLS = 30_000_000  # of the largest clique
SURE = 1e-250  # probabilities below may have lost digits in a double


class ImpossibleEvidenceError(LatconfError):
    """What was seen has the probability 0 in the network."""


class JunctionTree:
    """A network ready for questions; evidence is by positions of states.

    do : variables that are set, which then have no parents
    """

    def __init__(self, network: BayesNet, do: Mapping[str, int] | None = None) -> None:
        pyagrum = load_pyagrum()
        set_to = do or {}
        self.network = network
        self._index = {name: i for i, name in enumerate(network.variables)}
        self._set_to = dict(set_to)
        self._net = pyagrum.BayesNet()
        for name, cpt in network.cpts.items():
            labels = [f"s{k}" for k in range(len(cpt.states))]
            self._net.add(pyagrum.LabelizedVariable(f"v{self._index[name]}", "", labels))
        for cpt in network.cpts.values():
            self._add_table(_cut(cpt, set_to[cpt.variable]) if cpt.variable in set_to else cpt)
        _check_size(self._net, network)
        self._engine: Any = pyagrum.LazyPropagation(self._net)
        self._entered: dict[str, int] | None = None  # what the messages that have been passed are for

    def _add_table(self, cpt: Cpt) -> None:
        variable = self._index[cpt.variable]
        for parent in cpt.parents:
            self._net.addArc(self._index[parent], variable)
        inside = self._net.cpt(variable)
        names = [f"v{self._index[name]}" for name in (*cpt.parents, cpt.variable)]
        axes = [names.index(name) for name in reversed(list(inside.names))]  # theirs run fastest in the first
        shares = cpt.table / cpt.table.sum(axis=-1, keepdims=True)  # published tables are rounded
        inside.fillWith(np.transpose(shares, axes).ravel().tolist())

    def marginals(self, see: Mapping[str, int], *, control: RunControl | None = None) -> dict[str, FloatArray]:
        """The distribution of every variable given what is seen; that must be possible."""
        control = control or RunControl()
        control.checkpoint()
        self._enter(see)
        result = {}
        for name, i in self._index.items():
            control.checkpoint()
            result[name] = _read_only(self._posterior(i))
        return result

    def _enter(self, see: Mapping[str, int]) -> None:
        if see == self._entered:
            return
        self._entered = None
        self._engine.eraseAllEvidence()
        for name, state in see.items():
            if len(self.network.states(name)) > 1:
                self._engine.addEvidence(self._index[name], state)
        self._engine.makeInference()
        self._entered = dict(see)

    def _posterior(self, i: int) -> FloatArray:
        shares = np.asarray(self._engine.posterior(i).toarray(), dtype=np.float64)
        total = float(shares.sum())
        if not math.isfinite(total) or total <= 0:
            raise OptionError("the probability of this evidence is too small to represent; remove some of it")
        return shares / total

    def joint(self, names: Sequence[str], *, control: RunControl | None = None) -> FloatArray:
        """The joint distribution of some variables with nothing seen, an axis for each in this order."""
        (control or RunControl()).checkpoint()
        if not names:
            return np.ones(())
        engine = load_pyagrum().LazyPropagation(self._net)
        chosen = {self._index[name] for name in names}
        (engine.addJointTarget if len(chosen) > 1 else engine.addTarget)(chosen if len(chosen) > 1 else min(chosen))
        _check_joint(names, self.network)
        engine.makeInference()
        table = engine.jointPosterior(chosen) if len(chosen) > 1 else engine.posterior(min(chosen))
        inside = list(table.names)
        shares = np.asarray(table.toarray(), dtype=np.float64)  # axes in the reverse order of the names
        axes = [len(inside) - 1 - inside.index(f"v{self._index[name]}") for name in names]
        return np.transpose(shares, axes)

    def log_probability(self, see: Mapping[str, int], *, control: RunControl | None = None) -> float:
        """The logarithm of how probable it is to see this; minus infinity where it cannot be."""
        if not see:
            return 0.0
        try:
            self._enter(see)
            probability = float(self._engine.evidenceProbability())
        except load_pyagrum().IncompatibleEvidence:
            probability = 0.0
        return math.log(probability) if probability > SURE else self._log_by_steps(see, control or RunControl())

    def _log_by_steps(self, see: Mapping[str, int], control: RunControl) -> float:
        """The same one variable after the other: a product of many small numbers would end at 0."""
        known: dict[str, int] = {}
        total = 0.0
        for name, state in see.items():
            control.checkpoint()
            self._enter(known)
            share = float(self._posterior(self._index[name])[state])
            if share <= 0:
                return -math.inf
            total += math.log(share)
            known[name] = state
        return total

    def conflict(self, see: Mapping[str, int], *, control: RunControl | None = None) -> tuple[str, ...]:
        """The fewest of these pieces of evidence, by leaving out one after the other, that cannot be together."""
        kept = dict(see)
        for name in see:
            rest = {other: state for other, state in kept.items() if other != name}
            if self.log_probability(rest, control=control) == -math.inf:
                kept = rest
        return tuple(kept)


def load_pyagrum() -> Any:
    """The module, imported when first asked for.

    While it loads, code that SWIG has written gives a deprecation warning; made an error, that ends the process.
    """
    if "pyagrum" not in sys.modules:
        warnings.filterwarnings("ignore", SWIG_WARNING, DeprecationWarning)
    import pyagrum

    return pyagrum


def _cut(cpt: Cpt, state: int) -> Cpt:
    """The table of a variable that is set: no parents, one state."""
    return Cpt(cpt.variable, cpt.states, (), np.eye(len(cpt.states))[state])


def _read_only(shares: FloatArray) -> FloatArray:
    shares.setflags(write=False)
    return shares


def _check_size(net: pyagrum.BayesNet, network: BayesNet) -> None:
    """OptionError where an exact answer would take more memory than there may be."""
    tree = load_pyagrum().JunctionTreeGenerator().junctionTree(net)
    sizes = [len(cpt.states) for cpt in network.cpts.values()]
    largest = max((_cells(tree.clique(node), sizes) for node in tree.nodes()), default=0)
    if largest > MAX_CELLS:
        raise OptionError(
            f"an exact answer would need a table of {largest:,.0f} cells because too many variables of this "
            "network are connected; use a DAG with fewer edges or fewer states"
        )


def _check_joint(names: Iterable[str], network: BayesNet) -> None:
    """OptionError where a joint distribution would have too many cells."""
    cells = math.prod(float(len(network.states(name))) for name in names)
    if cells > MAX_CELLS:
        raise OptionError(f"an exact answer would need a table of {cells:,.0f} cells; use a DAG with fewer states")


def _cells(clique: Iterable[int], sizes: list[int]) -> float:
    return math.prod(float(sizes[i]) for i in clique)
