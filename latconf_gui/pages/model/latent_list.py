"""The hidden causes of a model with their children, in a list to choose from: in a large DAG they are far apart."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QSizePolicy, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.phrases import counted
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.text_size import FollowTextSize

MOST_ROWS = 8  # more of them scroll


class LatentList(QListWidget):
    """`chosen(name)` when a person takes one, by the name that it is shown under."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Hidden causes")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.itemClicked.connect(self._on_taken)
        self.itemActivated.connect(self._on_taken)
        FollowTextSize(self, self.updateGeometry)

    def show_latents(self, dag: LatentDag, names: Mapping[str, str]) -> None:
        """List the latents of a DAG; `names` are those given to them."""
        self.clear()
        for latent in dag.latents:
            name, children = names.get(latent.name, latent.name), [names.get(child, child) for child in latent.children]
            item = QListWidgetItem(f"{name} → {', '.join(children)}")
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setToolTip(plain_tip(f"{name} ({counted(latent.n_states, 'state')}) → {', '.join(children)}"))
            self.addItem(item)
        self.setVisible(self.count() > 0)
        self.updateGeometry()

    def _on_taken(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    def sizeHint(self) -> QSize:
        rows = min(max(self.count(), 1), MOST_ROWS)
        line = max(self.sizeHintForRow(0), self.fontMetrics().height())
        return QSize(super().sizeHint().width(), rows * line + 2 * self.frameWidth() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())
