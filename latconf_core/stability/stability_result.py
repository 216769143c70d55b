"""What came of all samples, and what follows from it for every pair of variables and every latent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.reading.frames import make_frame
from latconf_core.descriptions import describe
from latconf_core.errors import FileFormatError
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import UNREADABLE, Content, Notes, decode, decode_finite, migrate
from latconf_core.options.resampling import StabilityOptions
from latconf_core.pictures import make_table
from latconf_core.stability.run_sample import SampleOutcome
from latconf_core.stability.shares import (
    LatentShare,
    PairShare,
    count_latents,
    count_new_latents,
    count_pairs,
    dag_edges,
)

if TYPE_CHECKING:
    import pandas as pd

FORMAT_NAME = "latconf stability"
VERSION = 1


@dataclass(frozen=True, eq=False)
class Stability:
    """How stable a PAG, a model or both are when the rows are drawn anew.

    nodes, dataset_digest : of the data that were resampled
    outcomes : of the samples that were done, in the order of their numbers
    pag, dag : what comes of the data themselves; None where that was not learned or not searched
    keeps_pag : whether every search kept to one PAG, which was given
    """

    options: StabilityOptions
    nodes: tuple[str, ...]
    dataset_digest: str
    outcomes: tuple[SampleOutcome, ...]
    stop_reason: StopReason
    seconds: float
    pag: MixedGraph | None = None
    dag: LatentDag | None = None
    keeps_pag: bool = False

    @cached_property
    def counted_outcomes(self) -> tuple[SampleOutcome, ...]:
        """The samples that shares are of: those that did not fail."""
        return tuple(outcome for outcome in self.outcomes if not outcome.failure)

    @property
    def n_samples(self) -> int:
        """How many samples the shares are of."""
        return len(self.counted_outcomes)

    @property
    def n_failed(self) -> int:
        return len(self.outcomes) - self.n_samples

    @cached_property
    def dags(self) -> tuple[LatentDag, ...]:
        """The models of the samples."""
        return tuple(
            counted_outcome.dag for counted_outcome in self.counted_outcomes if counted_outcome.dag is not None
        )

    @cached_property
    def pag_pairs(self) -> tuple[PairShare, ...]:
        """Every pair that the PAG of the data or of a sample joins; empty where none were learned."""
        graphs = [counted_outcome.pag for counted_outcome in self.counted_outcomes if counted_outcome.pag is not None]
        return count_pairs(graphs, self.nodes, also=() if self.pag is None else tuple(self.pag.edges()))

    @cached_property
    def dag_pairs(self) -> tuple[PairShare, ...]:
        """Every pair with an edge in the model of the data or of a sample; empty where nothing was searched."""
        also = () if self.dag is None else dag_edges(self.dag)
        return count_pairs([dag_edges(dag) for dag in self.dags], self.nodes, also=also)

    def latents_of(self, dag: LatentDag) -> tuple[LatentShare, ...]:
        """How often each latent of a DAG comes back, in their order."""
        return count_latents(dag, self.dags)

    @cached_property
    def latents(self) -> tuple[LatentShare, ...]:
        """How often each latent of the model of the data comes back."""
        return () if self.dag is None else self.latents_of(self.dag)

    @cached_property
    def new_latents(self) -> tuple[LatentShare, ...]:
        """Latents of samples over children that no latent of the model of the data has; the most frequent first."""
        return count_new_latents(self.dags, self.nodes, known=() if self.dag is None else self.dag.latents)

    def count_shares(self) -> None:
        """Count everything now, where nobody waits for it."""
        self.pag_pairs, self.dag_pairs, self.latents, self.new_latents  # noqa: B018

    def to_json(self) -> dict[str, Any]:
        """What `latconf stability --json` prints: shares first, then every sample they come from."""
        from importlib.metadata import version

        pairs = self.dag_pairs if self.options.learner is None else self.pag_pairs
        return {
            "format": FORMAT_NAME,
            "version": VERSION,
            "program": version("latconf"),
            "samples": self.n_samples,
            "failed": self.n_failed,
            "edges": [pair.to_json() for pair in pairs],
            "dag_edges": [dag_pair.to_json() for dag_pair in self.dag_pairs],
            "latents": [latent.to_json() for latent in self.latents],
            "new_latents": [latent.to_json() for latent in self.new_latents],
            "seconds": self.seconds,
            "stop_reason": self.stop_reason.value,
            "options": self.options.to_json(),
            "nodes": list(self.nodes),
            "dataset_digest": self.dataset_digest,
            "pag": None if self.pag is None else [edge.to_json() for edge in self.pag.edges()],
            "dag": None if self.dag is None else self.dag.to_json(),
            "keeps_pag": self.keeps_pag,
            "outcomes": [outcome.to_json() for outcome in self.outcomes],
        }

    @classmethod
    def from_json(cls, content: Content, notes: Notes | None = None) -> Stability:
        """What `to_json` gave, of this or an older program; the shares are counted anew from the samples."""
        if content.get("format") != FORMAT_NAME:
            raise FileFormatError("this is not a stability result; choose a file written by `latconf stability`")
        current = migrate(content, {}, current=VERSION, what="this stability")
        try:
            return cls._of_current(current, notes)
        except UNREADABLE as error:
            raise FileFormatError(f"this stability cannot be read ({error})") from None

    @classmethod
    def _of_current(cls, content: Content, notes: Notes | None) -> Stability:
        nodes: tuple[str, ...] = decode(tuple[str, ...], content["nodes"])
        pag, dag = content["pag"], content["dag"]
        return cls(
            options=StabilityOptions.from_json(content["options"], notes),
            nodes=nodes,
            dataset_digest=decode(str, content["dataset_digest"]),
            outcomes=tuple(SampleOutcome.from_json(outcome, nodes) for outcome in content["outcomes"]),
            stop_reason=StopReason(content["stop_reason"]),
            seconds=decode_finite(content["seconds"]),
            pag=None if pag is None else MixedGraph.from_edges(nodes, map(Edge.from_json, pag)),
            dag=None if dag is None else LatentDag.from_json({**dag, "nodes": nodes}),
            keeps_pag=decode(bool, content["keeps_pag"]),
        )

    def edges_to_pandas(self) -> pd.DataFrame:
        """A row per pair, those of the model where no PAG was learned: the share of every kind of edge."""
        pairs = self.dag_pairs if self.options.learner is None else self.pag_pairs
        arrows = sorted({arrow for pair in pairs for arrow in pair.counts})
        columns: dict[str, list[object]] = {"a": [pair.a for pair in pairs], "b": [pair.b for pair in pairs]}
        columns |= {arrow: [pair.share(arrow) for pair in pairs] for arrow in arrows}
        return make_frame({**columns, "absent": [pair.absent for pair in pairs]})

    def latents_to_pandas(self) -> pd.DataFrame:
        """A row per latent: of the model of the data first, then those of samples alone."""
        shares = (*self.latents, *self.new_latents)
        return make_frame(
            {
                "latent": [share.name for share in shares],
                "children": [", ".join(share.children) for share in shares],
                "exact": [share.exact for share in shares],
                "half": [share.half for share in shares],
            }
        )

    def _repr_html_(self) -> str:
        latents = self.latents_to_pandas()
        table = make_table(list(latents.columns), latents.to_numpy().tolist()) if len(latents) else ""
        return f"<p>{describe(self)}</p>{table}"
