"""Workbooks made to break a reader: each is refused with a sentence, or read, before it takes memory or time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from latconf_core.control import RunControl, StopRequested
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.table_formats import excel
from latconf_core.errors import FileFormatError

openpyxl = pytest.importorskip("openpyxl")
SHEET, BOOK = "xl/worksheets/sheet1.xml", "xl/workbook.xml"
DTD = '<!DOCTYPE a [<!ENTITY b "c">]>'

Change = Callable[[str], str]


def workbook(folder: Path, member: str, change: Change) -> Path:
    """A workbook of three rows, one file in it changed by hand."""
    book, plain = openpyxl.Workbook(), io.BytesIO()
    for row in (["a", "b"], ["x", "y"], ["x", "z"]):
        book.active.append(row)
    book.save(plain)
    path = folder / "book.xlsx"
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, change(text) if name == member else text)
    return path


def last_row(number: int) -> Change:
    """The third row under another number."""
    return lambda text: text.replace('r="3"', f'r="{number}"').replace('3" t=', f'{number}" t=')


def more_rows(rows: str) -> Change:
    return lambda text: text.replace("</sheetData>", f"{rows}</sheetData>")


def wide_rows(count: int) -> str:
    """Rows with nothing but a cell far to the right."""
    return "".join(f'<row r="{i}"><c r="DAA{i}"><v>1</v></c></row>' for i in range(4, 4 + count))


def without_sheets(text: str) -> str:
    return text[: text.index("<sheets>")] + "<sheets/>" + text[text.index("</sheets>") + len("</sheets>") :]


@pytest.mark.parametrize(
    ("member", "change", "says"),
    [
        (SHEET, last_row(1_000_000_000), "a row beyond 1,048,576"),
        (SHEET, last_row(10**30), "a row beyond 1,048,576"),
        (SHEET, lambda text: text.replace('r="B1"', 'r="XFD1"'), "16,384 columns are more than latconf reads"),
        (SHEET, lambda text: text.replace('r="B3"', 'r="XFD3"'), "16,384 cells where 2 are expected"),
        (SHEET, lambda text: more_rows(wide_rows(900))(text.replace('r="B1"', 'r="DAA1"')), "nearly all empty"),
        (SHEET, lambda text: text.replace("<worksheet", DTD + "<worksheet", 1), "declares a document type"),
        (SHEET, lambda text: f"<!--{' ' * 9000}-->{DTD}{text[text.index('<worksheet') :]}", "damaged"),
        (BOOK, without_sheets, "no sheet with cells"),
        (SHEET, lambda text: text[: len(text) // 2], "damaged"),
    ],
)
def test_that_a_hostile_workbook_is_refused_with_a_sentence(
    tmp_path: Path, member: str, change: Change, says: str
) -> None:
    with pytest.raises(FileFormatError, match=rf"book\.xlsx.*{says}"):
        read_table(workbook(tmp_path, member, change))


def test_that_a_last_row_far_below_is_read(tmp_path: Path) -> None:
    assert read_table(workbook(tmp_path, SHEET, last_row(200_000))).n_rows == 2


def test_that_a_workbook_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = workbook(tmp_path, SHEET, lambda text: text + " " * (1 << 25))
    with pytest.raises(FileFormatError, match=r"unpacks to 33,[0-9,]+ bytes, which is implausibly large"):
        read_table(path)


def test_that_a_workbook_asks_every_thousand_rows_whether_to_stop(tmp_path: Path) -> None:
    path = workbook(tmp_path, SHEET, last_row(50_000))
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(StopRequested):
        read_table(path, control=RunControl(is_cancelled=is_cancelled))
    assert asked == 4  # at row 4,000 of 50,000
    assert excel.CHECK_ROWS == 1000


def test_that_openpyxl_reads_xml_by_defusedxml() -> None:
    """What is no document type at the head of a file is refused by it: entities."""
    assert openpyxl.DEFUSEDXML
