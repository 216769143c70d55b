from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import FileFormatError
from latconf_core.formats.networks.bif import parse_bif, read_bif
from latconf_core.formats.networks.bif_text import bif_text, write_bif

# The dog problem (Charniak 1991) in the oldest dialect: quotes, blanks for commas, no bar, `table` with parents.
DOG = """
// a comment
network "Dog-Problem" { //5 variables
  property "credal-set constant-density-bounded 1.1" ;
}
variable "family-out" { type discrete[2] { "true" "false" }; property "position = (112, 69)" ; }
variable "bowel problem" { type discrete[2] {  "true"  "false" }; }
variable "dog-out" { /* two
  lines */ type discrete[2] { "true" "false" }; }
probability ( "family-out" ) { table 0.15 0.85 ; }
probability ( "bowel problem" ) { table 0.01 0.99 ; }
probability ( "dog-out" "bowel problem" "family-out" ) { table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7; }
"""

SMALL = """network unknown {
}
variable A {
  type discrete [ 2 ] { no, yes };
}
variable L1 {
  type discrete [ 2 ] { s0, s1 };
}
variable C {
  type discrete [ 3 ] { x, y, z };
}
probability ( A ) {
  table 0.7, 0.3;
}
probability ( L1 ) {
  table 0.5, 0.5;
}
probability ( C | A, L1 ) {
  (no, s0) 0.7, 0.2, 0.1;
  (yes, s0) 0.1, 0.6, 0.3;
  (no, s1) 0.25, 0.25, 0.5;
  (yes, s1) 0.05, 0.15, 0.8;
}
"""

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@st.composite
def networks(draw: st.DrawFn) -> BayesNet:
    """Random networks whose names are any text."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    states = {name: draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)) for name in names}
    cpts = []
    for i, name in enumerate(names):
        parents = [other for other in names[:i] if rng.random() < 0.5]
        shape = tuple(len(states[parent]) for parent in parents)
        cpts.append(Cpt(name, states[name], parents, rng.dirichlet(np.ones(len(states[name])), size=shape)))
    order = rng.permutation(len(cpts))
    latents = [name for name in names if rng.random() < 0.3]
    return BayesNet([cpts[i] for i in order], name=draw(NAMES) or "unknown", latents=latents)


@given(networks())
def test_that_any_network_comes_back_equal_and_is_written_the_same_again(network: BayesNet) -> None:
    text = bif_text(network)
    again = parse_bif(text)
    assert again == network
    assert bif_text(again) == text


def test_that_a_text_as_bnlearn_writes_it_is_read_by_its_labels_and_written_back_exactly() -> None:
    network = parse_bif(SMALL)
    table = network.cpts["C"].table
    assert table[1, 0].tolist() == [0.1, 0.6, 0.3]
    assert table[0, 1].tolist() == [0.25, 0.25, 0.5]
    assert bif_text(network) == SMALL
    lines = SMALL.splitlines()
    lines[-5:-1] = reversed(lines[-5:-1])
    assert parse_bif("\n".join(lines)) == network


def test_that_a_table_with_parents_is_read_with_the_child_slowest_and_the_last_parent_fastest() -> None:
    network = parse_bif(DOG)
    assert network.name == "Dog-Problem"
    assert network.cpts["dog-out"].parents == ("bowel problem", "family-out")
    # bowel problem and family out .99, bowel problem alone .97, family out alone .9, neither .3
    assert network.cpts["dog-out"].table[..., 0].tolist() == [[0.99, 0.97], [0.9, 0.3]]


def test_that_default_fills_the_rows_that_are_not_given() -> None:
    rows = SMALL.replace("  (no, s0) 0.7, 0.2, 0.1;\n  (yes, s0) 0.1, 0.6, 0.3;\n", "  default 0.2, 0.2, 0.6;\n")
    table = parse_bif(rows).cpts["C"].table
    assert table[:, 0].tolist() == [[0.2, 0.2, 0.6]] * 2
    assert table[:, 1].tolist() == [[0.25, 0.25, 0.5], [0.05, 0.15, 0.8]]


def test_that_states_with_blanks_are_read_between_commas() -> None:
    spaced = SMALL.replace("{ no, yes }", "{ not at all, yes, very much }").replace("[ 2 ] { not", "[ 3 ] { not")
    spaced = spaced.replace("table 0.7, 0.3", "table 0.5, 0.3, 0.2").replace("(no,", "(not at all,")
    spaced = spaced.replace("  (yes, s1)", "  (very much, s0) 1, 0, 0;\n  (very much, s1) 1, 0, 0;\n  (yes, s1)")
    network = parse_bif(spaced)
    assert network.states("A") == ("not at all", "yes", "very much")
    assert parse_bif(bif_text(network)) == network


def test_that_names_that_bif_cannot_hold_are_written_with_underscores_and_different() -> None:
    network = BayesNet(
        [
            Cpt("value T+1", ["<25k", "10,15"], [], [0.5, 0.5]),
            Cpt("value_T_1", ["10,15", "10_15"], ["value T+1"], [[0.5, 0.5], [1, 0]]),
        ],
        latents=["value T+1"],
    )
    text = bif_text(network)
    assert "variable value_T_1_2 {\n  type discrete [ 2 ] { <25k, 10_15 };\n" in text
    assert "variable value_T_1 {\n  type discrete [ 2 ] { 10_15_2, 10_15 };\n" in text
    assert "probability ( value_T_1 | value_T_1_2 ) {\n  (<25k) 0.5, 0.5;\n" in text
    assert parse_bif(text) == network


def test_that_rows_rounded_to_two_digits_are_rescaled() -> None:
    network = parse_bif(SMALL.replace("0.7, 0.2, 0.1", "0.33, 0.33, 0.33"))
    assert network.cpts["C"].table[0, 0] == pytest.approx([1 / 3] * 3, abs=1e-15)
    assert parse_bif(bif_text(network)) == network


def test_that_a_file_with_comments_at_the_top_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    place = tmp_path / "small network.bif"
    write_bif(parse_bif(SMALL), place, comments=["A source with { braces }", "and\ntwo lines"])
    assert place.read_text().startswith("// A source with { braces }\n// and\n// two lines\nnetwork unknown {\n")
    place.write_bytes(b"\xef\xbb\xbf" + place.read_bytes().replace(b"\n", b"\r\n"))
    assert read_bif(place) == parse_bif(SMALL)


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("network unknown", "belief unknown", 1, "expected 'network' at the start of a BIF file, found 'belief'"),
        ("network unknown {", "network unknown (", 1, "expected '{' after the network's name, found '('"),
        ("variable L1", "variabel L1", 6, "expected 'variable' or 'probability', found 'variabel'"),
        ("variable L1", "variable A", 6, "the variable 'A' is declared twice"),
        ("[ 2 ] { s0", "[ 3 ] { s0", 7, "'L1' declares 3 states but lists 2"),
        ("{ x, y, z }", "{ x, y, y }", 10, "'C' lists a state twice"),
        ("type discrete [ 2 ] { s0", "type continuous [ 2 ] { s0", 7, "expected 'discrete'; other types"),
        ("  type discrete [ 2 ] { s0, s1 };\n", "", 7, "the variable 'L1' has no 'type discrete' line"),
        ("probability ( L1 )", "probability ( L2 )", 15, "the variable 'L2' is not declared"),
        ("probability ( L1 )", "probability ( A )", 15, "'A' has two probability blocks"),
        ("( C | A, L1 )", "( C | A, A )", 18, "the probability of 'C' names a variable twice"),
        ("( C | A, L1 )", "( C | A, L1", 18, "expected the variable and its parents in parentheses"),
        ("0.7, 0.3;", "0.7, 0,3;", 13, "'A' needs 2 numbers here, found 3"),
        ("0.7, 0.3;", "0.7, a;", 13, "expected numbers: could not convert string to float: 'a'"),
        ("0.7, 0.3;", "-0.7, 1.7;", 13, "a probability is negative or not finite"),
        ("0.7, 0.3;", "nan, 0.3;", 13, "a probability is negative or not finite"),
        ("0.7, 0.3;", "0.7, 0.4;", 12, "a row of the probability of 'A' sums to 1.1, not 1"),
        ("0.7, 0.3;", "0.7, 0.3", 13, "expected numbers that end with ';'"),
        ("(yes, s0)", "(maybe, s0)", 20, "'maybe' is not a state of 'A'"),
        ("(yes, s0)", "(yes)", 20, "the row has 1 labels, but 'C' has 2 parents"),
        ("(yes, s0)", "(no, s0)", 20, "the row (no, s0) is given twice"),
        ("  (yes, s0) 0.1, 0.6, 0.3;\n", "", 18, "the probability of 'C' lacks the row (yes, s0)"),
        ("  table 0.5, 0.5;\n", "", 15, "the probability of 'L1' lacks its 'table' line"),
        ("probability ( L1 ) {\n  table 0.5, 0.5;\n}\n", "", 6, "the variable 'L1' has no probability block"),
    ],
)
def test_that_a_wrong_text_gets_a_sentence_with_its_line(old: str, new: str, line: int, problem: str) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(FileFormatError) as found:
        parse_bif(SMALL.replace(old, new), path="a.bif")
    assert str(found.value).startswith(f"a.bif, line {line}: {problem}")


@pytest.mark.parametrize("cut", range(0, len(SMALL) - 2, 7))
def test_that_a_file_that_ends_too_early_is_never_read_as_a_whole_network(cut: int) -> None:
    with pytest.raises(FileFormatError, match="line"):
        parse_bif(SMALL[:cut])


def test_that_a_cycle_is_refused_with_the_file_named() -> None:
    text = SMALL.replace("( A ) {\n  table 0.7, 0.3;", "( A | C ) {\n  default 0.7, 0.3;")
    with pytest.raises(FileFormatError, match=r"a\.bif: the network has a directed cycle: "):
        parse_bif(text, path="a.bif")
