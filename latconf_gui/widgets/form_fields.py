"""The kinds of fields that forms are made of; each reads and shows one value and says when a person has changed it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QWidget,
)

NO_LIMIT = "no limit"


class Choice(QComboBox):
    """One of several values, each with a title. With `is_wide` it takes the room that the longest title needs."""

    def __init__(self, titles: Mapping[str, str], *, is_wide: bool = False) -> None:
        super().__init__()
        for value, title in titles.items():
            self.addItem(title, value)
        policy = QComboBox.SizeAdjustPolicy
        self.setSizeAdjustPolicy(policy.AdjustToContents if is_wide else policy.AdjustToMinimumContentsLengthWithIcon)

    def read(self) -> str:
        return str(self.currentData())

    def fill(self, value: str) -> None:
        self.setCurrentIndex(self.findData(value))

    @property
    def edited(self) -> SignalInstance:
        return self.activated


class Number(QDoubleSpinBox):
    """A number with some decimals."""

    def __init__(self, least: float, most: float, *, decimals: int, step: float) -> None:
        super().__init__()
        self.setDecimals(decimals)
        self.setRange(least, most)
        self.setSingleStep(step)

    def read(self) -> float:
        return self.value()

    def fill(self, value: float) -> None:
        self.setValue(value)

    @property
    def edited(self) -> SignalInstance:
        return self.valueChanged


class _WholeBox(QSpinBox):
    """What the fields for whole numbers share."""

    def __init__(self, least: int, most: int, *, step: int, least_text: str) -> None:
        super().__init__()
        self.setRange(least, most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.setSpecialValueText(least_text)

    @property
    def edited(self) -> SignalInstance:
        return self.valueChanged


class Whole(_WholeBox):
    """A whole number; `least_text` stands in place of the least one."""

    def __init__(self, least: int, most: int, *, step: int = 1, least_text: str = "") -> None:
        super().__init__(least, most, step=step, least_text=least_text)

    def read(self) -> int:
        return self.value()

    def fill(self, value: int) -> None:
        self.setValue(value)


class Limit(_WholeBox):
    """A whole number, or None, for which `none_text` stands; `unit` stands behind the number."""

    def __init__(self, most: int, *, least: int = 0, step: int = 1, unit: str = "", none_text: str = NO_LIMIT) -> None:
        super().__init__(least - 1, most, step=step, least_text=none_text)
        self.setSuffix(f" {unit}" if unit else "")

    def read(self) -> int | None:
        return None if self.value() == self.minimum() else self.value()

    def fill(self, value: int | None) -> None:
        self.setValue(self.minimum() if value is None else value)


class Tick(QCheckBox):
    """Something that is on or off; its text stands beside it, in as many lines as it needs."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._words = text.split()
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        widest = max(self.fontMetrics().horizontalAdvance(word) for word in self._words)
        return QSize(self._box_width() + widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._wrap()

    def _wrap(self) -> None:
        room, metrics, lines = self.width() - self._box_width(), self.fontMetrics(), [self._words[0]]
        for word in self._words[1:]:
            longer = f"{lines[-1]} {word}"
            if metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        if self.text() != "\n".join(lines):
            self.setText("\n".join(lines))

    def _box_width(self) -> int:
        """What the box takes beside the text."""
        metric, style = QStyle.PixelMetric, self.style()
        box = style.pixelMetric(metric.PM_IndicatorWidth, None, self)
        return box + style.pixelMetric(metric.PM_CheckBoxLabelSpacing, None, self) + 4  # and a little air

    def read(self) -> bool:
        return self.isChecked()

    def fill(self, value: bool) -> None:
        self.setChecked(value)

    @property
    def edited(self) -> SignalInstance:
        return self.toggled


class Line(QLineEdit):
    """A line of text, for values that a form reads in its own way."""

    def read(self) -> str:
        return self.text().strip()

    def fill(self, value: str) -> None:
        self.setText(value)

    @property
    def edited(self) -> SignalInstance:
        return self.textChanged


Field = Choice | Number | Whole | Limit | Tick | Line


def add_row(form: QFormLayout, label: str, widget: QWidget, *, tip: str = "") -> None:
    """A row of a form; without a label the widget has the whole width. The label is its name for screen readers."""
    if tip:
        widget.setToolTip(tip)
    if label:
        widget.setAccessibleName(label)
        form.addRow(label, widget)
    else:
        form.addRow(widget)
