"""What a Linux desktop needs to know the program and its projects: a menu entry, two icons and a kind of file.

The places are those of freedesktop.org for one user (XDG_DATA_HOME); nothing is written outside of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from latconf_core.children import is_frozen
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.files import read_text, write_text_atomically

APPLICATIONS, KINDS, ICONS = Path("applications"), Path("mime"), Path("icons") / "hicolor"
# Where each of our files goes, below the folder of the user's data.
PLACES: Mapping[str, Path] = {
    "latconf.desktop": APPLICATIONS / "latconf.desktop",
    "latconf.xml": KINDS / "packages" / "latconf.xml",
    "latconf.svg": ICONS / "scalable" / "apps" / "latconf.svg",
    "latconf-project.svg": ICONS / "scalable" / "mimetypes" / "application-x-latconf-project.svg",
}
# What desktops read instead of the files themselves, and who brings it up to date.
DATABASES: Mapping[str, Path] = {
    "update-desktop-database": APPLICATIONS,
    "update-mime-database": KINDS,
    "gtk-update-icon-cache": ICONS,
}
SECONDS_EACH = 30
_PACKAGE = Path(__file__).resolve().parent.parent
_RESERVED = re.compile(r"""[\s"'\\><~|&;$*?#()`]""")


def desktop_folder() -> Path:
    """Where our files for desktops are: inside the installed package, or in the checkout."""
    installed = _PACKAGE / "_desktop"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources" / "desktop"


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where desktops look for what one user has installed; OptionError on systems that do not."""
    if sys.platform in ("win32", "darwin"):
        raise OptionError("menu entries are supported only on Linux desktops; start latconf by its name")
    given = Path(environment.get("XDG_DATA_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def install_desktop(folder: Path, command: Sequence[str]) -> tuple[Path, ...]:
    """Write our files below a folder of data; `command` is what the menu entry starts. The places of the files."""
    written = []
    for name, below in PLACES.items():
        text = read_text(desktop_folder() / name)
        if name.endswith(".desktop"):
            text = text.replace("@exec@", exec_value(command)).replace("@try@", _string(command[0]))
        target = folder / below
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileFormatError(f"the folder cannot be made: {error.strerror}", target.parent) from None
        write_text_atomically(target, text)
        written.append(target)
    update_databases(folder)
    return tuple(written)


def remove_desktop(folder: Path) -> tuple[Path, ...]:
    """Remove what `install_desktop` wrote; the places of the files that were there."""
    removed = []
    for place in PLACES.values():
        target = folder / place
        try:
            target.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise FileFormatError(f"the file cannot be removed: {error.strerror}", target) from None
        removed.append(target)
    if removed:
        update_databases(folder)
    return tuple(removed)


def update_databases(folder: Path) -> None:
    """Tell desktops, where the tools for it are installed; without them a desktop sees it when it starts again."""
    for tool, database in DATABASES.items():
        if shutil.which(tool) and (folder / database).is_dir():
            options = ["--ignore-theme-index", "--force", "--quiet"] if tool.startswith("gtk") else []
            try:
                subprocess.run([tool, *options, str(folder / database)], capture_output=True, timeout=SECONDS_EACH)
            except (OSError, subprocess.TimeoutExpired):
                continue


def own_command() -> list[str]:
    """The words that start this program from anywhere: its script, its executable, or Python with its module."""
    if is_frozen():
        return [sys.executable]
    script = shutil.which(sys.argv[0]) if Path(sys.argv[0]).stem == "latconf" else None
    if script is not None:
        return [str(Path(script).absolute())]
    return [sys.executable, "-P", "-m", "latconf_gui"]


def exec_value(command: Sequence[str]) -> str:
    """A command as the key Exec takes it: words in quotes where they need it, % doubled, and that as a string."""
    return _string(" ".join(_quoted(word) for word in command))


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if not _RESERVED.search(word):
        return word
    return '"' + re.sub(r'(["`$\\])', r"\\\1", word) + '"'


def _string(text: str) -> str:
    """A text as the value of a key of the type string; FileFormatError for one that no key can hold."""
    if "\n" in text or "\r" in text:
        raise FileFormatError("no menu entry can start a program in a folder of this name; move it", ascii(text))
    return text.replace("\\", "\\\\")
