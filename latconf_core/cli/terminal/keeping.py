"""Results in the folder of --out: told first, then written; where that fails, kept elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from latconf_core.errors import FileFormatError
from latconf_core.whole_folders import rescue_texts


def keep_result(
    write: Callable[[], tuple[str, ...]], folder: Path, *, rescue: Callable[[], Mapping[str, str]], is_quiet: bool
) -> None:
    """Write a result that was told already; FileFormatError, with the place where it is kept instead, on failure.

    rescue : the texts that keep the result, by the names of their files
    is_quiet : say nothing on standard output, which belongs to a program
    """
    sys.stdout.flush()  # whatever happens to the files
    try:
        names = write()
    except FileFormatError as error:
        rescue_folder = rescue_texts(rescue())
        kept = "the result is above" if rescue_folder is None else f"the result is above and in {rescue_folder}"
        raise FileFormatError(f"{error.problem}; {kept}", error.path, error.line) from None
    if not is_quiet:
        print(f"written to {folder}: {', '.join(names)}")
