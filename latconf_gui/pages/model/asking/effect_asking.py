"""Asks for one effect in numbers: at once without intervals, and with them where a person wants to wait."""

from __future__ import annotations

from PySide6.QtCore import QObject

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.effects.effect import EffectAnswer
from latconf_core.effects.plug_in import N_DRAWS
from latconf_gui.pages.dag_classes import shown_knowledge
from latconf_gui.pages.model.asking.model_questions import ModelQuestions
from latconf_gui.pages.model.asking.pair_panel import PairPanel
from latconf_gui.pages.page import PageContext


class EffectAsking(QObject):
    """Shows the latest answer in the panel of the pair."""

    def __init__(self, context: PageContext, panel: PairPanel, questions: ModelQuestions) -> None:
        super().__init__(panel)
        self._context, self._panel, self._questions = context, panel, questions
        self._part = panel.numbers_of_effect
        self._network: BayesNet | None = None
        self._data: Dataset | None = None
        self._answer: EffectAnswer | None = None
        panel.contrast_changed.connect(self._ask)
        self._part.intervals_asked.connect(self.draw_intervals)
        self._part.cancel_asked.connect(self.cancel)
        questions.effect_drawn.connect(self._part.show_progress)
        questions.effect_answered.connect(self._on_answered)
        questions.effect_refused.connect(lambda error: self._part.show_problem(f"{error}."))

    def follow(self, network: BayesNet | None, data: Dataset | None) -> None:
        """Another pair, or another model; without one nothing is asked."""
        self._network, self._data = network, data
        self._ask()

    def _ask(self) -> None:
        """The numbers without intervals."""
        self._answer = None
        self._part.show_answer(None)
        self._begin(n_draws=0)

    def _begin(self, *, n_draws: int) -> None:
        question = self._panel.question
        if self._network is None or question is None:
            self._questions.forget_effect()
            return
        knowledge, data = shown_knowledge(self._context.document), self._data
        self._questions.ask_effect(self._network, question, data=data, knowledge=knowledge, n_draws=n_draws)

    def draw_intervals(self) -> None:
        """Draw the rows anew, many times."""
        self._part.show_drawing(is_drawing=True)
        self._begin(n_draws=N_DRAWS)

    def cancel(self) -> None:
        """Want no intervals any more; what was known without them stays."""
        self._questions.forget_effect()
        self._part.show_answer(self._answer, has_data=self._data is not None)

    def _on_answered(self, answer: EffectAnswer) -> None:
        self._answer = answer
        self._part.show_answer(answer, has_data=self._data is not None)
