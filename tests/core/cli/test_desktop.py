"""latconf in the menus of a desktop: what is written, what it says, and that all of it goes away again."""

from __future__ import annotations

import configparser
import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from latconf_core.cli.main import main
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.formats import desktop_entry

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="menu entries of Linux desktops")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user's data."""
    folder = tmp_path / "a user's data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def read_entry(path: Path) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(path, encoding="utf-8")
    return parser["Desktop Entry"]


def words_of(value: str) -> list[str]:
    """The words of a value of Exec, read by the rules of the desktop entry specification."""
    text, words, word, is_quoted, has_word = value.replace("\\\\", "\\"), [], "", False, False
    signs = iter(text)
    for sign in signs:
        if sign == '"':
            is_quoted, has_word = not is_quoted, True
        elif sign == "\\" and is_quoted:
            word += next(signs)
        elif sign == " " and not is_quoted:
            words, word, has_word = [*words, word], "", False
        else:
            word, has_word = word + sign, True
    return [one.replace("%%", "%") for one in [*words, *([word] if has_word else [])]]


def test_that_installing_writes_entry_icons_and_kind_and_removing_leaves_nothing(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop_entry, "DATABASES", {})  # what they write is theirs
    assert main(["desktop", "--install", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["installed"] is True
    assert sorted(map(Path, told["files"])) == files_in(data)
    entry = read_entry(data / "applications" / "latconf.desktop")
    assert (data / "icons" / "hicolor" / "scalable" / "apps" / f"{entry['Icon']}.svg").exists()
    assert main(["desktop", "--install"]) == 0  # again: the same files
    assert len(files_in(data)) == len(told["files"]) == 4
    assert main(["desktop", "--remove"]) == 0
    assert files_in(data) == []
    assert "removed from the menus" in capsys.readouterr().out
    assert main(["desktop", "--remove"]) == 0
    assert "Nothing of latconf is installed" in capsys.readouterr().out


def test_that_the_kind_of_file_is_the_one_that_the_entry_opens(data: Path) -> None:
    assert main(["desktop", "--install"]) == 0
    entry = read_entry(data / "applications" / "latconf.desktop")
    kind = ElementTree.parse(data / "mime" / "packages" / "latconf.xml").getroot().find(f"{MIME}mime-type")
    assert kind is not None
    assert entry["MimeType"] == f"{kind.get('type')};"
    pattern, picture = kind.find(f"{MIME}glob"), kind.find(f"{MIME}icon")
    assert pattern is not None
    assert picture is not None
    assert pattern.get("pattern") == "*.latconf"
    icons = data / "icons" / "hicolor" / "scalable"
    assert (icons / "mimetypes" / f"{picture.get('name')}.svg").exists()
    for path in icons.rglob("*.svg"):
        assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_that_the_entry_starts_this_program_with_a_file(data: Path) -> None:
    assert main(["desktop", "--install"]) == 0
    entry = read_entry(data / "applications" / "latconf.desktop")
    *command, file = words_of(entry["Exec"])
    assert file == "%f"
    assert entry["TryExec"] == command[0]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("latconf ")


@pytest.mark.parametrize(
    "word", ["/opt/my programs/latconf", '/a"b/`c`/$d', "/50%/x", "/back\\slash/x", "/semi;colon&", "/plain/x"]
)
def test_that_any_path_comes_back_from_the_entry(word: str) -> None:
    assert words_of(desktop_entry.exec_value([word, "-m", "x"])) == [word, "-m", "x"]


def test_that_a_path_that_no_entry_can_hold_is_refused(data: Path) -> None:
    with pytest.raises(FileFormatError, match="move it"):
        desktop_entry.install_desktop(data, ["/a\nb/latconf"])


def test_that_a_frozen_program_is_its_own_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert desktop_entry.own_command() == [sys.executable]


def test_that_a_folder_that_cannot_be_made_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.write_text("a file, not a folder")
    assert main(["desktop", "--install"]) == 2
    assert "the folder cannot be made" in capsys.readouterr().err


def test_that_a_folder_of_data_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert desktop_entry.data_folder({}) == tmp_path / ".local" / "share"
    assert desktop_entry.data_folder({"XDG_DATA_HOME": "not/absolute"}) == tmp_path / ".local" / "share"
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(OptionError, match="start latconf by its name"):
        desktop_entry.data_folder({})


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-validate is not installed")
def test_that_the_entry_is_valid_for_desktops(data: Path) -> None:
    assert main(["desktop", "--install"]) == 0
    entry = data / "applications" / "latconf.desktop"
    done = subprocess.run(["desktop-file-validate", str(entry)], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0
