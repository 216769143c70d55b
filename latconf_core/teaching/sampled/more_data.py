"""How a learned PAG nears the true one as rows are added, and how much of what it says is luck of the draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from latconf_core.arrays import CodeArray
from latconf_core.comparison.differences import find_edge_differences
from latconf_core.control import Progress, RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.pag.validity import pag_of_mag
from latconf_core.phrases import counted

SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)  # rows
N_DRAWS = 5
BLOCK = 10_000  # rows drawn at once, between two looks at the control

Pair = frozenset[str]


@dataclass(frozen=True)
class MoreData:
    """What is drawn and how it is learned.

    hide : variables of the network that no learner sees
    n_draws : independent draws; in each, fewer rows are the first of more
    """

    network: BayesNet
    hide: tuple[str, ...] = ()
    options: PagOptions = field(default_factory=PagOptions)
    sizes: tuple[int, ...] = SIZES
    n_draws: int = N_DRAWS
    seed: int = 1


@dataclass(frozen=True)
class Errors:
    """The pairs of variables that a learned PAG joins otherwise than the true one."""

    missing: int
    extra: int
    other_marks: int

    @property
    def total(self) -> int:
        """The structural Hamming distance."""
        return self.missing + self.extra + self.other_marks


@dataclass(frozen=True)
class TruthKnown:
    """The first event: the DAG behind the rows, and the PAG that infinitely many rows would give."""

    dag: LatentDag
    pag: MixedGraph


@dataclass(frozen=True)
class SizeLearned:
    """The PAG of the first `n_rows` rows of a draw."""

    draw: int
    n_rows: int
    graph: MixedGraph
    errors: Errors


@dataclass(frozen=True)
class Luck:
    """What differs from draw to draw.

    pairs : joined in some draws but not in all
    ends : (variable, other): joined in every draw, but not with the same mark at the variable
    """

    pairs: frozenset[Pair]
    ends: frozenset[tuple[str, str]]


MoreDataEvent = TruthKnown | Progress | SizeLearned


def learn_from_more_rows(
    question: MoreData, *, first: int | None = None, control: RunControl | None = None
) -> Iterator[MoreDataEvent]:
    """The truth, and then a PAG for every size of every draw; the size that is looked at comes first in each draw."""
    control = RunControl() if control is None else control
    truth = find_truth(question)
    yield truth
    sizes = sorted(question.sizes, key=lambda size: (size != first, size))
    for draw in range(question.n_draws):
        rows = draw_rows(question, draw, control=control)
        for index, size in enumerate(sizes):
            done, total = draw * len(sizes) + index, question.n_draws * len(sizes)
            yield Progress(done, total, f"draw {draw + 1}: {counted(size, 'row')}")
            graph = run_learner(first_rows(rows, size), question.options, control=control).graph
            yield SizeLearned(draw, size, graph, count_errors(truth.pag, graph))


def find_truth(question: MoreData) -> TruthKnown:
    """The DAG over what is seen, with the hidden common causes as latents, and its PAG."""
    dag = hidden_truth(question.network, {*question.network.latents, *question.hide})
    return TruthKnown(dag, pag_of_mag(mag_of_dag(dag)))


def draw_rows(question: MoreData, draw: int, *, control: RunControl | None = None) -> Dataset:
    """All rows of one draw; another draw or seed gives independent ones."""
    control = RunControl() if control is None else control
    rng = np.random.default_rng((question.seed, draw))
    n_left, blocks = max(question.sizes), list[Dataset]()
    while n_left:
        control.checkpoint()
        n_rows = min(n_left, BLOCK)
        blocks.append(sample(question.network, n_rows, rng=rng, hide=question.hide).dataset)
        n_left -= n_rows
    codes: CodeArray = np.concatenate([block.codes for block in blocks])
    return Dataset(blocks[0].names, blocks[0].states, codes)


def first_rows(data: Dataset, n_rows: int) -> Dataset:
    """The first rows of a table, with every state that it declares."""
    return Dataset(data.names, data.states, data.codes[:n_rows], ordered=data.ordered)


def count_errors(truth: MixedGraph, learned: MixedGraph) -> Errors:
    """Where a learned graph differs from the true one on the same variables."""
    kinds = [edge_difference.kind for edge_difference in find_edge_differences(truth, learned.reordered(truth.nodes))]
    return Errors(kinds.count("only in A"), kinds.count("only in B"), kinds.count("other marks"))


def find_luck(graphs: Sequence[MixedGraph]) -> Luck:
    """What graphs learned from as many rows of different draws do not agree on."""
    pairs, ends = set[Pair](), set[tuple[str, str]]()
    if graphs:
        nodes = graphs[0].nodes
        marks = np.stack([graph.reordered(nodes).marks for graph in graphs])
        joined = marks != Mark.NONE
        differs = joined.any(axis=0) & ~joined.all(axis=0)
        other_mark = joined.all(axis=0) & (marks != marks[0]).any(axis=0)
        pairs = {frozenset((nodes[a], nodes[b])) for a, b in np.argwhere(differs)}
        ends = {(nodes[b], nodes[a]) for a, b in np.argwhere(other_mark)}
    return Luck(frozenset(pairs), frozenset(ends))
