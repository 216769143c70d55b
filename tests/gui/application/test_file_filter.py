"""What the Open dialog offers follows the registry of table formats."""

from __future__ import annotations

import pytest

from latconf_core.data.reading.table_formats import registry
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_gui.application.opener import file_filter


def test_that_a_new_table_format_is_offered_for_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = TableFormat("toy", "Toy text", (".toy",), registry.table_format("delimited").read)
    assert "*.toy" not in file_filter()
    monkeypatch.setitem(registry.TABLE_FORMATS, toy.name, toy)
    everything, _, tables, *_ = file_filter().split(";;")
    assert "*.toy" in everything
    assert "*.toy" in tables
