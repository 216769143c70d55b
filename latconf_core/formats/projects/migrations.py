"""Versions of the project file, and how the header of an older one becomes that of the next."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.errors import FileFormatError
from latconf_core.json_form import Content, Migration, migrate

FORMAT_VERSION = 5


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
MIGRATIONS: Mapping[int, Migration] = {3: _keep_cuts_unordered, 4: _add_model_positions}
OLDEST = min(MIGRATIONS)  # no release wrote an older format


def migrate_pag(about: Content) -> Content:
    """What is kept beside a PAG; before it said whether a PAG was edited, or learned by a search, its origin did."""
    origin = about.get("origin")
    if not isinstance(origin, str):
        return about
    bare = origin.removesuffix(", edited")
    return {"edited": bare != origin, "by_search": origin.startswith("GFCI, by "), **about, "origin": bare}


def migrate_header(content: Content) -> Content:
    """The header of a project as the current version would have written it."""
    version = content.get("version")
    if version in range(1, OLDEST):
        raise FileFormatError(
            f"this project has format {version}, from before the first release, which is no longer read; unpack the "
            "file, which is a ZIP archive, and open its table and its graphs"
        )
    return migrate(content, MIGRATIONS, current=FORMAT_VERSION, what="this project")
