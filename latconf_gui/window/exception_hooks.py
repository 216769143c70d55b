"""Nothing fails in silence: exceptions nobody caught are logged and shown, and the program goes on."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, Signal


class ExceptionHooks(QObject):
    """Catches what nobody caught, on any thread; `caught` arrives on the window's thread."""

    caught = Signal(object, str)

    def install(self) -> None:
        """Take over Python's hooks."""
        sys.excepthook = self.on_exception
        threading.excepthook = self.on_thread_exception

    def remove(self) -> None:
        """Give Python its own hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None = None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.caught.emit(error, "The window")

    def on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and args.exc_type is not SystemExit:
            name = args.thread.name if args.thread is not None else "a thread"
            self.caught.emit(args.exc_value, f"In the background ({name})")
