"""Finished cells as files: one each, written as a whole, so that a bench that was stopped goes on where it was."""

from __future__ import annotations

import json
import re
from pathlib import Path

from latconf_core.bench.cell import RESULTS_VERSION, Cell, CellResult
from latconf_core.errors import FileFormatError, LatconfError
from latconf_core.files import has_file, read_text, write_text_atomically
from latconf_core.json_form import UNREADABLE, parse_json

FORMAT_NAME = "latconf cell"
FOLDER = "cells"
KEY_LENGTH = 16
_UNSAFE = re.compile(r"[^A-Za-z0-9.+-]+")


class CellStore:
    """The cells of a folder; without one they are remembered as long as the store lives.

    problem : why cells could not be kept in the folder, in a sentence; a bench goes on without
    """

    problem = ""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / FOLDER
        self._remembered: dict[str, CellResult] = {}
        if self._folder is not None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise FileFormatError(f"the folder cannot be made: {error.strerror}", folder) from None

    def load(self, cell: Cell) -> CellResult | None:
        """The result of a cell that was finished before; None where there is none that can be read."""
        if self._folder is None:
            return self._remembered.get(cell.key)
        path = self._folder / file_name(cell)
        if not has_file(path):
            return None
        try:
            content = parse_json(read_text(path))
            if content["format"] != FORMAT_NAME or content["key"] != cell.key:
                return None
            return CellResult.from_json(content["result"])
        except (*UNREADABLE, LatconfError):  # a damaged file counts for nothing: the cell is run again
            return None

    def save(self, cell: Cell, result: CellResult) -> None:
        """Keep the result of a cell; one that failed, or cannot be written, is computed again the next time."""
        if result.has_failed:
            return
        if self._folder is None:
            self._remembered[cell.key] = result
            return
        content = {
            "format": FORMAT_NAME,
            "version": RESULTS_VERSION,
            "key": cell.key,
            "data": cell.data,
            "search": cell.search,
            "learn": cell.learn,
            "result": result.to_json(),
        }
        try:
            write_text_atomically(self._folder / file_name(cell), json.dumps(content, ensure_ascii=False) + "\n")
        except FileFormatError as error:
            self.problem = f"some finished cells are not kept for the next run: {error}"


def file_name(cell: Cell) -> str:
    """A name that says what the cell is, and that no other cell has."""
    parts = [cell.data, cell.learn or "", cell.search]
    return "~".join([*(_UNSAFE.sub("_", part)[:60] for part in parts if part), cell.key[:KEY_LENGTH]]) + ".json"
