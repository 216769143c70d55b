"""Asks the network beside the window; of each kind of question only the latest answer counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.effects.class_range import AnswerRange, range_over_class
from latconf_core.effects.effect import EffectAnswer, answer_effect
from latconf_core.effects.effect_question import EffectQuestion
from latconf_core.effects.routes import Identified, identify_effect
from latconf_core.errors import LatconfError
from latconf_core.inference.asking import Answer, InferenceEngine
from latconf_core.inference.contrast import Contrast, contrast
from latconf_core.inference.question import Question
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.background.latest_job import LatestJob

Pair = tuple[tuple[str, str], str]  # the cause with its state, and the effect


@dataclass(frozen=True, eq=False)
class PairAnswer:
    """What is said of a cause and an effect; instead of the contrast the reason why there is none."""

    contrast: Contrast | None
    problem: str
    identified: Identified


class ModelQuestions(QObject):
    """`answered(Answer)`, then `compared(AnswerRange)` where something is set; of a pair PairAnswer, then AnswerRange.

    `refused(error)` where a question cannot be answered.
    """

    answered = Signal(object)
    compared = Signal(object)
    refused = Signal(object)
    pair_answered = Signal(object)
    effect_answered = Signal(object)
    effect_refused = Signal(object)
    effect_drawn = Signal(int, int)  # draws that are done, of how many; from the thread that draws
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states, self._pair, self._effect = LatestJob(self), LatestJob(self), LatestJob(self)
        self._states.answered.connect(self._on_states_answered)
        self._states.failed.connect(self._on_failed)
        self._pair.answered.connect(self.pair_answered)
        self._pair.failed.connect(self.failed)
        self._effect.answered.connect(self.effect_answered)
        self._effect.failed.connect(self._on_effect_failed)
        self._network: BayesNet | None = None
        self._engines: tuple[InferenceEngine, ...] = ()  # one for each job: they run side by side

    @property
    def is_busy(self) -> bool:
        return any(job.is_busy for job in (self._states, self._pair, self._effect))

    def ask(self, network: BayesNet, question: Question, *, knowledge: Knowledge = NO_KNOWLEDGE) -> None:
        """The probabilities of all states; where something is set, also in all DAGs that fit as well."""
        engine = self._engines_of(network)[0]
        self._states.ask_for_answers(lambda control: _answer_states(engine, question, knowledge, control))

    def ask_pair(
        self,
        network: BayesNet,
        cause: tuple[str, str],
        effect: str,
        *,
        given: Question,
        knowledge: Knowledge = NO_KNOWLEDGE,
    ) -> None:
        """Seeing the cause against setting it, what to adjust for, and the range over all DAGs that fit as well."""
        engine = self._engines_of(network)[1]
        self._pair.ask_for_answers(lambda control: _answer_pair(engine, (cause, effect), given, knowledge, control))

    def ask_effect(
        self,
        network: BayesNet,
        question: EffectQuestion,
        *,
        data: Dataset | None,
        knowledge: Knowledge = NO_KNOWLEDGE,
        n_draws: int = 0,
    ) -> None:
        """One effect in numbers, from the model and the rows; `n_draws` of these for intervals."""
        engine = self._engines_of(network)[2]

        def answer(control: RunControl) -> EffectAnswer:
            return answer_effect(
                engine,
                question,
                data=data,
                knowledge=knowledge,
                n_draws=n_draws,
                control=control,
                on_draw=self.effect_drawn.emit,
            )

        self._effect.ask(answer)

    def forget_effect(self) -> None:
        """Want no answer about an effect any more."""
        self._effect.forget()

    def _on_effect_failed(self, error: object) -> None:
        (self.effect_refused if isinstance(error, LatconfError) else self.failed).emit(error)

    def _on_states_answered(self, answer: Answer | AnswerRange) -> None:
        (self.compared if isinstance(answer, AnswerRange) else self.answered).emit(answer)

    def _engines_of(self, network: BayesNet) -> tuple[InferenceEngine, ...]:
        if self._network is not network:
            self._network = network
            self._engines = tuple(InferenceEngine(network) for _ in range(3))
        return self._engines

    def forget(self) -> None:
        """Want no answer any more."""
        self._network, self._engines = None, ()
        for job in (self._states, self._pair, self._effect):
            job.forget()

    def forget_pair(self) -> None:
        """Want no answer about a pair any more."""
        self._pair.forget()

    def stop(self) -> None:
        """Want no answer, and return when nothing runs."""
        for job in (self._states, self._pair, self._effect):
            job.stop()

    def _on_failed(self, error: object) -> None:
        (self.refused if isinstance(error, LatconfError) else self.failed).emit(error)


def _answer_states(
    engine: InferenceEngine, question: Question, knowledge: Knowledge, control: RunControl
) -> Iterator[Answer | AnswerRange]:
    yield engine.ask(question.see, question.do, control=control)
    if question.do:
        yield range_over_class(engine, question.see, question.do, knowledge=knowledge, control=control)


def _answer_pair(
    engine: InferenceEngine,
    pair: tuple[tuple[str, str], str],
    given: Question,
    knowledge: Knowledge,
    control: RunControl,
) -> Iterator[PairAnswer | AnswerRange]:
    cause, effect = pair
    identified = identify_effect(engine.network, cause[0], effect, control=control)
    try:
        change = contrast(engine, cause, effect, see=given.see, do=given.do, control=control)
    except LatconfError as error:
        yield PairAnswer(None, f"{error}.", identified)
        return
    yield PairAnswer(change, "", identified)
    do = {**given.do, cause[0]: cause[1]}
    yield range_over_class(engine, given.see, do, knowledge=knowledge, control=control)
