"""What can be done to a drawn DAG; each gives a new one, or a GraphError that says why not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from string import ascii_uppercase

import numpy as np

from latconf_core.errors import GraphError
from latconf_core.teaching.drawn_dag import Arrow, DrawnDag

MOST_NODES = 60
MOST_LETTERS = 30  # of a name


def free_name(dag: DrawnDag) -> str:
    """The first letter that no variable has, then A1, B1, …"""
    rounds = ("" if number == 0 else str(number) for number in range(MOST_NODES))
    names = (f"{letter}{ending}" for ending in rounds for letter in ascii_uppercase)
    return next(name for name in names if name not in dag.nodes)


def add_node(dag: DrawnDag, name: str, position: tuple[float, float]) -> DrawnDag:
    """One more variable."""
    if len(dag.nodes) >= MOST_NODES:
        raise GraphError(f"there are already {MOST_NODES} variables; delete one first")
    clean = _clean_name(dag, name)
    return replace(dag, nodes=(*dag.nodes, clean), positions={**dag.positions, clean: position})


def connect(dag: DrawnDag, cause: str, effect: str) -> DrawnDag:
    """An arrow from a cause to its effect; one the other way round is turned."""
    if (cause, effect) in dag.edges:
        raise GraphError(f"{cause} --> {effect} already exists")
    kept = tuple(edge for edge in dag.edges if edge != (effect, cause))
    return replace(dag, edges=(*kept, (cause, effect)))


def delete(dag: DrawnDag, nodes: Collection[str], edges: Collection[Arrow] = ()) -> DrawnDag:
    """Without these variables and arrows."""
    return DrawnDag(
        tuple(name for name in dag.nodes if name not in nodes),
        tuple(edge for edge in dag.edges if edge not in edges and not set(edge) & set(nodes)),
        dag.hidden.difference(nodes),
        {name: position for name, position in dag.positions.items() if name not in nodes},
    )


def hide(dag: DrawnDag, name: str, *, is_hidden: bool) -> DrawnDag:
    """With a variable hidden, or shown again."""
    return replace(dag, hidden=dag.hidden | {name} if is_hidden else dag.hidden - {name})


def rename(dag: DrawnDag, name: str, new: str) -> DrawnDag:
    """With another name for a variable."""
    if new.strip() == name:
        return dag
    names = {name: _clean_name(dag, new)}
    return DrawnDag(
        tuple(names.get(node, node) for node in dag.nodes),
        tuple((names.get(a, a), names.get(b, b)) for a, b in dag.edges),
        frozenset(names.get(node, node) for node in dag.hidden),
        {names.get(node, node): position for node, position in dag.positions.items()},
    )


def move(dag: DrawnDag, places: Mapping[str, tuple[float, float]]) -> DrawnDag:
    """With some variables at other places."""
    return replace(dag, positions={**dag.positions, **places})


def random_dag(rng: np.random.Generator, n_nodes: int, *, n_arrows: int) -> DrawnDag:
    """Letters on a circle with so many arrows at random, as far as there are pairs; nothing is hidden."""
    names = tuple(ascii_uppercase[:n_nodes])
    order = rng.permutation(n_nodes)
    pairs = [(names[order[i]], names[order[j]]) for i in range(n_nodes) for j in range(i + 1, n_nodes)]
    chosen = rng.choice(len(pairs), size=min(n_arrows, len(pairs)), replace=False)
    return DrawnDag(names, tuple(pairs[index] for index in sorted(chosen))).placed()


def _clean_name(dag: DrawnDag, name: str) -> str:
    clean = name.strip()
    if not clean or len(clean.split()) > 1:
        raise GraphError("a variable needs a name of one word; type one")
    if len(clean) > MOST_LETTERS:
        raise GraphError(f"a name has at most {MOST_LETTERS} letters; choose a shorter one")
    if clean in dag.nodes:
        raise GraphError(f"there is already a variable {clean}; choose another name")
    return clean
