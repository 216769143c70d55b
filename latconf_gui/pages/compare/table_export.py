"""The tables of the Compare page, to be copied or written to a file."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from latconf_core.comparison.tables import Table, tabulate_matrix, to_markdown
from latconf_core.wording.difference_list import tabulate_differences
from latconf_gui.background.runs import Report
from latconf_gui.pages.compare.files import CompareFiles
from latconf_gui.pages.compare.layout import CompareLayout
from latconf_gui.pages.compare.shown_comparison import ShownComparison
from latconf_gui.pages.compare.shown_numbers import ShownNumbers


class TableExport(QObject):
    """Makes the tables of what is shown when they are asked for."""

    def __init__(
        self,
        parts: CompareLayout,
        comparison: ShownComparison,
        numbers: ShownNumbers,
        *,
        files: CompareFiles,
        report: Report,
    ) -> None:
        super().__init__(parts)
        self._parts, self._comparison, self._numbers = parts, comparison, numbers
        self._files, self._report = files, report

    def tables(self) -> dict[str, Table]:
        """The tables that can be written."""
        overlay, matrix = self._parts.overlay.overlay, self._comparison.make_matrix()
        result = {"numbers": self._numbers.table()}
        if overlay is not None:
            result["differences"] = tabulate_differences(self._comparison.groups(overlay))
        if matrix is not None:
            result["matrix"] = tabulate_matrix(matrix)
        return result

    def ask_file(self, what: str) -> None:
        """Where to write the table of differences, numbers or the matrix."""
        table = self.tables().get(what)
        if table is None:
            self._report(f"There is no table of {what}: these graphs cannot be compared.", "Exporting a table")
        else:
            self._files.ask_table(table, what)

    def copy(self) -> None:
        """Copy the table that is seen as Markdown."""
        is_matrix = self._parts.tabs.currentWidget() is self._parts.matrix
        table = self.tables().get("matrix" if is_matrix else self._parts.shown_table)
        if table is not None:
            QGuiApplication.clipboard().setText(to_markdown(table))
