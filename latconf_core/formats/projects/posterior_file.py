"""The posterior of a DAG as plain arrays (.npz), read without unpickling anything."""

from __future__ import annotations

import io
import json
import math
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import FloatArray
from latconf_core.counts.families import row_places
from latconf_core.dag.bayes_net import Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.errors import FileFormatError
from latconf_core.files import check_archive
from latconf_core.json_form import decode, parse_json
from latconf_core.score.posterior import LatentPosterior, Posterior, latent_states

MAX_ARRAY_BYTES = 1 << 31
Arrays = dict[str, npt.NDArray[np.generic]]


def posterior_bytes(posterior: Posterior) -> bytes:
    """The arrays of a posterior; variables, latents and components by number, so that any name will do."""
    arrays: Arrays = {"about": _text_array(json.dumps(_about(posterior)))}
    for number, name in enumerate(_variables(posterior.dag)):
        arrays[f"dirichlet_{number}"] = np.asarray(posterior.cpts[name].dirichlet)
    for number, hidden in enumerate(posterior.dag.latents):
        latent = posterior.latents[hidden.name]
        arrays[f"weights_{number}"] = latent.weights
        arrays[f"columns_{number}"] = np.array(latent.columns, dtype=np.int64)
        arrays[f"distinct_{number}"] = latent.distinct
        arrays[f"shares_{number}"] = latent.of_distinct
    for number, (trace, spread) in enumerate(zip(posterior.trace, posterior.spread)):
        arrays[f"trace_{number}"], arrays[f"spread_{number}"] = trace, spread
    if isinstance(posterior.dataset, CompletedDataset):
        arrays |= _completions(posterior.dataset)
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def _completions(data: CompletedDataset) -> Arrays:
    """How the rows were completed, so that the posterior is of the same rows again."""
    return {
        "completed_rows": data.rows[data.row_of],
        "completed_source": data.source_of,
        "completed_share": data.share,
    }


def _complete_again(arrays: _Arrays, source: Dataset) -> CompletedDataset:
    rows, source_of = arrays["completed_rows"], arrays["completed_source"]
    share = _numbers(arrays, "completed_share", 1)
    n_sources = len(source.distinct.counts)
    is_right = (
        rows.ndim == 2
        and rows.dtype.kind in "iu"
        and source_of.ndim == 1
        and source_of.dtype.kind in "iu"
        and len(rows) == len(source_of) == len(share) > 0
        and rows.shape[1] == source.n_variables
        and bool(np.all((rows >= 0) & (rows < np.array(source.n_states))))
        and bool(np.all((source_of >= 0) & (source_of < n_sources)))
        and bool(np.isfinite(share).all() and (share > 0).all())
    )
    if not is_right:
        raise FileFormatError("the completed rows do not fit the data")
    return CompletedDataset(source, rows, source_of.astype(np.int64), share)


def _about(posterior: Posterior) -> dict[str, object]:
    return {
        "variables": _variables(posterior.dag),
        "latents": [latent.name for latent in posterior.dag.latents],
        "components": len(posterior.trace),
        "elbo": posterior.elbo,
        "p_elbo": posterior.p_elbo,
        "price": posterior.price,
        "converged": posterior.converged,
        "log_likelihood": posterior.log_likelihood,
        "note": posterior.note,
    }


def _variables(dag: LatentDag) -> list[str]:
    return [*dag.nodes, *(latent.name for latent in dag.latents)]


def _text_array(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def parse_posterior(content: bytes, dag: LatentDag, dataset: Dataset) -> Posterior:
    """The posterior that `posterior_bytes` wrote, of this DAG on these data."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        arrays = _Arrays(archive)
        about = parse_json(arrays["about"].tobytes())
        if not dataset.is_complete:
            dataset = _complete_again(arrays, dataset)
        names = _variables(dag)
        if set(about["variables"]) != set(names):
            raise FileFormatError("the posterior belongs to another DAG")
        position_of = {name: number for number, name in enumerate(about["variables"])}
        cpts = {name: _cpt(name, arrays[f"dirichlet_{position_of[name]}"], dag, dataset) for name in names}
        position_of = {name: number for number, name in enumerate(about["latents"])}
        latents = {latent.name: _latent(latent, arrays, position_of[latent.name], dataset) for latent in dag.latents}
        components = range(about["components"])
        return Posterior(
            dag,
            dataset,
            cpts,
            latents,
            decode(float, about["elbo"]),
            decode(float, about["p_elbo"]),
            decode(bool, about["converged"]),
            tuple(_numbers(arrays, f"trace_{number}", 1) for number in components),
            tuple(_numbers(arrays, f"spread_{number}", 1) for number in components),
            decode(float | None, about["log_likelihood"]),
            decode(str, about["note"]),
            decode(float, about.get("price", 0.0)),
        )


class _Arrays:
    """The arrays of an archive by name, each as large as its file: a header alone cannot ask for memory."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        check_archive(archive, max_member=MAX_ARRAY_BYTES, max_total=4 * MAX_ARRAY_BYTES)
        self._archive = archive

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        stream = io.BytesIO(self._archive.read(f"{name}.npy"))
        version = np.lib.format.read_magic(stream)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read_header(stream)
        if math.prod(shape) * dtype.itemsize != len(stream.getbuffer()) - stream.tell():
            raise FileFormatError(f"the array {name!r} has a different size than stated")
        stream.seek(0)
        array: npt.NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
        return array


def _numbers(arrays: _Arrays, name: str, n_axes: int) -> FloatArray:
    """An array of numbers with so many axes."""
    array = arrays[name]
    if array.ndim != n_axes or array.dtype.kind not in "fiu":
        raise FileFormatError(f"the array {name!r} is not a table of numbers written by latconf")
    return array.astype(np.float64, copy=False)


def _latent(latent: Latent, arrays: _Arrays, number: int, dataset: Dataset) -> LatentPosterior:
    """What is known about a latent; FileFormatError where it does not fit the latent or the data."""
    weights, shares = _numbers(arrays, f"weights_{number}", 1), _numbers(arrays, f"shares_{number}", 2)
    columns, distinct = arrays[f"columns_{number}"], arrays[f"distinct_{number}"]
    is_right = (
        columns.ndim == 1
        and distinct.ndim == 2
        and columns.dtype.kind in "iu"
        and distinct.dtype.kind in "iu"
        and weights.shape == (latent.n_states,)
        and shares.shape == (len(distinct), latent.n_states)
        and distinct.shape[1] == len(columns)
        and bool(np.all((columns >= 0) & (columns < dataset.n_variables)))
        and bool(np.isfinite(weights).all() and np.isfinite(shares).all())
    )
    if not is_right or not _hold_all_rows(distinct, columns, dataset):
        raise FileFormatError(f"the stored posterior of the latent {latent.name!r} does not fit it or the data")
    return LatentPosterior(latent.name, weights, tuple(int(column) for column in columns), distinct, shares)


def _hold_all_rows(distinct: npt.NDArray[Any], columns: npt.NDArray[Any], dataset: Dataset) -> bool:
    """Whether these are codes of the columns, and every row of the data is among them."""
    n_states = np.array([dataset.n_states[int(column)] for column in columns])
    if not len(distinct) or not np.all((distinct >= 0) & (distinct < n_states)):
        return False
    places = row_places(dataset, [int(column) for column in columns], distinct)
    if not np.all((places >= 0) & (places < len(distinct))):
        return False
    return bool(np.array_equal(distinct[places], dataset.codes[:, columns]))


def _cpt(name: str, dirichlet: FloatArray, dag: LatentDag, dataset: Dataset) -> Cpt:
    states = dataset.states[dataset.index[name]] if name in dataset.index else latent_states(dirichlet.shape[-1])
    return Cpt.from_dirichlet(name, states, dag.parents_with_latents[name], dirichlet)
