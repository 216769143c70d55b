"""One PAG inside a project file.

about.json     its name, how it came about, the data it belongs to, and the knowledge that bound its learner
pag.txt        the graph
events.json    what its learner told while it ran, where that was kept
stability.json what came of learning it on samples of the rows, where that was done
"""

from __future__ import annotations

import json
import zipfile

from latconf_core.formats.graphs import tetrad_text
from latconf_core.formats.projects.kept_items import DataMark, KeptPag, unique_name
from latconf_core.formats.projects.migrations import migrate_pag
from latconf_core.formats.projects.run_files import ABOUT, read_json, read_kept_stability, read_part, text_of
from latconf_core.formats.run_folder import PAG, graph_text
from latconf_core.formats.stability_folder import STABILITY, stability_text
from latconf_core.json_form import Notes, decode, encode, parse_json
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.pag.events import pag_event_from_json, pag_event_to_json

EVENTS = "events.json"


def write_pag(archive: zipfile.ZipFile, folder: str, pag: KeptPag) -> None:
    """Write a PAG into a folder of the archive."""
    data = encode(pag.data)
    about = {
        "name": pag.name,
        "origin": pag.origin,
        "edited": pag.is_edited,
        "by_search": pag.is_by_search,
        "data": data,
    }
    if pag.knowledge:
        about["knowledge"] = pag.knowledge.to_json()
    archive.writestr(f"{folder}/{ABOUT}", json.dumps(about, ensure_ascii=False, indent=1))
    archive.writestr(f"{folder}/{PAG}", graph_text(pag.graph))
    if pag.events:
        events = [pag_event_to_json(event) for event in pag.events]
        archive.writestr(f"{folder}/{EVENTS}", json.dumps(events, ensure_ascii=False))
    if pag.stability is not None:
        archive.writestr(f"{folder}/{STABILITY}", stability_text(pag.stability))


def pag_folders(archive: zipfile.ZipFile) -> list[str]:
    """The folders of the PAGs, in order."""
    return sorted({name.rsplit("/", 1)[0] for name in archive.namelist() if name.startswith("pags/")})


def read_pags(archive: zipfile.ZipFile, notes: Notes) -> tuple[KeptPag, ...]:
    """Every PAG of the archive that can be read, in order; `notes` get a sentence for what was left out."""
    pags: dict[str, KeptPag] = {}
    for number, folder in enumerate(pag_folders(archive), 1):
        pag = read_part(f"PAG {number}", lambda part=folder: _read_pag(archive, part, notes, taken=pags), notes)  # type: ignore[misc]
        if pag is not None:
            pags[pag.name] = pag
    return tuple(pags.values())


def _read_pag(archive: zipfile.ZipFile, folder: str, notes: Notes, *, taken: dict[str, KeptPag]) -> KeptPag:
    about = migrate_pag(read_json(archive, f"{folder}/{ABOUT}"))
    name = unique_name(decode(str, about["name"]), taken)
    data: DataMark | None = decode(DataMark | None, about["data"])
    path = f"{folder}/{EVENTS}"
    events = None
    if path in archive.namelist():
        called = f"{name}: how it was learned"
        events = read_part(called, lambda: tuple(map(pag_event_from_json, parse_json(text_of(archive, path)))), notes)
    graph, origin = tetrad_text.parse(text_of(archive, f"{folder}/{PAG}")).graph, decode(str, about["origin"])
    stability = read_kept_stability(archive, folder, f"{name}: its stability", notes)
    said = about.get("knowledge")
    known = None if said is None else read_part(f"{name}: its knowledge", lambda: Knowledge.from_json(said), notes)
    return KeptPag(
        name,
        graph,
        origin,
        data,
        events or (),
        stability,
        known or NO_KNOWLEDGE,
        is_edited=decode(bool, about["edited"]),
        is_by_search=decode(bool, about["by_search"]),
    )
