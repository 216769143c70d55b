"""A person who opens a table, learns, searches, looks at every page and saves, again and again in one window."""

from __future__ import annotations

import ctypes
import gc
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from support.model_acts import confounded

from latconf_core.data.reading.write import write_dataset
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.catalogue import PAGES
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

POLL_MILLISECONDS = 5
LONGEST_SECONDS = 600.0  # a bound for what never comes, not a claim about time
EVERY = 5  # cycles, a look at every page
OWN = ("latconf_core", "latconf_gui", "PySide6")
_LIBC = ctypes.CDLL(None)
TASKS, HANDLES = Path("/proc/self/task"), Path("/proc/self/fd")


class Waiting:
    """One loop and two timers for all waiting, so that waiting itself leaves nothing behind."""

    def __init__(self) -> None:
        self._loop = QEventLoop()
        self._poll = QTimer(interval=POLL_MILLISECONDS)
        self._poll.timeout.connect(self._look)
        self._end = QTimer(interval=round(LONGEST_SECONDS * 1000), singleShot=True)
        self._end.timeout.connect(self._loop.quit)
        self._claim: Callable[[], object] = bool
        self._is_reached = False

    def until(self, claim: Callable[[], object], what: str) -> None:
        """Let the window work until the claim holds."""
        self._claim, self._is_reached = claim, False
        self._poll.start()
        self._end.start()
        self._loop.exec()
        self._poll.stop()
        self._end.stop()
        self._claim = bool
        if not self._is_reached:
            raise TimeoutError(f"waited in vain for {what}")

    def _look(self) -> None:
        if self._claim():
            self._is_reached = True  # what the loop still handles may change it again
            self._loop.quit()


def is_at_rest(window: MainWindow) -> bool:
    """Whether nothing runs beside the window."""
    pag, search = window.page(PagPage), window.page(SearchPage)
    is_writing = window.project.is_saving or window.autosave._thread is not None
    is_busy = pag.legality.is_busy or pag.layouts.is_running or search.dag.is_busy or search.preflight.is_busy
    is_busy |= window.page(ModelPage).is_busy or window.page(ComparePage).is_busy or window.page(LearnPage).is_busy
    return not (window.runs.texts or is_writing or is_busy)


class Cycles:
    """The same work in the same window; what can be undone is forgotten each time, as it is kept on purpose."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self._window = window
        self._waiting = Waiting()
        self._n_done = 0
        self._table, self._project = folder / "table.csv", folder / "cycle.latconf"
        write_dataset(confounded(), self._table)

    def run_once(self) -> None:
        self._open()
        self._learn()
        self._search()
        is_round = self._n_done % EVERY == 0
        self._n_done += 1
        for title in [entry.title for entry in PAGES] if is_round else ["Model"]:
            self._window.show_page(title)
            self._rest(f"the page {title}")
        self._window.project.save_to(self._project, may_overwrite=True)
        self._waiting.until(lambda: not self._window.document.is_modified, "the save")
        self._rest("the save")
        self._window.document.undo_stack.clear()

    def _open(self) -> None:
        self._window.opener.open_path(self._table)
        document = self._window.document
        self._waiting.until(lambda: document.source == self._table and document.pag is None, "the table")
        self._rest("the table")

    def _learn(self) -> None:
        self._window.show_page("PAG")
        self._window.page(PagPage).learn()
        self._waiting.until(lambda: self._window.document.pag is not None, "the PAG")
        self._rest("the PAG")

    def _search(self) -> None:
        self._window.show_page("Search")
        self._window.page(SearchPage).form.choose("hclc-v")
        self._window.actions_by_id["search.run"].trigger()
        self._waiting.until(lambda: isinstance(self._window.document.result, SearchResult), "the result")
        self._rest("the search")

    def _rest(self, what: str) -> None:
        self._waiting.until(lambda: is_at_rest(self._window), f"an end of {what}")


def collect_all() -> None:
    """Let everything go that nobody holds: what Qt deletes later, cycles, and memory that the allocator keeps free."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.unfreeze()
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)


def count_objects() -> Counter[str]:
    """How many objects of the program and of Qt are alive, by type; garbage is collected first."""
    collect_all()
    names = (_name_of(type(one)) for one in gc.get_objects())
    return Counter(name for name in names if name.split(".")[0] in OWN)


def _name_of(kind: type) -> str:
    return f"{vars(kind).get('__module__', '')}.{kind.__qualname__}"


def count_threads() -> int:
    """Threads of this process, those of libraries among them; 0 where nobody counts them."""
    return len(os.listdir(TASKS)) if TASKS.is_dir() else 0


def count_handles() -> int:
    """Open files, pipes and sockets of this process; 0 where nobody counts them."""
    return len(os.listdir(HANDLES)) if HANDLES.is_dir() else 0


def resident_megabytes() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
