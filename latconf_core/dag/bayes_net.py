"""A Bayesian network: variables with states, and a probability table for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import FloatArray
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError
from latconf_core.pictures import draw

if TYPE_CHECKING:
    import networkx as nx

    from latconf_core.inference.applying import Applied, Table
    from latconf_core.inference.asking import Answer

SUM_TOLERANCE = 1e-6  # published tables are rounded


class _Value:
    """What is equal where its identity is; a class of its own kind only."""

    __slots__ = ()

    @property
    def _identity(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self._identity == other._identity if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)


class Cpt(_Value):
    """P(variable | parents), with the Dirichlet parameters behind it where it was learned.

    table : (n_states of each parent…, n_states); the last axis sums to one
    dirichlet : same shape, or None for a table that was given, not learned
    """

    __slots__ = ("dirichlet", "parents", "states", "table", "variable")

    def __init__(
        self,
        variable: str,
        states: Sequence[str],
        parents: Sequence[str],
        table: npt.ArrayLike,
        *,
        dirichlet: npt.ArrayLike | None = None,
    ) -> None:
        self.variable = variable
        self.states = tuple(states)
        self.parents = tuple(parents)
        self.table = np.array(table, dtype=np.float64)
        self.dirichlet = None if dirichlet is None else np.array(dirichlet, dtype=np.float64)
        self._check()
        self.table.setflags(write=False)
        if self.dirichlet is not None:
            self.dirichlet.setflags(write=False)

    def _check(self) -> None:
        if len(set(self.states)) != len(self.states) or not self.states:
            raise ValueError(f"{self.variable!r} needs different states")
        if len(set(self.parents)) != len(self.parents) or self.variable in self.parents:
            raise ValueError(f"{self.variable!r} needs different parents other than itself")
        if self.table.ndim != len(self.parents) + 1 or self.table.shape[-1] != len(self.states):
            raise ValueError(f"the table of {self.variable!r} has the shape {self.table.shape}")
        if self.dirichlet is not None and self.dirichlet.shape != self.table.shape:
            raise ValueError(f"the Dirichlet parameters of {self.variable!r} do not fit its table")
        if self.dirichlet is not None and not np.all(np.isfinite(self.dirichlet) & (self.dirichlet >= 0)):
            raise ValueError(f"a Dirichlet parameter of {self.variable!r} is negative or not a number")
        if not np.all(np.isfinite(self.table)) or np.any(self.table < 0):
            raise ValueError(f"the table of {self.variable!r} has an entry that is not a probability")
        if np.any(np.abs(self.table.sum(axis=-1) - 1) > SUM_TOLERANCE):
            raise ValueError(f"a row of the table of {self.variable!r} does not sum to one")

    @classmethod
    def from_dirichlet(
        cls, variable: str, states: Sequence[str], parents: Sequence[str], dirichlet: npt.ArrayLike
    ) -> Cpt:
        """The table of posterior means of these Dirichlet parameters."""
        parameters = np.asarray(dirichlet, dtype=np.float64)
        mean = parameters / parameters.sum(axis=-1, keepdims=True)
        return cls(variable, states, parents, mean, dirichlet=parameters)

    def credible_interval(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Lower and upper ends of the equal-tailed interval of every entry (Beta marginals)."""
        if self.dirichlet is None:
            raise ValueError(f"the table of {self.variable!r} was given, not learned: it has no interval")
        from scipy.special import betaincinv

        rest = self.dirichlet.sum(axis=-1, keepdims=True) - self.dirichlet
        tail = (1 - level) / 2
        return betaincinv(self.dirichlet, rest, tail), betaincinv(self.dirichlet, rest, 1 - tail)

    @property
    def n_free_parameters(self) -> int:
        return int(np.prod(self.table.shape[:-1], dtype=np.int64)) * (len(self.states) - 1)

    @property
    def _identity(self) -> tuple[object, ...]:
        learned = None if self.dirichlet is None else self.dirichlet.tobytes()
        return self.variable, self.states, self.parents, self.table.shape, self.table.tobytes(), learned

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        rebuild = partial(Cpt, dirichlet=self.dirichlet)
        return rebuild, (self.variable, self.states, self.parents, self.table)

    def __repr__(self) -> str:
        given = f" | {', '.join(self.parents)}" if self.parents else ""
        return f"Cpt(P({self.variable}{given}))"


class BayesNet(_Value):
    """Variables in a fixed order, each with its table; `latents` names those never measured."""

    __slots__ = ("__dict__", "cpts", "latents", "name")

    name: str
    cpts: Mapping[str, Cpt]
    latents: frozenset[str]

    def __init__(self, cpts: Iterable[Cpt], *, name: str = "unknown", latents: Iterable[str] = ()) -> None:
        tables = list(cpts)
        self.name = name
        self.cpts = MappingProxyType({cpt.variable: cpt for cpt in tables})
        self.latents = frozenset(latents)
        if len(self.cpts) != len(tables):
            raise GraphError("a variable has two tables")
        for cpt in tables:
            for axis, parent in enumerate(cpt.parents):
                if parent not in self.cpts:
                    raise GraphError(f"{cpt.variable!r} has the parent {parent!r}, which has no table")
                if cpt.table.shape[axis] != len(self.cpts[parent].states):
                    raise GraphError(f"the table of {cpt.variable!r} does not fit the states of {parent!r}")
        if self.latents - set(self.cpts):
            raise GraphError(f"latent {min(self.latents - set(self.cpts))!r} has no table")
        try:
            self.topological_order  # noqa: B018 - computed once, kept
        except CycleError as error:
            raise GraphError(f"the network has a directed cycle: {' --> '.join(error.args[1])}") from None

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(self.cpts)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        return tuple((parent, cpt.variable) for cpt in self.cpts.values() for parent in cpt.parents)

    @cached_property
    def topological_order(self) -> tuple[str, ...]:
        """Names with parents before children."""
        return tuple(TopologicalSorter({name: cpt.parents for name, cpt in self.cpts.items()}).static_order())

    def states(self, variable: str) -> tuple[str, ...]:
        return self.cpts[variable].states

    def has_exact_interval(self, variable: str) -> bool:
        """Whether the Dirichlets of a table give its intervals: it was learned, and no latent is in its family.

        Around a latent they take its states as known, and are far too narrow; `Posterior.intervals` draws better ones.
        """
        cpt = self.cpts[variable]
        return cpt.dirichlet is not None and not self.latents.intersection((variable, *cpt.parents))

    def with_state_names(self, names: Mapping[str, Sequence[str]]) -> BayesNet:
        """The same network with the states of some variables called otherwise, in their order."""
        for name, states in names.items():
            if len(states) != len(self.states(name)):
                raise GraphError(f"{name!r} has {len(self.states(name))} states; give a name to each")
        cpts = (
            Cpt(name, names.get(name, cpt.states), cpt.parents, cpt.table, dirichlet=cpt.dirichlet)
            for name, cpt in self.cpts.items()
        )
        return BayesNet(cpts, name=self.name, latents=self.latents)

    def with_variable_names(self, names: Mapping[str, str]) -> BayesNet:
        """The same network with some variables called otherwise."""

        def called(variable: str) -> str:
            return names.get(variable, variable)

        cpts = (
            Cpt(
                called(name), cpt.states, [called(parent) for parent in cpt.parents], cpt.table, dirichlet=cpt.dirichlet
            )
            for name, cpt in self.cpts.items()
        )
        return BayesNet(cpts, name=self.name, latents=[called(name) for name in self.latents])

    @property
    def n_free_parameters(self) -> int:
        return sum(cpt.n_free_parameters for cpt in self.cpts.values())

    def ask(self, *, see: Mapping[str, str] | None = None, do: Mapping[str, str] | None = None) -> Answer:
        """The exact probabilities of every variable after seeing and setting states."""
        from latconf_core.inference.asking import ask_network

        return ask_network(self, see or {}, do or {})

    def apply(self, table: Table) -> Applied:
        """The log-likelihood of every row of a table and the posterior of every latent in it.

        Missing cells, unknown states and variables that the table lacks are summed out.
        """
        from latconf_core.inference.applying import apply_network

        return apply_network(self, table)

    def to_networkx(self) -> nx.DiGraph:
        """A networkx DiGraph; each node has `cpt` and `latent`."""
        import networkx as nx

        graph = nx.DiGraph(name=self.name)
        for name, cpt in self.cpts.items():
            graph.add_node(name, cpt=cpt, latent=name in self.latents)
        graph.add_edges_from(self.edges)
        return graph

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph) -> BayesNet:
        """The network that `to_networkx` gave."""
        hidden = [node for node, is_latent in graph.nodes(data="latent", default=False) if is_latent]
        return cls((cpt for _, cpt in graph.nodes(data="cpt")), name=graph.name or "unknown", latents=hidden)

    def to_pgmpy(self) -> Any:
        """The same network as a DiscreteBayesianNetwork of pgmpy, its latents named as such."""
        try:
            from pgmpy.factors.discrete import TabularCPD
            from pgmpy.models import DiscreteBayesianNetwork
        except ImportError:
            raise GraphError("this needs the package pgmpy; install it with: pip install pgmpy") from None
        model = DiscreteBayesianNetwork(list(self.edges), latents=set(self.latents))
        model.add_nodes_from(self.variables)
        for name, cpt in self.cpts.items():
            columns = np.moveaxis(cpt.table, -1, 0).reshape(len(cpt.states), -1)  # the last parent fastest
            sizes = [len(self.states(parent)) for parent in cpt.parents]
            states = {variable: list(self.states(variable)) for variable in (name, *cpt.parents)}
            given = (list(cpt.parents), sizes) if cpt.parents else (None, None)
            model.add_cpds(TabularCPD(name, len(cpt.states), columns, *given, state_names=states))
        return model

    def to_dag(self) -> LatentDag:
        """The structure alone; GraphError where a latent has fewer than two children or several parents."""
        hidden = [name for name in self.variables if name in self.latents]
        several = next((name for name in hidden if len(self.cpts[name].parents) > 1), None)
        if several is not None:
            raise GraphError(f"latent {several!r} has several parents; at most one is possible")
        children = {name: tuple(child for parent, child in self.edges if parent == name) for name in hidden}
        above = {name: next(iter(self.cpts[name].parents), None) for name in hidden}
        latents = [Latent(name, len(self.states(name)), children[name], above[name]) for name in hidden]
        edges = [edge for edge in self.edges if not self.latents & set(edge)]
        return LatentDag([name for name in self.variables if name not in self.latents], edges, latents)

    def _repr_svg_(self) -> str | None:
        return draw("dag_svg", self.to_dag())

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.name, tuple(self.cpts.values()), self.latents

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return partial(BayesNet, name=self.name, latents=self.latents), (tuple(self.cpts.values()),)

    def __repr__(self) -> str:
        return f"BayesNet({self.name}: {len(self.cpts)} variables, {len(self.edges)} edges)"
