"""Who is asked to explain a term: one place, so that no label has to know the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class TermRequests(QObject):
    """`asked(term)` when a person clicks a term."""

    asked = Signal(str)


TERM_REQUESTS = TermRequests()
