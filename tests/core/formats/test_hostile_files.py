"""Files made to break a reader: each is refused with a sentence, before it takes memory or time."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from latconf_core.errors import FileFormatError, LatconfError, OptionError
from latconf_core.files import MAX_DENSE_BYTES, check_archive
from latconf_core.formats.graphs import causal_learn, dot, graph_json, graphml
from latconf_core.formats.graphs.graph_document import MAX_NODES, GraphBuilder
from latconf_core.formats.knowledge_file import parse_table, parse_tetrad
from latconf_core.formats.networks.bif import parse_bif
from latconf_core.formats.projects.project_file import read_project
from latconf_core.json_form import parse_json
from latconf_core.options.scoring import VbemOptions

GRAPHML = '<?xml version="1.0"{head}?>{doctype}<graphml><graph><node id="A">{inside}</node></graph></graphml>'

NESTED = '<data key="k"><node id="B"/></data>'


def wide_bif(n_parents: int) -> str:
    names = [f"P{i}" for i in range(n_parents)] + ["C"]
    variables = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
    return f"network x {{ }}\n{variables}probability ( C | {', '.join(names[:-1])} ) {{ default 0.5, 0.5; }}\n"


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda: parse_json("[" * 100_000), "nested too deeply"),
        (lambda: parse_json("9" * 5000), "too many digits"),
        (lambda: parse_json('{"a": "\\ud800"}'), "half of a character"),
        (lambda: parse_json(b"\xff\xfe{"), "JSON|UTF-8"),
        (lambda: graph_json.parse('{"edges": ' + "[" * 100_000), "nested too deeply"),
        (lambda: graphml.parse(GRAPHML.format(head="", doctype="<!DOCTYPE a []>", inside="")), "document type"),
        (lambda: graphml.parse(GRAPHML.format(head="", doctype="", inside=NESTED)), "inside"),
        (lambda: dot.parse("digraph {" + "{" * 5000 + "}" * 5000 + "}"), "nested more than"),
        (lambda: causal_learn.parse('# nodes: ["A", "B"]\n0 ' + "9" * 400 + "\n1 0\n"), "expected -1, 0, 1 or 2"),
        (lambda: parse_bif(wide_bif(40)), "too large to hold"),
        (lambda: parse_bif(wide_bif(28)), "too large to hold"),
        (
            lambda: parse_tetrad("/knowledge\nforbiddengroup\n" + " ".join(f"a{i}" for i in range(2000)) + " ==> "
            + " ".join(f"b{i}" for i in range(2000))),
            "use tiers instead",
        ),
        (lambda: parse_table("kind,first,second\ntier,a\rb,1\n"), "no table of knowledge"),
    ],
)  # fmt: skip
def test_that_a_hostile_text_is_refused_with_a_sentence(read: Callable[[], object], says: str) -> None:
    with pytest.raises(FileFormatError, match=says):
        read()


def test_that_the_encoding_that_a_graphml_file_names_does_not_matter() -> None:
    document = graphml.parse(GRAPHML.format(head=' encoding="UTF-4711"', doctype="", inside=""))
    assert document.graph.nodes == ("A",)


def test_that_more_nodes_than_can_be_held_are_refused_before_they_are() -> None:
    builder = GraphBuilder()
    for number in range(MAX_NODES):
        builder.ensure_node(str(number))
    with pytest.raises(FileFormatError, match="latconf reads graphs up to that size"):
        builder.ensure_node("one more")


def test_that_an_archive_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.latconf"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", "{}" + " " * (MAX_DENSE_BYTES + 1))
    with pytest.raises(FileFormatError, match=r"'project\.json' in it unpacks to"):
        read_project(path)
    with zipfile.ZipFile(path) as archive, pytest.raises(FileFormatError, match="it unpacks to"):
        check_archive(archive, max_member=1 << 40, max_total=10)


@pytest.mark.parametrize("value", [float("inf"), 1e300, "0.05", True])
def test_that_an_option_that_is_no_number_of_a_sensible_size_is_refused(value: object) -> None:
    with pytest.raises(OptionError):
        VbemOptions(ess=value)  # type: ignore[arg-type]
    with pytest.raises(LatconfError):
        VbemOptions.from_json({"ess": value, "version": 1})
