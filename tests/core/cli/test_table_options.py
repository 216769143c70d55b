"""The options about a table hold wherever one is read; bad values are one sentence and exit 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from latconf_core.cli.main import main

SMOKER = ("k.A.", "yes", "no", "yes", "no", "yes", "yes", "no", "yes", "no")
DATA = "age;ill;smoker\n" + "".join(f"{20 + i % 50};{'yes' if i % 3 else 'no'};{SMOKER[i % 10]}\n" for i in range(200))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(DATA)
    return path


OPTIONS = ["--delimiter", ";", "--missing-marks", "k.A.", "--missing", "drop", "--discretise", "age=equal-frequency:3"]


def commands(table: Path) -> list[list[str]]:
    dag = table.with_name("dag.json")
    dag.write_text(json.dumps({"edges": [["age", "ill"]], "latents": []}))
    pag = table.with_name("pag.txt")
    pag.write_text("age o-o ill\n")
    return [
        ["pag", str(table)],
        ["score", str(table), "--dag", str(dag)],
        ["run", str(table), "--pag", str(pag), "--max-candidates", "2"],
        ["convert", str(table), str(table.with_name("out.csv"))],
    ]


@pytest.mark.parametrize("place", range(4), ids=["pag", "score", "run", "convert"])
def test_that_every_command_that_reads_a_table_takes_the_options(
    table: Path, capsys: pytest.CaptureFixture[str], place: int
) -> None:
    command = commands(table)[place]
    assert main([*command, *OPTIONS]) == 0
    captured = capsys.readouterr()
    assert "20 of 200 rows with missing cells were dropped" in captured.out + captured.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--missing", "guess"], "--missing is 'guess'; choose one of keep, drop, state, most-frequent"),
        (["--delimiter", ";;"], "--delimiter is ';;'; give one character, tab or blanks"),
        (["--delimiter", ""], "--delimiter is ''; give one character, tab or blanks"),
        (["--discretise", "age"], "--discretise is 'age'; write COLUMN=METHOD:N"),
        (["--discretise", "age=halves:2"], "the methods are equal-width, equal-frequency, k-means, cut-points"),
        (["--discretise", "age=k-means:x"], "--discretise age=k-means:x: 'x' is not a number"),
        (["--discretise", "age=k-means:1"], "it must be from 2 to 50"),
        (["--discretise", "age=cut-points:5,a"], "'5,a' is not a number"),
        (["--discretise", "size=k-means:2"], "name the column 'size', which t.csv does not have"),
        (["--discretise", "ill=k-means:2"], "column 'ill' has the value 'no', which is not a number"),
        (["--discretise", "age=k-means:2", "age=k-means:3"], "discretised twice"),
    ],
)
def test_that_a_bad_value_is_one_sentence_and_exit_2(
    table: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert main(["pag", str(table), *options]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.startswith("latconf: ")
    assert error.count("\n") == 1


def test_that_missing_cells_without_a_choice_are_kept(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pag", str(table), "--delimiter", ";", "--missing-marks", "k.A."]) == 0
    assert "20 cells are missing in 1 column ('smoker': 20) and kept missing" in capsys.readouterr().err


def test_that_counts_and_codes_are_options_of_the_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table.with_name("counts.csv")
    path.write_text("a,b,n\nx,y,30\nx,z,5\nu,y,9\nu,z,40\n9,z,3\n")
    options = ["--counts", "n", "--missing-codes", "a=9"]
    assert main(["pag", str(path), *options]) == 0
    said = capsys.readouterr().err
    assert "'n' counts rows: 5 rows of the table are 87" in said
    assert "3 cells are missing in 1 column ('a': 3)" in said
    for wrong, reason in ((["--missing-codes", "a"], "COLUMN=A,B"), (["--counts", "b"], "not a number")):
        assert main(["pag", str(path), *wrong]) == 2
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize("delimiter", ["tab", "\\t", "\t"])
def test_that_a_tab_can_be_written_in_three_ways(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], delimiter: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\tb,c\n" + "x\t1,2\ny\t2,1\nx\t2,1\n" * 4)
    assert main(["pag", str(path), "--delimiter", delimiter, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pags"][0]["nodes"] == ["a", "b,c"]


def test_that_excluded_columns_are_said_but_not_among_the_results(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text("id,A,B\n" + "".join(f"{i},{i % 2},{i % 3}\n" for i in range(30)))
    assert main(["pag", str(table), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["pags"][0]["nodes"] == ["A", "B"]
    assert "t.csv: 'id' is excluded: its 30 values are all different, as in an identifier" in captured.err


def test_that_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("latconf 0.")


def test_that_declared_orders_reach_the_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.csv"
    path.write_text("grade,ill\n" + "low,yes\nmid,no\ntop,no\n" * 20)
    assert main(["convert", str(path), str(tmp_path / "o.csv"), "--ordered", "grade=low<mid<top"]) == 0
    assert "'grade' are ordered: low < mid < top" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("grade=low<mid", "lacks the state 'top'"),
        ("grade=low<mid<top<best", "names 'best', which is not one of its states"),
        ("grade=low<low<mid<top", "names the state 'low' twice"),
        ("rank", "'rank'"),
        ("grade=<", "write COLUMN or COLUMN=a<b<c"),
    ],
)
def test_that_an_order_that_does_not_fit_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: str, sentence: str
) -> None:
    path = tmp_path / "g.csv"
    path.write_text("grade,ill\n" + "low,yes\nmid,no\ntop,no\n" * 20)
    assert main(["convert", str(path), str(tmp_path / "o.csv"), "--ordered", order]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.strip().splitlines()) == 1
