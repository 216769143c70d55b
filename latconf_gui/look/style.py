"""Fusion with fields, check boxes and radio buttons that show in dark colours, and with sizes that grow with text."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionHeader,
    QWidget,
)

from latconf_gui.look.cut_text import CutTextTips
from latconf_gui.look.icons import icon
from latconf_gui.look.wheel_guard import WheelGuard

Metric = QStyle.PixelMetric
Element = QStyle.PrimitiveElement
Control = QStyle.ComplexControl
Part = QStyle.SubControl
State = QStyle.StateFlag

_CHECKS = (Element.PE_IndicatorCheckBox, Element.PE_IndicatorItemViewItemCheck)
_TO_TEXT_HEIGHT = {
    Metric.PM_IndicatorWidth: 0.95,
    Metric.PM_IndicatorHeight: 0.95,
    Metric.PM_ExclusiveIndicatorWidth: 0.95,
    Metric.PM_ExclusiveIndicatorHeight: 0.95,
    Metric.PM_ButtonIconSize: 1.1,
    Metric.PM_SmallIconSize: 1.1,
    Metric.PM_ToolBarIconSize: 1.35,
    Metric.PM_ListViewIconSize: 1.1,
    Metric.PM_TabBarIconSize: 1.1,
    Metric.PM_FocusFrameHMargin: 0.4,  # the room beside text in tables and lists
    Metric.PM_ToolBarExtensionExtent: 1.2,
    Metric.PM_HeaderMarkSize: 0.6,
}
_ARROWS = {  # which part of a control shows one, and whether it points up
    Control.CC_SpinBox: ((Part.SC_SpinBoxUp, True), (Part.SC_SpinBoxDown, False)),
    Control.CC_ComboBox: ((Part.SC_ComboBoxArrow, False),),
}
_BUTTON, _FUSION_BUTTON = 1.0, 18  # the width of the buttons of a spin box: of the height of text; Fusion's pixels
_ICONS = {  # Fusion's own can hardly be seen in dark colours
    QStyle.StandardPixmap.SP_ToolBarHorizontalExtensionButton: "more",
    QStyle.StandardPixmap.SP_TitleBarNormalButton: "float",
    QStyle.StandardPixmap.SP_TitleBarCloseButton: "cancel",
    QStyle.StandardPixmap.SP_DockWidgetCloseButton: "cancel",
}
_ARROW = 0.42  # of the height of text: the triangles of spin boxes, choices and sorted columns
_LARGEST_FUSION_ARROW = 8
_FIXED = {  # logical pixels
    Metric.PM_TabBarTabHSpace: 16,  # beside the text of a tab; Fusion's 24 crowd a small screen
    Metric.PM_DockWidgetTitleMargin: 6,
}


_TIP = "qtooltip_label"  # Qt's own name for the label that shows tool tips, whose markup is made in plain_tips


class ScaledStyle(QProxyStyle):
    """Sizes follow `set_text_height`."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self._cut_text, self._wheel_guard = CutTextTips(self), WheelGuard(self)
        self.set_text_height(QFontMetrics(QApplication.font()).height())

    def set_text_height(self, pixels: int) -> None:
        """Icons and check boxes for text of this height."""
        self._sizes = {metric: round(pixels * factor) for metric, factor in _TO_TEXT_HEIGHT.items()} | _FIXED
        self._text_height, self._arrow = pixels, round(pixels * _ARROW)

    def pixelMetric(self, metric: Metric, option: QStyleOption | None = None, widget: QWidget | None = None) -> int:
        size = self._sizes.get(metric)
        return super().pixelMetric(metric, option, widget) if size is None else size

    def drawPrimitive(
        self, element: Element, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element in _CHECKS:
            _draw_check_box(option, painter)
        elif element == Element.PE_IndicatorRadioButton:
            _draw_radio_button(option, painter)
        elif element == Element.PE_IndicatorHeaderArrow and isinstance(option, QStyleOptionHeader):
            is_up = option.sortIndicator == QStyleOptionHeader.SortIndicator.SortDown  # Qt's word for ascending
            _draw_arrow(option, painter, QRectF(option.rect), self._arrow, is_up=is_up)
        else:
            super().drawPrimitive(element, option, painter, widget)
            if element == Element.PE_FrameLineEdit:
                _draw_border(option, painter)

    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element == QStyle.ControlElement.CE_DockWidgetTitle and widget is not None:
            painter.setFont(widget.font())  # a dock draws its title in the size that text had when it was made
        elif element == QStyle.ControlElement.CE_ComboBoxLabel and isinstance(option, QStyleOptionComboBox):
            field = self.subControlRect(Control.CC_ComboBox, option, Part.SC_ComboBoxEditField, widget)
            elide = Qt.TextElideMode.ElideRight
            option.currentText = option.fontMetrics.elidedText(option.currentText, elide, field.width() - 2)
        super().drawControl(element, option, painter, widget)

    def polish(self, what: QWidget | QApplication | QPalette) -> None:  # type: ignore[override]
        """What every widget of a kind has: titles without room end in an ellipsis, fields leave dropped files alone."""
        super().polish(what)
        if isinstance(what, QLabel) and what.textFormat() == Qt.TextFormat.AutoText and what.objectName() != _TIP:
            what.setTextFormat(Qt.TextFormat.PlainText)  # a name from a file is never markup
        if isinstance(what, QPushButton) and isinstance(what.parentWidget(), QDialogButtonBox):
            what.setIcon(QIcon())  # words alone, whatever pictures a desktop would put beside them
        if isinstance(what, QLineEdit):
            what.setAcceptDrops(False)  # a file that is dropped on a field is for the page below it
        if isinstance(what, QHeaderView):
            what.setTextElideMode(Qt.TextElideMode.ElideRight)
        if isinstance(what, (QHeaderView, QComboBox)):
            self._cut_text.watch(what)
        if isinstance(what, (QComboBox, QAbstractSpinBox)):
            self._wheel_guard.watch(what)

    def drawComplexControl(
        self, control: Control, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        super().drawComplexControl(control, option, painter, widget)
        is_editable = isinstance(option, QStyleOptionComboBox) and option.editable
        if control == Control.CC_SpinBox or (control == Control.CC_ComboBox and is_editable):
            _draw_border(option, painter)
        if self._arrow > _LARGEST_FUSION_ARROW:
            self._draw_large_arrows(control, option, painter, widget)

    def _draw_large_arrows(
        self, control: Control, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None
    ) -> None:
        """Over Fusion's own, which do not grow."""
        for part, is_up in _ARROWS.get(control, ()):
            if option.subControls & part:
                area = QRectF(self.subControlRect(control, option, part, widget))
                _draw_arrow(option, painter, area, min(self._arrow, area.height() - 2), is_up=is_up)

    def subControlRect(
        self, control: Control, option: QStyleOptionComplex, part: QStyle.SubControl, widget: QWidget | None = None
    ) -> QRect:
        """The buttons of a spin box become wider with the text, its field narrower."""
        area = super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]
        wider = round(self._text_height * _BUTTON) - _FUSION_BUTTON
        if control != Control.CC_SpinBox or wider <= 0:
            return area
        if part in (Part.SC_SpinBoxUp, Part.SC_SpinBoxDown):
            return area.adjusted(-wider, 0, 0, 0)
        return area.adjusted(0, 0, -wider, 0) if part == Part.SC_SpinBoxEditField else area

    def standardIcon(
        self, kind: QStyle.StandardPixmap, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> QIcon:
        icon_name = _ICONS.get(kind)
        return super().standardIcon(kind, option, widget) if icon_name is None else _icon(icon_name)


@cache
def _icon(name: str) -> QIcon:
    return icon(name)


def _colours(option: QStyleOption) -> tuple[QColor, QColor, QColor]:
    """Border, inside and mark of an indicator."""
    palette, role = option.palette, QPalette.ColorRole
    enabled = bool(option.state & State.State_Enabled)
    group = QPalette.ColorGroup.Normal if enabled else QPalette.ColorGroup.Disabled
    if option.state & (State.State_On | State.State_NoChange):
        inside = palette.color(group, role.Highlight)
        border = palette.color(role.HighlightedText) if option.state & State.State_Selected else inside
        return border, inside, palette.color(group, role.HighlightedText)
    return palette.color(group, role.PlaceholderText), palette.color(group, role.Base), palette.color(role.Base)


def _draw_border(option: QStyleOption, painter: QPainter) -> None:
    """The edge of a field in dark colours: Fusion's is darker than the ground and cannot be seen."""
    palette, role = option.palette, QPalette.ColorRole
    if palette.color(role.Base).lightness() > 128 or option.state & State.State_HasFocus:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = palette.color(role.PlaceholderText)
    colour.setAlphaF(0.7 if option.state & State.State_Enabled else 0.3)
    painter.setPen(QPen(colour, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    painter.restore()


def _draw_arrow(option: QStyleOption, painter: QPainter, area: QRectF, width: float, *, is_up: bool) -> None:
    """A triangle in the middle of the area."""
    enabled = bool(option.state & State.State_Enabled)
    group = QPalette.ColorGroup.Normal if enabled else QPalette.ColorGroup.Disabled
    middle, half, rise = area.center(), width / 2, width * (0.3 if is_up else -0.3)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(option.palette.color(group, QPalette.ColorRole.ButtonText))
    painter.drawPolygon([middle + QPointF(-half, rise), middle + QPointF(half, rise), middle + QPointF(0, -rise)])
    painter.restore()


def _begin(option: QStyleOption, painter: QPainter) -> tuple[QRectF, QColor]:
    border, inside, mark = _colours(option)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(border, 1.2 if not option.state & State.State_HasFocus else 2.0))
    painter.setBrush(inside)
    side = min(option.rect.width(), option.rect.height()) - 2
    area = QRectF(0, 0, side, side)
    area.moveCenter(QRectF(option.rect).center())
    return area, mark


def _draw_check_box(option: QStyleOption, painter: QPainter) -> None:
    area, mark = _begin(option, painter)
    painter.drawRoundedRect(area, area.width() * 0.2, area.width() * 0.2)
    pen = QPen(mark, max(area.width() * 0.13, 1.4))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    if option.state & State.State_On:
        corners = ((0.24, 0.52), (0.43, 0.71), (0.77, 0.3))
        painter.drawPolyline(
            [QPointF(area.left() + x * area.width(), area.top() + y * area.height()) for x, y in corners]
        )
    elif option.state & State.State_NoChange:
        middle = area.center().y()
        painter.drawLine(
            QPointF(area.left() + area.width() * 0.27, middle), QPointF(area.right() - area.width() * 0.27, middle)
        )
    painter.restore()


def _draw_radio_button(option: QStyleOption, painter: QPainter) -> None:
    area, mark = _begin(option, painter)
    painter.drawEllipse(area)
    if option.state & State.State_On:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark)
        painter.drawEllipse(area.center(), area.width() * 0.22, area.width() * 0.22)
    painter.restore()
