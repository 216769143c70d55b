"""Odd and broken files: each gives the right data or one sentence with its place."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from latconf_core.data import watch
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.load import load_dataset, read_table
from latconf_core.errors import DataError, FileFormatError, LatconfError

GOOD = "A,B\nno,x\nyes,y\nno,y\n"
GOOD_CELLS = [["no", "x"], ["yes", "y"], ["no", "y"]]


def cells(path: Path, options: ReadOptions | None = None) -> tuple[list[str], list[list[str]]]:
    """Names and rows as texts."""
    raw = read_table(path, options)
    return list(raw.names), [[raw.cell(row, i) for i in range(raw.n_columns)] for row in range(raw.n_rows)]


def arff(rows: str, attributes: str = "@attribute A {no,yes}\n@attribute B {x,y}") -> str:
    return f"@relation r\n{attributes}\n@data\n{rows}"


def workbook(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def parquet(**columns: object) -> bytes:
    content = io.BytesIO()
    pq.write_table(pa.table(columns), content)
    return content.getvalue()


def zipped() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    return content.getvalue()


# (what it is, file name, content, names, rows)
READABLE: list[tuple[str, str, str | bytes, list[str], list[list[str]]]] = [
    ("plain", "a.csv", GOOD, ["A", "B"], GOOD_CELLS),
    ("no newline at the end", "a.csv", GOOD.rstrip(), ["A", "B"], GOOD_CELLS),
    ("BOM", "a.csv", b"\xef\xbb\xbf" + GOOD.encode(), ["A", "B"], GOOD_CELLS),
    ("CRLF", "a.csv", GOOD.replace("\n", "\r\n"), ["A", "B"], GOOD_CELLS),
    ("CR only", "a.csv", GOOD.replace("\n", "\r"), ["A", "B"], GOOD_CELLS),
    ("trailing delimiter everywhere", "a.csv", GOOD.replace("\n", ",\n"), ["A", "B"], GOOD_CELLS),
    ("trailing delimiter in rows", "a.csv", "A,B\nno,x,\nyes,y,\n", ["A", "B"], GOOD_CELLS[:2]),
    ("blank lines", "a.csv", "\n\nA,B\n\nno,x\n  \nyes,y\n\n", ["A", "B"], GOOD_CELLS[:2]),
    ("blanks around values", "a.csv", " A , B \n no ,\tx\nyes, y \n", ["A", "B"], GOOD_CELLS[:2]),
    ("blank before a quote", "a.csv", 'A, B\nno, "x, y"\nyes, "z"\n', ["A", "B"], [["no", "x, y"], ["yes", "z"]]),
    ("quoted newline", "a.csv", 'A,B\n"no\nway",x\nyes,y\n', ["A", "B"], [["no\nway", "x"], ["yes", "y"]]),
    ("quoted newline in a name", "a.csv", '"A\nA",B\nno,x\n', ["A\nA", "B"], [["no", "x"]]),
    ("doubled quotes", "a.csv", 'A,B\n"say ""no""",x\n', ["A", "B"], [['say "no"', "x"]]),
    ("quote inside a cell", "a.csv", 'A,B\n5" pipe,x\n', ["A", "B"], [['5" pipe', "x"]]),
    ("single quotes", "a.csv", "A,B\n'no, no','x'\n'yes','y'\n", ["A", "B"], [["no, no", "x"], ["yes", "y"]]),
    ("semicolons, decimal commas", "a.csv", "A;B\n1,5;x\n2,5;y\n", ["A", "B"], [["1,5", "x"], ["2,5", "y"]]),
    ("tabs under a wrong extension", "a.csv", GOOD.replace(",", "\t"), ["A", "B"], GOOD_CELLS),
    ("bars", "a.txt", GOOD.replace(",", "|"), ["A", "B"], GOOD_CELLS),
    ("runs of blanks", "a.txt", "  A   B\n no  x\n yes   y \n", ["A", "B"], GOOD_CELLS[:2]),
    ("blanks and quotes", "a.txt", 'A B\n"no no" x\nyes y\n', ["A", "B"], [["no no", "x"], ["yes", "y"]]),
    ("commas as text in a TSV", "a.tsv", "A\tB\na,b\tc,d\ne,f\tg,h\n", ["A", "B"], [["a,b", "c,d"], ["e,f", "g,h"]]),
    (
        "awkward names",
        "a.csv",
        "first name,T+1,loss%,größe\n1,2,3,4\n",
        ["first name", "T+1", "loss%", "größe"],
        [list("1234")],
    ),
    ("unicode values", "a.csv", "A,B\nñ,日本\n😀,ß\n", ["A", "B"], [["ñ", "日本"], ["😀", "ß"]]),
    ("latin-1", "a.csv", "A,B\nné,x\nno,y\n".encode("latin-1"), ["A", "B"], [["né", "x"], ["no", "y"]]),
    (
        "latin-1 past the sample",
        "a.csv",
        b"A,B\n" + b"no,x\n" * 40_000 + b"n\xe9,y\n",
        ["A", "B"],
        [["no", "x"]] * 40_000 + [["né", "y"]],
    ),
    ("utf-16 with mark", "a.csv", GOOD.encode("utf-16"), ["A", "B"], GOOD_CELLS),
    ("utf-16 without mark", "a.csv", GOOD.encode("utf-16-le"), ["A", "B"], GOOD_CELLS),
    ("empty header cell", "a.csv", ",A\n1,x\n2,y\n", ["V1", "A"], [["1", "x"], ["2", "y"]]),
    ("leading zeros and trailing zeros", "a.csv", "A,B\n01,1.0\n1,1\n", ["A", "B"], [["01", "1.0"], ["1", "1"]]),
    (
        "words that pandas takes for missing",
        "a.csv",
        "A,B\nNone,null\nnan,-\n",
        ["A", "B"],
        [["None", "null"], ["nan", "-"]],
    ),
    ("true and false", "a.csv", "A,B\nTrue,x\nFalse,y\n", ["A", "B"], [["True", "x"], ["False", "y"]]),
    ("no header", "a.csv", "1,0\n0,0\n1,1\n", ["V1", "V2"], [["1", "0"], ["0", "0"], ["1", "1"]]),
    (
        "no header, words",
        "a.csv",
        "yes,no\nno,no\nyes,yes\n",
        ["V1", "V2"],
        [["yes", "no"], ["no", "no"], ["yes", "yes"]],
    ),
    ("names that are numbers", "a.csv", "1,2\nno,x\nyes,y\n", ["1", "2"], GOOD_CELLS[:2]),
    ("one column", "a.csv", "A\nno\nyes\nno\n", ["A"], [["no"], ["yes"], ["no"]]),
    ("one row", "a.csv", "A,B\nno,x\n", ["A", "B"], [["no", "x"]]),
    ("empty last cells", "a.csv", "A,B\nno,\nyes,y\n", ["A", "B"], [["no", ""], ["yes", "y"]]),
    ("huge field", "a.csv", f"A,B\n{'z' * 300_000},x\nyes,y\n", ["A", "B"], [["z" * 300_000, "x"], ["yes", "y"]]),
    ("ARFF", "a.arff", arff("no,x\nyes,y\n"), ["A", "B"], GOOD_CELLS[:2]),
    ("ARFF under a wrong extension", "a.csv", "% made by hand\n" + arff("no,x\nyes,y\n"), ["A", "B"], GOOD_CELLS[:2]),
    (
        "ARFF comments and blanks",
        "a.arff",
        arff("% one\n no , x \n\n%\nyes,?\n"),
        ["A", "B"],
        [["no", "x"], ["yes", "?"]],
    ),
    (
        "ARFF quotes",
        "a.arff",
        arff("'it\\'s, so',1.0\n\"b b\",2\n", "@ATTRIBUTE 'my name' {'it\\'s, so', \"b b\"}\n@Attribute B NUMERIC"),
        ["my name", "B"],
        [["it's, so", "1.0"], ["b b", "2"]],
    ),
    (
        "Excel",
        "a.xlsx",
        workbook([["A", "B"], ["no", 1], ["yes", 2.5], [True, None]]),
        ["A", "B"],
        [["no", "1"], ["yes", "2.5"], ["TRUE", ""]],
    ),
    ("Excel under a wrong extension", "a.csv", workbook([["A", "B"], ["no", "x"]]), ["A", "B"], [["no", "x"]]),
    ("Parquet", "a.parquet", parquet(A=["no", None], B=[1, 2]), ["A", "B"], [["no", "1"], ["", "2"]]),
    (
        "Parquet categories",
        "a.pq",
        parquet(A=pa.array(["x", "y", "x"]).dictionary_encode(), B=[True, False, True]),
        ["A", "B"],
        [["x", "true"], ["y", "false"], ["x", "true"]],
    ),
]


@pytest.mark.parametrize(("name", "content", "names", "rows"), [c[1:] for c in READABLE], ids=[c[0] for c in READABLE])
def test_that_an_odd_file_gives_the_right_cells(
    tmp_path: Path, name: str, content: str | bytes, names: list[str], rows: list[list[str]]
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert cells(path) == (names, rows)


# (what it is, file name, content, a piece of the sentence, line)
REFUSED: list[tuple[str, str, str | bytes, str, int | None]] = [
    ("empty", "a.csv", "", "the file is empty", None),
    ("only blanks", "a.csv", " \n\n\t\n", "the file is empty", None),
    ("only a BOM", "a.csv", b"\xef\xbb\xbf", "the file is empty", None),
    ("row too short", "a.csv", "A,B,C\n1,2,3\n1,2\n1,2,3\n", "2 cells where 3 are expected", 3),
    ("row too long", "a.csv", "A,B\n1,2\n3,4\n1,2,3\n", "3 cells where 2 are expected", 4),
    ("first row too long", "a.csv", "A,B\n1,2,3,4,5\n1,2\n", "5 cells where 2 are expected", 2),
    ("all rows too long", "a.csv", "A,B\n1,2,3\n4,5,6\n", "3 cells where 2 are expected", 2),
    (
        "row too long after many",
        "a.csv",
        "A,B\n" + "1,2\n" * 70_000 + "1,2,3,4\n",
        "4 cells where 2 are expected",
        70_002,
    ),
    ("row too short after many", "a.csv", "A,B\n" + "1,2\n" * 70_000 + "1\n", "1 cell where 2 are expected", 70_002),
    ("short row after a quoted newline", "a.csv", 'A,B\n"1\n1",2\n3\n', "1 cell where 2", 4),
    ("short row after blank lines", "a.csv", "A,B\n1,2\n\n\n3,4,5\n", "3 cells where 2 are expected", 5),
    ("quote over two lines", "a.csv", 'A,B\n1,2\n\n3,"4\n5"6,7\n', "a quoted cell continues to line 5", 4),
    ("short row of blanks", "a.txt", "A B C\n1 2 3\n1 2\n1 2 3\n", "2 cells where 3 are expected", 3),
    ("unbalanced quote", "a.csv", 'A,B\nno,"x\nyes,y\nno,y\n', "a quoted cell is never closed", 2),
    ("names repeat", "a.csv", "A,B,A\n1,2,3\n", "columns 1 and 3 are both named 'A'; rename one in the file", 1),
    ("binary garbage", "a.csv", bytes(range(256)) * 40, "NUL byte", None),
    ("garbage without NUL", "a.csv", bytes(range(1, 32)) * 40, "not a text file", None),
    ("NUL byte", "a.csv", "A,B\n1,2\n1,\0\n", "NUL byte", 3),
    ("NUL byte past the sample", "a.csv", "A,B\n" + "1,2\n" * 60_000 + "1,\0\n", "NUL byte", 60_002),
    ("old Excel", "a.xls", b"\xd0\xcf\x11\xe0" + b"\0" * 600, "save it as .xlsx", None),
    ("gzip", "a.csv.gz", b"\x1f\x8b\x08\x00" + b"\1" * 50, "unpack it first", None),
    ("PDF", "a.csv", b"%PDF-1.7\n", "PDF", None),
    ("damaged Excel", "a.xlsx", workbook([["A"], ["x"]])[:900], "damaged", None),
    ("a zip that is no Excel", "a.xlsx", zipped(), "damaged or not .xlsx", None),
    ("formula without a value", "a.xlsx", workbook([["A", "B"], ["no", "=1+1"]]), "cell B2 holds a formula", None),
    ("Excel row too long", "a.xlsx", workbook([["A"], ["x"], ["y", "z"]]), "2 cells where 1 is expected", 3),
    ("empty Excel sheet", "a.xlsx", workbook([]), "is empty", None),
    ("damaged Parquet", "a.parquet", b"PAR1" + b"\0" * 60 + b"PAR1", "the Parquet file is damaged", None),
    ("cut Parquet", "a.parquet", parquet(A=["x", "y"])[:60], "the Parquet file is damaged", None),
    ("Parquet with lists", "a.parquet", parquet(A=[[1], [2]]), "column 'A' has the type list", None),
    ("ARFF without data", "a.arff", "@relation r\n@attribute A {x}\n", "no @data line", None),
    ("ARFF without attributes", "a.arff", "@relation r\n@data\n1\n", "before any @attribute", 2),
    ("sparse ARFF", "a.arff", arff("{0 yes}\n"), "sparse ARFF rows are not read", 5),
    ("ARFF row too short", "a.arff", arff("no,x\nyes\n"), "1 value where 2 attributes are", 6),
    ("ARFF undeclared value", "a.arff", arff("no,x\nmaybe,y\n"), "'maybe' is not a declared value of attribute 'A'", 6),
    ("ARFF unclosed brace", "a.arff", arff("x\n", "@attribute A {x,y"), "no closing brace", 2),
    ("ARFF unclosed quote", "a.arff", arff("'no,x\n"), "quote is not closed", 5),
    ("ARFF strange type", "a.arff", arff("x\n", "@attribute A relational"), "has the type 'relational'", 2),
    (
        "ARFF names repeat",
        "a.arff",
        arff("x\n", "@attribute A {x}\n@attribute A {y}"),
        "two attributes are named 'A'",
        3,
    ),
    ("ARFF value declared twice", "a.arff", arff("x\n", "@attribute A {x,x}"), "declares a value twice", 2),
]


@pytest.mark.parametrize(("name", "content", "words", "line"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_that_a_broken_file_gives_one_sentence_with_its_place(
    tmp_path: Path, name: str, content: str | bytes, words: str, line: int | None
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(FileFormatError) as caught:
        read_table(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)
    if line is not None:
        assert caught.value.line == line


# (what it is, CSV, a piece of the sentence): tables that can be read but not used
UNUSABLE = [
    ("header only", "A,B\n", "has names but no rows"),
    ("constant columns", "A,B\nx,y\nx,y\nx,y\n", "'A' (it has one state, 'x'), 'B' (it has one state, 'y')"),
    ("one row", "A,B\nx,y\n", "no column of a.csv can be used"),
    ("all missing", "A,B\nNA,?\n,*\n", "'A' (all its cells are missing)"),
    ("an identifier alone", "A\n" + "".join(f"id{i}\n" for i in range(20)), "all different, as in an identifier"),
]


@pytest.mark.parametrize(("content", "words"), [c[1:] for c in UNUSABLE], ids=[c[0] for c in UNUSABLE])
def test_that_a_table_that_cannot_be_used_says_why(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        load_dataset(path)
    assert words in str(caught.value)


def test_that_a_column_of_missing_cells_alone_cannot_be_included(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A,B\n?,x\n?,y\n")
    for policy in ("keep", "most frequent", "own state"):
        choices = Preparation(include=frozenset({"A"}), missing=policy)  # type: ignore[arg-type]
        with pytest.raises(DataError, match="'A' has only missing cells; exclude it"):
            load_dataset(tmp_path / "a.csv", preparation=choices)


def test_that_ten_thousand_states_are_set_aside_with_the_reason(tmp_path: Path) -> None:
    rows = [f"{i % 10_000},{'xy'[i % 2]}" for i in range(20_000)]
    (tmp_path / "a.csv").write_text("A,B\n" + "\n".join(rows) + "\n")
    prepared = load_dataset(tmp_path / "a.csv")
    assert prepared.dataset.names == ("B",)
    [aside] = prepared.set_aside
    assert aside.name == "A"
    assert "10,000 states, more than 50; discretise it" in aside.reason
    forced = load_dataset(tmp_path / "a.csv", preparation=Preparation(include=frozenset({"A"})))
    assert forced.dataset.n_states == (10_000, 2)


def test_that_states_that_differ_in_case_stay_apart_and_are_noted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A\nYes\nyes\nno\nno\n")
    prepared = load_dataset(tmp_path / "a.csv")
    assert prepared.dataset.states == (("no", "Yes", "yes"),)
    assert any("look alike: 'Yes', 'yes'" in note for note in prepared.notes)


def test_that_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.csv: the file does not exist"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(FileFormatError, match="this is a folder"):
        read_table(tmp_path)


def test_that_a_file_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text(GOOD)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root may read everything, so chmod shows nothing here
    with pytest.raises(FileFormatError, match=r"a\.csv: you may not read this file"):
        read_table(tmp_path / "a.csv")


def test_that_a_wrong_encoding_by_hand_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("A,B\nno,x\nné,y\n".encode("latin-1"))
    with pytest.raises(FileFormatError, match="line 3: this is not utf-8 text"):
        read_table(tmp_path / "a.csv", ReadOptions(encoding="utf-8"))


def test_that_a_wrong_delimiter_by_hand_keeps_the_rows_whole(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GOOD)
    assert cells(tmp_path / "a.csv", ReadOptions(delimiter=";")) == (["A,B"], [["no,x"], ["yes,y"], ["no,y"]])


def test_that_stored_values_of_formulas_are_used(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook([["A", "B"], ["no", "=1+1"]]))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    assert b"<v></v>" in parts[sheet] or b"<v/>" in parts[sheet] or b"<v />" in parts[sheet]
    for empty in (b"<v></v>", b"<v/>", b"<v />"):
        parts[sheet] = parts[sheet].replace(empty, b"<v>2</v>")
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    assert cells(path) == (["A", "B"], [["no", "2"]])


@pytest.mark.parametrize(
    ("package", "name", "extra"), [("openpyxl", "a.xlsx", "excel"), ("pyarrow", "a.parquet", "arrow")]
)
def test_that_a_missing_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str, extra: str
) -> None:
    content = {"a.xlsx": workbook([["A"], ["x"]]), "a.parquet": parquet(A=["x"])}[name]
    (tmp_path / name).write_bytes(content)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.parquet", None)
    with pytest.raises(FileFormatError, match=rf"pip install 'latconf\[{extra}\]'"):
        read_table(tmp_path / name)


def test_that_random_bytes_never_give_anything_but_a_table_or_a_sentence(tmp_path: Path) -> None:
    source = random.Random(7)
    for trial in range(150):
        alphabet = source.choice(
            [b'ab,"\n\r', b"ab \t'\n", bytes(range(256)), b"1,;.\n-e", b"@relation {}%'\n?,attribute data"]
        )
        path = tmp_path / f"t{trial}{source.choice(['.csv', '.txt', '.arff'])}"
        path.write_bytes(bytes(source.choice(alphabet) for _ in range(source.randrange(1, 120))))
        with contextlib.suppress(LatconfError):
            raw = read_table(path)
            assert raw.n_columns >= 1


@pytest.mark.parametrize(("delimiter", "quote"), [("§", '"'), (",", "§"), ("€", "'"), ("\u2028", '"')])
def test_that_a_delimiter_or_quote_beyond_ascii_is_taken(tmp_path: Path, delimiter: str, quote: str) -> None:
    rows = [["A", "B"], [f"{quote}x{quote * 2}y{quote}", "1"], [f"{quote}z{quote}", "2"]]
    (tmp_path / "a.csv").write_text("".join(delimiter.join(row) + "\n" for row in rows), encoding="utf-8")
    options = ReadOptions(format="delimited", delimiter=delimiter, quote=quote, header=True, encoding="utf-8")
    assert cells(tmp_path / "a.csv", options) == (["A", "B"], [[f"x{quote}y", "1"], ["z", "2"]])


def test_that_a_line_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MAX_LINE_BYTES", 1 << 16)
    (tmp_path / "a.csv").write_text("A,B\n" + "no,x\n" * 30_000)
    assert read_table(tmp_path / "a.csv").n_rows == 30_000
    (tmp_path / "a.csv").write_text("A,B\nno,x\nyes," + "y" * 200_000 + "\n")
    with pytest.raises(FileFormatError, match=r"a\.csv: a line of more than 0 MB is no row of a table"):
        read_table(tmp_path / "a.csv")
