"""Data drawn for a lesson: seeded, without the hidden columns, and clear enough to find the PAG again."""

from __future__ import annotations

import pytest

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.drawn_rows import draw_rows
from latconf_core.teaching.lessons import Lesson, own_lessons

BY_KEY = {lesson.key: lesson for lesson in own_lessons()}


def drawn(dag: DrawnDag, *, n_rows: int = 500, seed: int = 1) -> ProjectState:
    *_, state = draw_rows(dag, RunControl(), name="lesson", n_rows=n_rows, seed=seed)
    assert isinstance(state, ProjectState)
    return state


def test_that_hidden_variables_are_left_out_and_the_truth_is_kept() -> None:
    state = drawn(BY_KEY["09-m-structure"].dag)
    assert state.dataset is not None
    assert state.dataset.names == ("Teacher", "Maths", "Reading", "Books")
    assert state.dataset.n_rows == 500
    assert state.truth is not None
    assert state.truth.latents == {"Ability"}


def test_that_the_seed_decides_all() -> None:
    dag = BY_KEY["12-instrument"].dag
    first, again, other = drawn(dag).dataset, drawn(dag).dataset, drawn(dag, seed=2).dataset
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.digest == again.digest != other.digest


@pytest.mark.parametrize("lesson", own_lessons(), ids=lambda lesson: lesson.key)
def test_that_every_arrow_between_seen_variables_shows_in_many_rows(lesson: Lesson) -> None:
    dag = lesson.dag
    dataset = drawn(dag, n_rows=20_000).dataset
    assert dataset is not None
    test = ContingencyTest(dataset)
    index = {name: index for index, name in enumerate(dataset.names)}
    for a, b in dag.edges:
        if a in index and b in index:
            others = [index[c] for c, child in dag.edges if child == b and c in index and c != a]
            assert test.p_value(index[a], index[b], tuple(sorted(others))) < 1e-4, (a, b)


def test_that_many_causes_and_nothing_seen_get_a_sentence() -> None:
    names = tuple(f"C{i}" for i in range(13))
    with pytest.raises(GraphError, match="'E' has 13 causes"):
        drawn(DrawnDag((*names, "E"), tuple((name, "E") for name in names)))
    with pytest.raises(GraphError, match="every variable is hidden"):
        drawn(DrawnDag(("A",), (), frozenset("A")))
