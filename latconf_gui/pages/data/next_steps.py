"""The next steps of the work, as buttons of the Data page."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.look.icons import icon
from latconf_gui.widgets.actions import Actions
from latconf_gui.widgets.text import SPACE

NEEDS = "Use at least two variables first."


class NextSteps(QWidget):
    """Learns a PAG, or runs Auto; each goes to the page where it is followed."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.learn = QPushButton(icon("pag"), "Learn a PAG")
        self.search = QPushButton(icon("play"), "Find hidden causes")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(self.learn)
        layout.addWidget(self.search)
        self.learn.clicked.connect(lambda: self._go("page.pag", "pag.learn"))
        self.search.clicked.connect(lambda: self._go("search.auto"))

    def follow(self, state: ProjectState) -> None:
        """Offer the steps that these data allow."""
        has_data = state.dataset is not None and state.dataset.n_variables > 1
        for button, tip in (
            (self.learn, "Learn from the data which causes and hidden causes they allow, and look at it"),
            (self.search, "Run Auto: learn a PAG where there is none, search it, refine, and judge what was found"),
        ):
            button.setEnabled(has_data)
            button.setToolTip(tip if has_data else NEEDS)

    def _go(self, *ids: str) -> None:
        """Trigger these commands, which other pages register a moment after the first paint."""
        for id in ids:
            if id in self._actions:
                self._actions[id].trigger()
