"""What a result is compared with: the best DAG without latents, and what another search found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.families.objectives import JUDGING, Prices
from latconf_core.json_form import decode
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.scoring import ObjectiveName
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.structure.best_dag import FoundDag


@dataclass(frozen=True)
class Reference:
    """The best DAG without latents that was found, visited or not, its score and the objective of that.

    p_elbo : the score without the prices of the objective
    is_exact : whether no DAG that is allowed scores higher in which no variable has more than MAX_PARENTS parents
    search_score : of the same DAG under the objective of the search; None where it was stopped before that was known
    """

    dag: LatentDag
    score: float
    p_elbo: float
    objective: ObjectiveName
    search_score: float | None
    is_exact: bool = False

    @classmethod
    def of_bits(cls, reference: FoundDag, nodes: Sequence[str], search_score: float | None) -> Reference:
        """The reference of a run, its variables named."""
        price = Prices(JUDGING.prices, len(nodes)).of_structure(reference.parents, ())
        dag, score = to_dag(BitDag(reference.parents), nodes), reference.score
        return cls(dag, score, score + price, JUDGING.name, search_score, reference.is_exact)

    def to_bits(self) -> FoundDag:
        """The reference without names."""
        return FoundDag(to_bits(self.dag).parents, self.score, self.is_exact)

    def to_json(self) -> dict[str, Any]:
        """The score, its objective and the edges."""
        return {
            "objective": self.objective,
            "score": self.score,
            "p_elbo": self.p_elbo,
            "search_score": self.search_score,
            "exact": self.is_exact,
            "edges": [list(edge) for edge in self.dag.edges],
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any], nodes: Sequence[str]) -> Reference:
        """The reference that `to_json` gave."""
        dag = LatentDag(nodes, [(a, b) for a, b in content["edges"]])
        objective: ObjectiveName = decode(ObjectiveName, content["objective"])
        known: float | None = decode(float | None, content["search_score"])
        is_exact: bool = decode(bool, content.get("exact", False))
        return cls(dag, decode(float, content["score"]), decode(float, content["p_elbo"]), objective, known, is_exact)


@dataclass(frozen=True)
class OtherSearch:
    """A search that was a part of another one, by its name in the catalogue, and the place of the best it visited."""

    search: str
    visit: int
