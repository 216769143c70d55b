"""Any exception → what happened, where, and what to do."""

from __future__ import annotations

import platform
import traceback
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from latconf_core.errors import DataError, FileFormatError, GraphError, LatconfError, OptionError

Severity = Literal["error", "warning", "note"]
REPORT_IT = "Your work is not lost. Try again; if the problem persists, copy the diagnostics and report it."


@dataclass(frozen=True)
class Message:
    """One entry of the Problems dock, in the words of the person at the screen."""

    what: str
    where: str
    remedy: str
    severity: Severity = "error"
    details: str = ""
    time: str = ""


def explain(problem: BaseException | str, where: str) -> Message:
    """The message for an exception, or for a sentence that a page wants to be read."""
    now = datetime.now().strftime("%H:%M:%S")
    if isinstance(problem, str):
        return Message(problem, where, "", "warning", "", now)
    what, remedy = _sentence(problem)
    details = "".join(traceback.format_exception(problem)) if not isinstance(problem, LatconfError) else ""
    return Message(what, where, remedy, "error", details, now)


def _sentence(error: BaseException) -> tuple[str, str]:
    match error:
        case FileFormatError():
            return _capital(str(error)), "Your work is not lost. Fix the file or choose another one."
        case DataError():
            return _capital(str(error)), "The data are unchanged."
        case GraphError():
            return _capital(str(error)), "The graph is unchanged."
        case OptionError():
            return _capital(str(error)), "Change the setting and try again."
        case LatconfError():
            return _capital(str(error)), ""
        case FileNotFoundError():
            return f"The file {_named(error)} does not exist.", "Check whether it was moved or renamed."
        case IsADirectoryError():
            return f"{_named(error)} is a folder.", "Choose a file in it."
        case PermissionError():
            return f"You may not read or write {_named(error)}.", "Ask its owner, or choose another location."
        case OSError():
            return f"The file {_named(error)} could not be used: {error.strerror or error}.", "Try another location."
        case MemoryError():
            return "There is not enough memory for this.", "Close other programs, or use fewer rows or variables."
        case _:
            return f"Something went wrong inside the program: {type(error).__name__}: {error}", REPORT_IT


def _named(error: OSError) -> str:
    return repr(str(error.filename)) if error.filename is not None else "that was asked for"


def _capital(sentence: str) -> str:
    """The sentence with a full stop; a leading file or variable name is left as it is."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def diagnostics(messages: list[Message], log: str = "") -> str:
    """Versions, the problems so far and the end of the log, as plain text to paste into a mail."""
    from importlib.metadata import PackageNotFoundError, version

    lines = [f"Python {platform.python_version()} on {platform.platform()}"]
    for package in ("latconf", "PySide6-Essentials", "numpy", "numba", "pandas", "networkx"):
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} is not installed")
    for message in messages:
        lines += ["", f"{message.time} {message.severity}: {message.what}", f"Where: {message.where}"]
        lines += [f"What to do: {message.remedy}"] if message.remedy else []
        lines += [message.details.rstrip()] if message.details else []
    return "\n".join([*lines, "", "Log", log.rstrip(), ""]) if log else "\n".join([*lines, ""])
