"""PAGs and runs that a project keeps by name, and which data each of them belongs to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import KEY
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.phrases import counted, list_names

if TYPE_CHECKING:
    from latconf_core.pag.events import LearnedPag, PagEvent
    from latconf_core.search.outcome.result import SearchResult
    from latconf_core.stability.stability_result import Stability

MAX_NAMED = 3  # variables that a sentence names before it counts the rest


@dataclass(frozen=True)
class DataMark:
    """Which data something was made from, and enough of them to say what is different since.

    n_rows : None where an older project does not say
    """

    digest: str
    n_rows: int | None = field(metadata={KEY: "rows"})
    variables: tuple[str, ...]

    @classmethod
    def of(cls, dataset: Dataset | None) -> DataMark | None:
        """The mark of some data; None without any."""
        return None if dataset is None else cls(dataset.digest, dataset.n_rows, dataset.names)


WITH_KNOWLEDGE = ", with knowledge"  # behind the origin of what was found under some
EDITED = ", edited"  # behind the origin of what was changed by hand since
DRAWN = "drawn"  # the origin of what was drawn by hand from the start
LEARNED_BY_SEARCHES = "gfci"  # the learner of a search that needs a PAG and is given none


@dataclass(frozen=True, eq=False)
class KeptPag:
    """A PAG with its name.

    origin : how it came about, e.g. "GFCI, alpha 0.05"
    data : what it was learned from or drawn for; None where there were no data
    events : what its learner told while it ran, where that was kept; they lead to the graph as it was learned
    stability : what came of learning it on samples of the rows, where that was done
    knowledge : what bound its learner
    is_edited : whether it was changed by hand since it came about
    is_by_search : whether a search learned it for itself, by GFCI
    """

    name: str
    graph: MixedGraph
    origin: str = ""
    data: DataMark | None = None
    events: tuple[PagEvent, ...] = ()
    stability: Stability | None = None
    knowledge: Knowledge = NO_KNOWLEDGE
    is_edited: bool = False
    is_by_search: bool = False

    @property
    def came_about(self) -> str:
        """Its origin, and whether it was edited since."""
        return f"{self.origin}{EDITED if self.is_edited else ''}"

    @property
    def learner(self) -> str:
        """The name of the learner that it came from; empty where it was drawn or read, or that was not kept."""
        if self.is_by_search:
            return LEARNED_BY_SEARCHES
        return "" if self.learned is None else self.learned.options.method

    @property
    def learned(self) -> LearnedPag | None:
        """What its learner came to; None where it was not learned, or that was not kept."""
        from latconf_core.pag.events import PagLearned

        last = self.events[-1] if self.events else None
        return last.result if isinstance(last, PagLearned) else None


@dataclass(frozen=True, eq=False)
class KeptRun:
    """The outcome of a search with its name.

    pag : the name of the PAG it was run on, which may have been edited or deleted since; `result.pag` is as it was
    opened : the visits that were looked at, by their index
    stability : what came of repeating it on samples of the rows, where that was done
    """

    name: str
    result: SearchResult
    pag: str = ""
    data: DataMark | None = None
    opened: tuple[int, ...] = ()
    stability: Stability | None = None

    @property
    def origin(self) -> str:
        """What graphs of this run are said to come from."""
        return f"{self.name}{WITH_KNOWLEDGE if self.result.knowledge else ''}"


class Named(Protocol):
    """What a collection holds."""

    @property
    def name(self) -> str: ...

    @property
    def data(self) -> DataMark | None: ...


Item = TypeVar("Item", bound=Named)


def find_item(items: Sequence[Item], name: str) -> Item | None:
    """The item of that name, if there is one."""
    return next((item for item in items if item.name == name), None)


def unique_name(wanted: str, taken: Collection[str]) -> str:
    """The name, or with the first number in brackets that makes it another one."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} ({number})"
    return name


def run_name(title: str, pag: str) -> str:
    """What a run is called before a person gives it a name; the options of the learner are left to the PAG."""
    return f"{title} on {pag.partition(', ')[0]}" if pag else title


def mark_of_result(result: SearchResult, dataset: Dataset | None) -> DataMark:
    """The mark of the data that a search has read, which may be others than those at hand."""
    mark = DataMark.of(dataset)
    if mark is not None and mark.digest == result.dataset_digest:
        return mark
    return DataMark(result.dataset_digest, None, result.history.nodes)


def check_name(name: str, items: Sequence[Named], what: str) -> str:
    """The name as it will be kept; OptionError where it is empty or another item of the collection has it."""
    clean = " ".join(name.split())
    if not clean:
        raise OptionError(f"a {what} needs a name; type one")
    if find_item(items, clean) is not None:
        raise OptionError(f"there is already a {what} {clean!r}; choose another name")
    return clean


def is_of(mark: DataMark | None, dataset: Dataset | None) -> bool:
    """Whether something with that mark was made from these data."""
    if mark is None or dataset is None:
        return mark is None and dataset is None
    return mark.digest == dataset.digest


def difference(mark: DataMark | None, dataset: Dataset | None) -> str:
    """What is different about the data since; "" where they are the same."""
    if is_of(mark, dataset):
        return ""
    if mark is None:
        return "made without data"
    if dataset is None:
        return "made from data that are no longer prepared"
    changes = _variable_changes(mark.variables, dataset.names) + _row_changes(mark.n_rows, dataset.n_rows)
    return f"made from other data: {', '.join(changes) or 'cells or states were changed since'}"


def _variable_changes(before: tuple[str, ...], now: tuple[str, ...]) -> list[str]:
    gone = [name for name in before if name not in now]
    new = [name for name in now if name not in before]
    changes = [f"{list_names(gone, most=MAX_NAMED)} excluded since"] if gone else []
    changes += [f"{list_names(new, most=MAX_NAMED)} added since"] if new else []
    return changes or (["column order changed since"] if before != now else [])


def _row_changes(before: int | None, now: int) -> list[str]:
    if before is None or before == now:
        return []
    return [f"{counted(abs(before - now), 'row')} {'dropped' if now < before else 'added'} since"]
