"""Names that a person gives to hidden causes: how they are shown, and which ones are possible."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError
from latconf_core.formats.projects.project_state import LatentNames
from latconf_gui.application.document import Document

_NUMBERED = re.compile(r"L\d+")


def shown_names(dag: LatentDag, given: LatentNames) -> Mapping[str, str]:
    """What each latent of a DAG that was given a name is called; a name stands for one latent of a DAG only."""
    shown: dict[str, str] = {}
    for latent in dag.latents:
        name = given.get(latent.children)
        if name is not None and name not in (*dag.nodes, *shown.values()):
            shown[latent.name] = name
    return shown


def check_latent_name(name: str, latent: Latent, dag: LatentDag, given: LatentNames) -> None:
    """GraphError where a latent cannot be called so."""
    if name in dag.nodes:
        raise GraphError(f"{name!r} is a variable of the data; give the hidden cause another name")
    for children, other in given.items():
        if other == name and children != latent.children:
            raise GraphError(f"the hidden cause of {', '.join(children)} is called {name!r}; choose another name")
    if _NUMBERED.fullmatch(name) and name != latent.name:
        raise GraphError(f"{name!r} is reserved for unnamed hidden causes; choose another name")


def name_latent(document: Document, name: str, latent: Latent, dag: LatentDag) -> None:
    """Give a latent of a DAG a name, which an empty one takes away; GraphError where it cannot have it."""
    check_latent_name(name, latent, dag, document.latent_names)
    given = "" if name == latent.name else name
    document.name_latent(latent.children, given, f"Name a hidden cause {given}" if given else "Remove a name")


def rename_state(document: Document, latent: Latent, states: Sequence[str], *, old: str, new: str, name: str) -> None:
    """Give a state of a latent, which is called `name`, another name; GraphError where it has such a state already."""
    if new in states:
        raise GraphError(f"{name} already has a state {new!r}; choose another name")
    renamed = tuple(new if state == old else state for state in states)
    document.name_states(latent, renamed, f"Name a state of {name} {new}")
