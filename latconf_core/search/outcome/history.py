"""Every DAG a search has visited, kept small enough that a hundred thousand fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args, overload

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import FileFormatError
from latconf_core.json_form import migrate
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.scoring import Effort
from latconf_core.score.naming import to_dag
from latconf_core.search.outcome.visit_rows import COLUMNS, VisitRows

VisitKind = Literal["candidate", "states"]
Row = tuple[int, str, int, float, str, str, str]  # as in COLUMNS
VERSION = 2
BIDIRECTED = "<->"


@dataclass(frozen=True, slots=True)
class Visit:
    """One scored DAG.

    level : the level it was visited at
    kind : "states" where only the number of states of a latent was tried
    effort : "light" where its score is that of a first look, which more effort would perhaps raise
    """

    index: int
    level: int
    p_elbo: float
    kind: VisitKind
    candidate: BitDag
    effort: Effort = "full"

    @property
    def n_latents(self) -> int:
        return len(self.candidate.latents)


class Scored(Protocol):
    """A visit, or the event of one."""

    @property
    def candidate(self) -> BitDag: ...
    @property
    def p_elbo(self) -> float: ...
    @property
    def level(self) -> int: ...
    @property
    def kind(self) -> VisitKind: ...
    @property
    def effort(self) -> Effort: ...


class History(Sequence[Visit]):
    """The visits of one run in order, column by column, and the best of them; it grows while the run goes on.

    A visit is as the search scored it. The columns `p_elbo` and `is_light` know what was fitted fully since.

    level_name : what the levels count, as in "2 <->" or "2 latents"
    score_title : what the scores are called: those of the run's objective, its prices included
    chosen : the visit that is the result where the search says so
    improvements : the visits that were the best when they came
    full_scores : of visits that were fitted fully after the search, by their index
    """

    def __init__(
        self,
        nodes: Sequence[str] = (),
        visits: Iterable[Scored] = (),
        *,
        level_name: str = BIDIRECTED,
        score_title: str = "p-ELBO",
    ) -> None:
        self.nodes = tuple(nodes)
        self.level_name = level_name
        self.score_title = score_title
        self.candidates: list[BitDag] = []
        self._p_elbos: list[float] = []
        self._levels: list[int] = []
        self._kinds: list[VisitKind] = []
        self._efforts: list[Effort] = []
        self._arrays: dict[str, np.ndarray] = {}
        self.full_scores: Mapping[int, float] = {}
        self.chosen: int | None = None
        self.best: Visit | None = None
        self.best_with_latents: Visit | None = None
        self.best_without_latents: Visit | None = None
        self.improvements: list[int] = []
        self.extend(visits)

    def extend(self, visits: Iterable[Scored]) -> None:
        """Record visits in their order."""
        for visit in visits:
            self.add(visit.candidate, visit.p_elbo, level=visit.level, kind=visit.kind, effort=visit.effort)

    def add(
        self,
        candidate: BitDag,
        p_elbo: float,
        *,
        level: int,
        kind: VisitKind = "candidate",
        effort: Effort = "full",
    ) -> int:
        """Record a scored DAG; its place."""
        index = len(self._efforts)
        self.candidates.append(candidate)
        self._p_elbos.append(p_elbo)
        self._levels.append(level)
        self._kinds.append(kind)
        self._efforts.append(effort)
        best = self.best_with_latents if candidate.latents else self.best_without_latents
        if best is None or p_elbo > best.p_elbo:
            self._note_best(self._visit(index))
        return index

    def _note_best(self, visit: Visit) -> None:
        """Take note of the best with latents, or of that without."""
        if visit.candidate.latents:
            self.best_with_latents = visit
        else:
            self.best_without_latents = visit
        if self.best is None or visit.p_elbo > self.best.p_elbo:
            self.best = visit
            self.improvements.append(visit.index)

    def add_full_score(self, index: int, p_elbo: float) -> None:
        """Keep the score of a visit that was fitted fully after the search."""
        self.full_scores = {**self.full_scores, range(len(self))[index]: p_elbo}

    @property
    def p_elbo(self) -> FloatArray:
        """The score of every visit, the full one where it is known."""
        known = self._column("p_elbo", self._p_elbos, np.float64)
        return _with_changes(known, list(self.full_scores), list(self.full_scores.values()))

    @property
    def is_light(self) -> np.ndarray:
        """Whether the score of each visit is that of a first look."""
        known = self._column("is_light", self._efforts, np.bool_, lambda effort: effort == "light")
        return _with_changes(known, list(self.full_scores), False)

    @property
    def level(self) -> np.ndarray:
        """The level of every visit."""
        return self._column("level", self._levels, np.int64)

    @property
    def n_latents(self) -> np.ndarray:
        """The number of latents of every visit."""
        return self._column("n_latents", self.candidates, np.int64, lambda candidate: len(candidate.latents))

    def _column(
        self, name: str, values: Sequence[Any], dtype: type, read: Callable[[Any], object] | None = None
    ) -> np.ndarray:
        """A column as an array that nobody can write to; what was added since it was last asked for is put behind."""
        known = self._arrays.get(name, np.empty(0, dtype=dtype))
        if len(known) < len(values):
            new = values[len(known) :]
            known = np.concatenate(
                (known, np.array(new if read is None else [read(value) for value in new], dtype=dtype))
            )
            known.flags.writeable = False
            self._arrays[name] = known
        return known

    def score(self, index: int) -> float:
        """The p-ELBO of a visit, the full one where it is known."""
        return float(self.full_scores.get(index, self._p_elbos[index]))

    @property
    def result(self) -> int | None:
        """The visit that is the result, or would be if the search ended now."""
        return self.chosen if self.chosen is not None or self.best is None else self.best.index

    def is_best(self, index: int) -> bool:
        """Whether a visit is the best so far."""
        return self.best is not None and self.best.index == index

    def dag(self, index: int) -> LatentDag:
        """The DAG of a visit."""
        return to_dag(self.candidates[index], self.nodes)

    def level_text(self, index: int) -> str:
        """The level of a visit in words."""
        return level_text(self._levels[index], self.level_name)

    def per_level(self) -> dict[int, int]:
        """How many candidates were scored at each level."""
        counts: dict[int, int] = {}
        for level, kind in zip(self._levels, self._kinds):
            if kind == "candidate":
                counts[level] = counts.get(level, 0) + 1
        return counts

    def rows(self) -> Iterator[Row]:
        """Every visit as a row of COLUMNS, numbered from 1 as in the window; edges and latents by name."""
        form = VisitRows(self.nodes)
        for visit in self:
            candidate = visit.candidate
            edges, latents = form.edges_text(candidate), form.latents_text(candidate)
            score = float(visit.p_elbo)
            yield visit.index + 1, visit.kind, visit.level, score, edges, latents, visit.effort

    @classmethod
    def from_rows(cls, nodes: Sequence[str], rows: Iterable[tuple[int, Sequence[Any]]]) -> History:
        """The history of the rows, each given with the line that an error names.

        Rows of old, with positions for names, counted from 0 or without the effort, are read too.
        """
        form = VisitRows(nodes)
        history = cls(nodes)
        first = 1
        for line, row in rows:
            if not len(history) and row and str(row[0]) == "0":
                first = 0
            try:
                visit = _read_visit(form, row, len(history), first=first)
            except ValueError:
                cells = ",".join(map(str, row))
                raise FileFormatError(f"{cells!r} is not a visit of {len(nodes)} variables", line=line) from None
            history.extend([visit])
        return history

    def to_json(self) -> dict[str, Any]:
        """The nodes and every visit, as in history.csv."""
        rows = [list(row) for row in self.rows()]
        return {"version": VERSION, "nodes": list(self.nodes), "columns": list(COLUMNS), "rows": rows}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> History:
        """The history that `to_json` gave."""
        current = migrate(content, {1: dict}, current=VERSION, what="this history")
        return cls.from_rows(current["nodes"], enumerate(current["rows"], 1))

    def __len__(self) -> int:
        return len(self._efforts)  # what is filled in last

    def __iter__(self) -> Iterator[Visit]:
        return map(self._visit, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Visit: ...
    @overload
    def __getitem__(self, index: slice) -> list[Visit]: ...
    def __getitem__(self, index: int | slice) -> Visit | list[Visit]:
        if isinstance(index, slice):
            return [self._visit(position) for position in range(*index.indices(len(self)))]
        return self._visit(range(len(self))[index])

    def _visit(self, index: int) -> Visit:
        return Visit(
            index,
            self._levels[index],
            self._p_elbos[index],
            self._kinds[index],
            self.candidates[index],
            self._efforts[index],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        return self.nodes == other.nodes and self._columns == other._columns

    @property
    def _columns(self) -> tuple[list[Any], ...]:
        return self.candidates, self._p_elbos, self._levels, self._kinds, self._efforts

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"History({len(self)} visits)"


def level_text(level: int, level_name: str = BIDIRECTED) -> str:
    """A level in words: "2 <->", "1 latent"."""
    return f"{level} {level_name.removesuffix('s') if level == 1 else level_name}"


def _with_changes(values: np.ndarray, places: list[int], changed: object) -> np.ndarray:
    """The values, others in some places."""
    if not places:
        return values
    changes = values.copy()
    changes[places] = changed
    changes.flags.writeable = False
    return changes


def _read_visit(form: VisitRows, row: Sequence[Any], index: int, *, first: int) -> Visit:
    number, kind, level, p_elbo, edges, latents, effort = (*row, "full") if len(row) < len(COLUMNS) else row
    if int(number) - first != index or kind not in get_args(VisitKind) or effort not in get_args(Effort):
        raise ValueError(row)
    return Visit(index, int(level), float(p_elbo), kind, form.candidate(edges, latents), effort)
