"""Another program on the same X server from which a person drags files: every press begins a drag of them.

python -m support.file_dragger X Y FILE…; prints "ready" when its window is there, and ends with its parent.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

SIDE = 16


class Dragger(QWidget):
    """A square that is dragged as the files."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self._urls = [QUrl.fromLocalFile(path) for path in paths]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        drag, content = QDrag(self), QMimeData()
        content.setUrls(self._urls)
        drag.setMimeData(content)
        drag.exec(Qt.DropAction.CopyAction)


def main(left: int, top: int, *paths: str) -> int:
    application = QApplication([])
    dragger = Dragger(list(paths))
    dragger.setGeometry(left, top, SIDE, SIDE)
    dragger.show()

    def say_ready() -> None:
        sys.stdout.write("ready\n")
        sys.stdout.flush()

    QTimer.singleShot(300, say_ready)
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
