"""The readers of lessons, and of what the Lessons page keeps in a project."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from support.small_runs import GRAPH

from fuzz.reader import Reader
from latconf_core.errors import LatconfError
from latconf_core.json_form import UNREADABLE, decode, encode, parse_json
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.lessons import own_lessons, read_lesson
from latconf_core.teaching.separation.separation_game import GamePlay
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_core.teaching.stepped_run import SteppedRun

_DAG = DrawnDag(("A", "B", "C"), (("A", "B"), ("C", "B")), frozenset({"C"}), {"A": (0.0, 1.0)})


def teaching_readers() -> Iterator[Reader]:
    """Lessons, drawn DAGs, runs of learners in steps, graphs of the separation activity, games."""
    seeds = tuple(lesson.path.read_bytes() for lesson in own_lessons())
    yield Reader("lesson", ".json", read_lesson, seeds)
    yield _kept("drawn DAG", lambda content: DrawnDag.from_json(content).placed(), _DAG.to_json())
    yield _kept("stepped run", lambda content: SteppedRun.from_json(content), SteppedRun(_DAG).to_json())
    graphs = (SourceGraph.of_dag("x", _DAG), SourceGraph.of_pag("y", GRAPH, {"A": (1.0, 2.0)}))
    yield _kept("source graph", lambda content: SourceGraph.from_json(content), *(graph.to_json() for graph in graphs))
    yield _kept("game", lambda content: decode(GamePlay, content), encode(GamePlay(3)), write=encode)


def _kept(
    name: str, read: Callable[[Any], Any], *seeds: Any, write: Callable[[Any], Any] = lambda found: found.to_json()
) -> Reader:
    """As the Lessons page: what cannot be read is reported and the activity starts afresh; the rest is kept again."""

    def read_file(path: Path) -> object:
        try:
            found = read(parse_json(path.read_bytes()))
        except (*UNREADABLE, LatconfError) as error:
            raise LatconfError(f"begun anew: {error}") from None
        return json.dumps(write(found))

    return Reader(f"learn {name}", ".json", read_file, tuple(json.dumps(seed).encode() for seed in seeds))
