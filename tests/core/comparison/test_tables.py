"""Tables of a comparison as CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io

from support.builders import mixed

from latconf_core.comparison.compare import compare_all
from latconf_core.comparison.matrix import make_matrix
from latconf_core.comparison.measures import MEASURES, OWN_NUMBERS
from latconf_core.comparison.numbers import describe_subject
from latconf_core.comparison.overlay import lay_over
from latconf_core.comparison.subject import Subject
from latconf_core.comparison.tables import (
    Table,
    show_value,
    tabulate_matrix,
    tabulate_numbers,
    to_csv,
    to_latex,
    to_markdown,
)
from latconf_core.wording.difference_list import group_by_kinds, list_differences, tabulate_differences

FIRST = Subject("by FCI & co", mixed("A o-> B", "B o-o C", nodes=list("ABC")))
SECOND = Subject("by_GFCI", mixed("A --> B", "A o-o C", nodes=list("ABC")))


def test_that_numbers_have_a_row_per_graph_and_none_against_itself() -> None:
    numbers = {one.name: describe_subject(one) for one in (FIRST, SECOND)}
    table = tabulate_numbers(numbers, compare_all([FIRST, SECOND]))
    assert [row[0] for row in table.rows] == ["by FCI & co", "by_GFCI"]
    shd = table.titles.index("SHD")
    assert [row[shd] for row in table.rows] == [None, 3]


def test_that_a_csv_gives_back_the_cells() -> None:
    table = tabulate_matrix(make_matrix([FIRST, SECOND]))
    rows = list(csv.reader(io.StringIO(to_csv(table))))
    assert rows[0] == ["Pair", "by FCI & co", "by_GFCI"]
    assert ["A – B", "A o-> B", "A --> B"] in rows
    assert ["A – C", "", "A o-o C"] in rows


def test_that_markdown_has_a_rule_and_escapes_bars() -> None:
    lines = to_markdown(Table(("name", "x"), (("a|b", 0.5),))).splitlines()
    assert lines == ["| name | x |", "| --- | --- |", r"| a\|b | 0.500 |"]


def test_that_latex_escapes_what_latex_would_read() -> None:
    text = to_latex(tabulate_differences(group_by_kinds(list_differences(lay_over(FIRST, SECOND)))))
    rules = [line for line in text.splitlines() if line.endswith("rule")]
    assert rules == [r"\toprule", r"\midrule", r"\bottomrule"]  # of booktabs
    assert r"A o-\textgreater{} B in A" in text
    assert text.count(r"\\") == 1 + 3 + 3  # titles, three kinds, a difference each
    assert r"by\_GFCI" in to_latex(Table(("n",), (("by_GFCI",),)))


def test_that_values_are_shown_as_a_person_reads_them() -> None:
    assert [show_value(one) for one in (None, -0.25, -12345.678, 3, "yes")] == ["–", "−0.250", "−12,345.68", "3", "yes"]


def test_that_every_number_is_defined() -> None:
    assert all(len(one.definition) > 15 for one in (*MEASURES, *OWN_NUMBERS))
    titles = [one.title for one in (*MEASURES, *OWN_NUMBERS)]
    assert len(titles) == len(set(titles))


def test_that_no_name_becomes_a_formula_html_or_another_cell() -> None:
    names = ("=1+1", "+x", "-x", "@x", "a\nb", "<img src=x>", "a|b", "x\u202ey")
    table = Table(("=title", "number"), tuple((name, -1.5) for name in names))
    cells = [row[0] for row in csv.reader(io.StringIO(to_csv(table)))]
    assert cells == ["'=title", "'=1+1", "'+x", "'-x", "'@x", *names[4:]]
    assert all(row[1] == "-1.5" for row in list(csv.reader(io.StringIO(to_csv(table))))[1:])
    lines = to_markdown(table).splitlines()
    assert [line.split(" | ")[0] for line in lines[6:]] == ["| a b", "| &lt;img src=x>", r"| a\|b", "| x[U+202E]y"]
