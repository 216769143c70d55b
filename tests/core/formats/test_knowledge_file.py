from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.knowledge_file import (
    parse_table,
    parse_tetrad,
    read_knowledge,
    table_text,
    tetrad_text,
    write_knowledge,
)
from latconf_core.knowledge.knowledge import Knowledge

KNOWLEDGE = Knowledge(
    tiers=(("A", "B"), ("C", "D")),
    closed_tiers=frozenset([1]),
    forbidden=(("D", "A"),),
    required=(("A", "C"),),
)


def test_that_tetrad_sections_are_read() -> None:
    text = "/knowledge\naddtemporal\n0 A B\n1* C D\n\nforbiddirect\nD A\nrequiredirect\nA C\n"
    assert parse_tetrad(text) == KNOWLEDGE


def test_that_tiers_may_start_anywhere_and_stand_empty() -> None:
    assert parse_tetrad("/knowledge\naddtemporal\n3 A\n7\n9 B\n").tiers == (("A",), (), ("B",))


def test_that_groups_stand_for_every_pair() -> None:
    text = "/knowledge\nforbiddengroup\nA B ==> C D\n"
    assert parse_tetrad(text).forbidden == (("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"))


def test_that_the_table_is_read() -> None:
    text = "kind,first,second\ntier,A,0\ntier,B,0\ntier,C,1\ntier,D,1\nclosed,1,\nforbidden,D,A\nrequired,A,C\n"
    assert parse_table(text) == KNOWLEDGE


@pytest.mark.parametrize("name", ["knowledge.txt", "knowledge.csv", "knowledge.json"])
def test_that_a_file_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    write_knowledge(KNOWLEDGE, tmp_path / name)
    assert read_knowledge(tmp_path / name) == KNOWLEDGE


def test_that_json_holds_what_other_files_refuse(tmp_path: Path) -> None:
    more = Knowledge(exogenous=("A",), no_hidden_cause=(("B", "C"),), hidden_causes_only_among=("B", "C", "D"))
    write_knowledge(more, tmp_path / "knowledge.json")
    assert read_knowledge(tmp_path / "knowledge.json") == more
    for name in ("knowledge.txt", "knowledge.csv"):
        with pytest.raises(GraphError, match=r"write knowledge\.json instead"):
            write_knowledge(more, tmp_path / name)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "this is not JSON"),
        ('{"format": "latconf run"}', "its format is 'latconf run'"),
        ('{"tires": []}', "no entry 'tires'"),
        ('{"version": 2}', "has format 2"),
        ('{"required": [["A", "B"]], "exogenous": ["B"]}', "A --> B is required, but B is exogenous"),
    ],
)
def test_that_json_that_cannot_be_understood_names_the_file(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "k.json").write_text(text)
    with pytest.raises(FileFormatError, match=r"k\.json") as error:
        read_knowledge(tmp_path / "k.json")
    assert problem in str(error.value)


nasty = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1).map(str.strip).filter(bool)


@given(st.lists(nasty, min_size=2, max_size=6, unique=True))
def test_that_the_table_holds_any_name(names: list[str]) -> None:
    half = len(names) // 2
    knowledge = Knowledge(tiers=(tuple(names[:half]), tuple(names[half:])), forbidden=((names[-1], names[0]),))
    assert parse_table(table_text(knowledge)) == knowledge


def test_that_a_name_with_a_blank_is_refused_where_the_format_cannot_hold_it() -> None:
    with pytest.raises(GraphError, match=r"\.csv table instead"):
        tetrad_text(Knowledge(forbidden=(("a b", "c"),)))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("/knowledge\nA B\n", 2, "expected one of addtemporal"),
        ("/knowledge\naddtemporal\nfirst A\n", 3, "number of a tier"),
        ("/knowledge\nforbiddirect\nA B C\n", 3, "two names"),
        ("/knowledge\nforbiddengroup\nA B\n", 3, "CAUSES ==> EFFECTS"),
        ("kind,first,second\nforbidden,A\n", 2, "forbidden,CAUSE,EFFECT"),
        ("kind,first,second\nforbidden,A,B,C\n", 2, "forbidden,CAUSE,EFFECT"),
        ("kind,first,second\n\nsometimes,A,B\n", 3, "expected tier"),
        ("A,B\n", 1, "header kind,first,second"),
    ],
)
def test_that_a_malformed_file_is_refused_with_its_line(tmp_path: Path, text: str, line: int, problem: str) -> None:
    (tmp_path / "k.txt").write_text(text)
    with pytest.raises(FileFormatError, match=problem) as error:
        read_knowledge(tmp_path / "k.txt")
    assert error.value.line == line


def test_that_a_contradiction_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "k.txt").write_text("/knowledge\nforbiddirect\nA B\nrequiredirect\nA B\n")
    with pytest.raises(FileFormatError, match=r"k\.txt: A --> B is both required and forbidden"):
        read_knowledge(tmp_path / "k.txt")
