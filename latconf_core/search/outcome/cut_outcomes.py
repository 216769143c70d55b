"""What the same search finds where the columns of numbers were cut at other points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.json_form import Content, decode
from latconf_core.search.outcome.evidence import Support


@dataclass(frozen=True)
class CutOutcome:
    """What came of one other cutting.

    title : how the columns were cut, such as "equal width"
    dag : the best DAG; None where nothing was found
    supports : how much the data support each of its latents; None where it was not judged
    failure : why there is no DAG; "" where there is one
    """

    title: str
    dag: LatentDag | None = None
    supports: tuple[Support | None, ...] = ()
    failure: str = ""

    @property
    def supported(self) -> LatentDag | None:
        """The DAG with those latents alone that the data support."""
        if self.dag is None:
            return None
        kept = [latent for latent, support in zip(self.dag.latents, self.supports) if support == "strong"]
        return LatentDag(self.dag.nodes, self.dag.edges, kept)

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "dag": None if self.dag is None else self.dag.to_json(),
            "supports": list(self.supports),
            "failure": self.failure,
        }

    @classmethod
    def from_json(cls, content: Content) -> CutOutcome:
        """The outcome that `to_json` gave; ValueError where its parts do not fit."""
        dag = None if content["dag"] is None else LatentDag.from_json(content["dag"])
        supports = decode(tuple[Support | None, ...], content["supports"])
        if len(supports) != (0 if dag is None else len(dag.latents)):
            raise ValueError("a cutting has a support for other latents than it has")
        return cls(decode(str, content["title"]), dag, supports, decode(str, content["failure"]))


def read_outcomes(content: Any) -> tuple[CutOutcome, ...] | None:
    """The outcomes of a list in JSON; None where it was not tried."""
    return None if content is None else tuple(map(CutOutcome.from_json, content))
