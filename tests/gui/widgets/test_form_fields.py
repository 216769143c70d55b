from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFormLayout, QWidget
from pytestqt.qtbot import QtBot

from latconf_gui.widgets.form_fields import Choice, Field, Limit, Line, Number, Tick, Whole, add_row

FIELDS = [
    (lambda: Choice({"a": "First", "b": "Second"}), "b"),
    (lambda: Number(0, 1, decimals=3, step=0.1), 0.125),
    (lambda: Whole(0, 5000), 4000),
    (lambda: Limit(5000), 4000),
    (lambda: Limit(5000), None),
    (lambda: Tick("Some thing"), True),
    (lambda: Line(), "12 h"),
]


@pytest.mark.parametrize(("make", "value"), FIELDS)
def test_that_a_field_reads_what_it_was_filled_with(qtbot: QtBot, make: type[Field], value: object) -> None:
    field = make()
    qtbot.addWidget(field)
    field.fill(value)
    assert field.read() == value


def test_that_a_limit_shows_its_unit_and_says_where_there_is_none(qtbot: QtBot) -> None:
    limit = Limit(100, least=2, unit="states", none_text="as in data")
    qtbot.addWidget(limit)
    limit.fill(None)
    assert (limit.text(), limit.read()) == ("as in data", None)
    limit.fill(2)
    assert (limit.text(), limit.read()) == ("2 states", 2)


def test_that_the_text_of_a_tick_is_broken_where_it_does_not_fit_and_joined_again(qtbot: QtBot) -> None:
    form, tick = QWidget(), Tick("Order-independent skeleton")
    qtbot.addWidget(form)
    add_row(QFormLayout(form), "", tick)
    form.resize(600, 200)
    form.show()
    qtbot.waitExposed(form)
    assert "\n" not in tick.text()
    form.resize(160, 200)
    qtbot.waitUntil(lambda: "\n" in tick.text())
    qtbot.waitUntil(lambda: tick.height() > 2 * tick.fontMetrics().height())
    assert tick.sizeHint().width() <= tick.width() <= 160
    form.resize(600, 200)
    qtbot.waitUntil(lambda: "\n" not in tick.text())
    assert tick.accessibleName() == "Order-independent skeleton"
