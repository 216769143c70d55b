"""The numbers of every graph: asked for beside the window once the picture is painted, and filled in as they come."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from latconf_core.comparison.compare import PairComparison
from latconf_core.comparison.matrix import letter_of
from latconf_core.comparison.numbers import Numbers, relate_to_reference
from latconf_core.comparison.subject import Subject
from latconf_core.comparison.tables import Table, choose_columns, tabulate_numbers
from latconf_core.families.objectives import JUDGING
from latconf_core.options.scoring import VbemOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.application.document import Document
from latconf_gui.background.after_painting import AfterPainting
from latconf_gui.pages.compare.candidates import Candidates
from latconf_gui.pages.compare.comparable_graphs import list_offers
from latconf_gui.pages.compare.layout import CompareLayout
from latconf_gui.pages.compare.scoring import CompareScoring, Described, Measured, Question
from latconf_gui.pages.compare.shown_comparison import ShownComparison


class ShownNumbers(QObject):
    """Asks for scores and shows them; what is computed for other graphs is given up."""

    def __init__(
        self, parts: CompareLayout, candidates: Candidates, comparison: ShownComparison, *, document: Document
    ) -> None:
        super().__init__(parts)
        self._parts, self._candidates, self._comparison = parts, candidates, comparison
        self._document = document
        self._measured: tuple[PairComparison, ...] = ()
        self.scoring = CompareScoring(self)
        self.scoring.answered.connect(self._on_answered)
        self._after_painting = AfterPainting(self)
        self._after_painting.reached.connect(self._begin)

    @property
    def is_busy(self) -> bool:
        return self._after_painting.is_waiting or self.scoring.is_busy

    def ask(self) -> None:
        """What is computed for another pair is given up, and for this one begun once it is painted."""
        self._measured = ()
        self.scoring.forget()
        self._after_painting.start()

    def clear(self) -> None:
        """Nothing is compared."""
        self._measured = ()
        self._after_painting.stop()
        self.scoring.forget()

    def stop(self) -> None:
        self._after_painting.stop()
        self.scoring.stop()

    def table(self) -> Table:
        """The numbers that are shown, as far as they are known."""
        return choose_columns(tabulate_numbers(self._known(), self._measured), self._parts.numbers.shown_titles())

    def _begin(self) -> None:
        self._show()
        subjects = tuple(item.subject for item in self._candidates.items)
        if subjects:
            truth = self._truth() if self._parts.against.currentIndex() == 1 else None
            shown, view, data = self._comparison.place, self._comparison.view, self._document.dataset
            results = tuple(run.result for run in self._document.state.runs)
            self.scoring.ask_for_scores(Question(subjects, shown, view, data, self._options(), results, against=truth))

    def _options(self) -> VbemOptions:
        """As the current run scores, with full effort: visits may have been given less."""
        result = self._document.result
        if not isinstance(result, SearchResult):
            return JUDGING.apply(VbemOptions())
        return replace(result.options.vbem, seed=result.seed, effort="full")

    def _truth(self) -> Subject | None:
        offer = next((offer for offer in list_offers(self._document) if offer.role == "truth"), None)
        content = None if offer is None else offer.make()
        return None if content is None else Subject("the truth", content)

    def _on_answered(self, answer: PairComparison | Described | Measured) -> None:
        if isinstance(answer, PairComparison):
            self._comparison.take_scores(answer)
            return
        if isinstance(answer, Described):
            self._candidates.set_numbers(answer.subject.content, answer.numbers)
        else:
            self._measured = answer.pairs
        self._show()

    def _known(self) -> dict[str, Numbers]:
        numbers_of = {item.name: self._candidates.numbers(item.content) for item in self._candidates.items}
        known = {name: value for name, value in numbers_of.items() if value is not None}
        reference = self._candidates.reference
        return known if reference is None else relate_to_reference(known, reference.name)

    def _show(self) -> None:
        titles = {item.name: f"{letter_of(index)}: {item.name}" for index, item in enumerate(self._candidates.items)}
        self._parts.numbers.show_numbers(titles, self._known(), self._measured)
