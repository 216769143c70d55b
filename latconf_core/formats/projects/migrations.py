"""Versions of the project file, and how the header of an older one becomes that of the next."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.json_form import Content, Migration, migrate

FORMAT_VERSION = 5


def _keep_header(content: Content) -> Content:
    """Format 2 writes runs as their folders do, see version_1; the header stays as it is."""
    return content


def _add_collections(content: Content) -> Content:
    """Format 3 keeps PAGs and runs by name, see kept_files; before, there was one PAG, and the last run was shown."""
    return {**content, "current_pag": None, "current_run": None, "latent_names": []}


def _keep_cuts_unordered(content: Content) -> Content:
    """Format 4 knows ordered columns; before, those cut from numbers were none, and the results were found so."""
    preparation = content["preparation"]
    return {**content, "preparation": {**preparation, "unordered": sorted(preparation.get("discretise", {}))}}


def _add_model_positions(content: Content) -> Content:
    """Format 5 keeps places that models were given by hand; before, they were those of the PAG, with their latents."""
    places = content["positions"]
    is_by_hand = any(name.startswith("latent over ") for name in places)
    return {**content, "model_positions": places if is_by_hand else {}}


# version → what turns a header of that version into one of the next; a new format adds its entry here
MIGRATIONS: Mapping[int, Migration] = {
    1: _keep_header,
    2: _add_collections,
    3: _keep_cuts_unordered,
    4: _add_model_positions,
}


def migrate_header(content: Content) -> Content:
    """The header of a project as the current version would have written it."""
    return migrate(content, MIGRATIONS, current=FORMAT_VERSION, what="this project")
