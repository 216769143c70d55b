"""The game of separation: rounds drawn at random, what answers each, and why a wrong answer is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

import numpy as np

from latconf_core.graph.paths import drawn_path
from latconf_core.phrases import list_names
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.separating_sets import smallest_separating_sets, variables_that_open
from latconf_core.teaching.separation.separation_graph import GraphKind, SeparationGraph

N_OBSERVED = (4, 6)  # variables of a round, least and most
MOST_HIDDEN = 2
DENSITY = 0.35  # the probability of an arrow between two variables
LARGEST_ANSWER = 3
NUMBERS = {2: "Two", 3: "Three"}
FIRST_TRY_POINTS, LATER_POINTS = 3, 1  # for a right answer


class Task(Enum):
    """What a round asks for."""

    SEPARATE = "separate"
    OPEN = "open"


@dataclass(frozen=True)
class GameRound:
    """A question: a graph, two nodes, what is held fixed, and every right answer.

    given : the set that separates the two, in a round that asks for the variable that opens a path
    answers : sets of names, each in the order of the nodes
    """

    dag: DrawnDag
    kind: GraphKind
    task: Task
    first: str
    second: str
    given: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]

    @property
    def asked(self) -> SeparationGraph:
        """The graph that is shown."""
        match self.kind:
            case GraphKind.DAG:
                return SeparationGraph.of_dag(self.dag.graph, self.dag.hidden)
            case GraphKind.MAG:
                return SeparationGraph.of_mag(self.dag.mag)
            case GraphKind.PAG:
                return SeparationGraph.of_pag(self.dag.pag)

    @property
    def question(self) -> str:
        """What to do, as a sentence."""
        pair = f"{self.first} and {self.second}"
        if self.task == Task.SEPARATE:
            size = len(self.answers[0])
            count = "One variable is" if size == 1 else f"{NUMBERS[size]} variables are"
            return f"Find a smallest set that separates {pair}. {count} enough."
        if not self.given:
            return f"{pair} are separated by the empty set. Conditioning on which variable opens a path?"
        fixed = list_names(self.given)
        return f"{pair} are separated given {fixed}. Conditioning on which further variable opens a path?"

    @property
    def solution(self) -> str:
        """Every right answer, as a sentence."""
        sets = [list_names(answer) for answer in self.answers]
        if self.task == Task.OPEN:
            return f"It is {sets[0]}."
        if len(sets) == 1:
            return f"Only {sets[0]} works." if len(self.answers[0]) == 1 else f"It is {sets[0]}, and no other set."
        return f"There are {len(sets)} smallest sets: {'; '.join(sets)}."


@dataclass(frozen=True)
class Answer:
    """Whether a chosen set answers a round, and a sentence that says why or why not."""

    is_right: bool
    sentence: str


@dataclass(frozen=True)
class GamePlay:
    """How far somebody is in a game: the same seed gives the same rounds.

    number : of the round, from 1
    n_tries : wrong answers in this round
    is_over : this round was answered, or its solution was shown
    n_right : rounds that were answered
    """

    seed: int
    number: int = 1
    n_tries: int = 0
    is_over: bool = False
    points: int = 0
    n_right: int = 0

    def round(self) -> GameRound:
        """The question of this round."""
        return draw_round(np.random.default_rng([self.seed, self.number]))

    def answered(self, answer: Answer) -> GamePlay:
        """After an answer; one to a round that is over changes nothing."""
        if self.is_over:
            return self
        if not answer.is_right:
            return replace(self, n_tries=self.n_tries + 1)
        gained = LATER_POINTS if self.n_tries else FIRST_TRY_POINTS
        return replace(self, is_over=True, points=self.points + gained, n_right=self.n_right + 1)

    def given_up(self) -> GamePlay:
        """After the solution was shown."""
        return replace(self, is_over=True)

    def next(self) -> GamePlay:
        """The next round."""
        return replace(self, number=self.number + 1, n_tries=0, is_over=False)

    @property
    def standing(self) -> str:
        """Round, points and right answers, as a line."""
        n_over = self.number if self.is_over else self.number - 1
        points = f"{self.points} point{'' if self.points == 1 else 's'}"
        return f"Round {self.number} · {points} · {self.n_right} of {n_over} answered"


def draw_round(
    rng: np.random.Generator, *, kinds: Collection[GraphKind] = tuple(GraphKind), tasks: Collection[Task] = tuple(Task)
) -> GameRound:
    """A round with at least one right answer, and no smallest set that is empty."""
    wanted_kinds = [kind for kind in GraphKind if kind in kinds]
    wanted_tasks = [task for task in Task if task in tasks]
    while True:
        kind = wanted_kinds[int(rng.integers(len(wanted_kinds)))]
        task = wanted_tasks[int(rng.integers(len(wanted_tasks)))]
        rounds = list(_rounds_of(_random_dag(rng), kind, task))
        if rounds:
            return rounds[int(rng.integers(len(rounds)))]


def judge_answer(question: GameRound, chosen: Collection[str]) -> Answer:
    """Whether the chosen variables are a right answer; for Task.OPEN they are those added to the given ones."""
    names = tuple(name for name in question.dag.nodes if name in chosen)
    if names in question.answers:
        return Answer(True, _praise(question, names))
    if question.task == Task.SEPARATE:
        return Answer(False, _why_not_smallest(question, names))
    return Answer(False, _why_not_opening(question, names))


def _praise(question: GameRound, names: tuple[str, ...]) -> str:
    if question.task == Task.SEPARATE:
        return f"Right: given {list_names(names)} every path between {question.first} and {question.second} is blocked."
    asked = question.asked
    path = asked.explain(question.first, question.second, (*question.given, *names)).open_paths[0]
    return f"Right: it opens {drawn_path(path.nodes, asked.graph)}, because {path.reason}."


def _why_not_smallest(question: GameRound, names: tuple[str, ...]) -> str:
    asked = question.asked
    verdict = asked.explain(question.first, question.second, names)
    size = len(question.answers[0])
    if verdict.is_separated:
        return f"It separates them, but a set of {size} is enough."
    given = f"given {list_names(names)}" if names else "given the empty set"
    path = verdict.open_paths[0]
    return f"Not yet: {given}, {drawn_path(path.nodes, asked.graph)} is open, because {path.reason}."


def _why_not_opening(question: GameRound, names: tuple[str, ...]) -> str:
    if len(names) != 1:
        return f"Select exactly one variable, not {len(names)}." if names else "First select one variable."
    return f"No: when you also condition on {names[0]}, every path stays blocked. Look for a collider."


def _random_dag(rng: np.random.Generator) -> DrawnDag:
    """A DAG over A, B, … whose hidden variables are common causes."""
    names = [chr(ord("A") + i) for i in range(int(rng.integers(N_OBSERVED[0], N_OBSERVED[1] + 1)))]
    order = [names[i] for i in rng.permutation(len(names))]
    edges = [pair for pair in combinations(order, 2) if rng.random() < DENSITY]
    hidden = [f"H{k + 1}" for k in range(int(rng.integers(MOST_HIDDEN + 1)))]
    for latent in hidden:
        children = rng.choice(names, size=2, replace=False).tolist()
        edges += [(latent, child) for child in children]
    return DrawnDag((*names, *hidden), tuple(edges), frozenset(hidden)).placed()


def _rounds_of(dag: DrawnDag, kind: GraphKind, task: Task) -> Iterator[GameRound]:
    """All rounds of this kind that a DAG offers."""
    asked = GameRound(dag, kind, task, "", "", (), ()).asked
    for first, second in combinations(dag.observed, 2):
        smallest = smallest_separating_sets(asked, first, second)
        if not smallest:
            continue
        if task == Task.SEPARATE and 0 < len(smallest[0]) <= LARGEST_ANSWER:
            yield GameRound(dag, kind, task, first, second, (), smallest)
        elif task == Task.OPEN:
            opening = variables_that_open(asked, first, second, smallest[0])
            if len(opening) == 1:
                yield GameRound(dag, kind, task, first, second, smallest[0], ((opening[0],),))
