from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from pytestqt.qtbot import QtBot

from latconf_gui.application.recent_files import RecentFiles
from latconf_gui.application.settings import MAX_RECENT, Settings
from latconf_gui.background.run_thread import some_are_left


def test_that_recent_files_are_newest_first_without_repeats_and_without_those_that_are_gone(
    tmp_path: Path, qtbot: QtBot
) -> None:
    settings = Settings()
    paths = [tmp_path / f"{i}.csv" for i in range(MAX_RECENT + 3)]
    for path in paths:
        path.touch()
        settings.remember_file(path)
    settings.remember_file(paths[5])
    assert settings.recent_files[:2] == [paths[5], paths[-1]]
    assert len(settings.recent_files) == MAX_RECENT
    paths[5].unlink()
    recent = RecentFiles(settings)
    with qtbot.waitSignal(recent.changed):
        recent.look_for_them()
    qtbot.waitUntil(lambda: not some_are_left())
    assert settings.recent_files[0] == paths[-1]
    settings.forget_files()
    assert settings.recent_files == []


def test_that_one_recent_file_survives_the_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "only, one.csv"
    path.touch()
    Settings().remember_file(path)
    assert Settings().recent_files == [path]


def test_that_nonsense_in_the_settings_file_is_ignored() -> None:
    settings = Settings()
    settings.keep("text_percent", "huge")
    settings.keep("colour_scheme", "mauve")
    settings.keep("geometry", "x")
    assert settings.text_percent == 100
    assert settings.colour_scheme == "system"
    assert settings.window_layout()[0].isEmpty()


def test_that_reset_forgets_everything() -> None:
    settings = Settings()
    settings.text_percent = 150
    settings.colour_scheme = "dark"
    settings.reset()
    assert (Settings().text_percent, Settings().colour_scheme) == (100, "system")


def test_that_naming_the_recent_files_never_asks_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, **_options: object) -> None:
        raise AssertionError(f"the disk was asked about {path} on the window's thread")

    settings = Settings()
    settings.remember_file(tmp_path / "a.csv")
    monkeypatch.setattr(Path, "stat", refuse)
    assert settings.recent_files == [tmp_path / "a.csv"]
    settings.remember_file(tmp_path / "b.csv")
    assert settings.recent_files == [tmp_path / "b.csv", tmp_path / "a.csv"]


@pytest.mark.parametrize(
    "kept", ["@Variant(\\0\\0\\0\\x3f\\x3c\\0)", "@Variant(\\0\\0\\0\\x7f)", "@Invalid()", "5", '@ByteArray("x")']
)
def test_that_a_damaged_settings_file_counts_for_nothing(kept: str) -> None:
    settings = Settings()
    settings.keep("folder", "x")
    settings.write_now()
    place = Path(settings._store.fileName())
    keys = ("recent_files", "colour_scheme", "text_percent", "geometry", "dock_state", "is_projecting")
    place.write_text("[General]\n" + "".join(f"{key}={kept}\n" for key in keys), encoding="utf-8")
    damaged = Settings()
    assert all(isinstance(path, Path) for path in damaged.recent_files)
    assert damaged.colour_scheme == "system"
    assert 70 <= damaged.text_percent <= 250
    assert isinstance(damaged.is_projecting, bool)
    assert all(isinstance(one, QByteArray) for one in damaged.window_layout())


class _Command:
    """What an object in a file can be: a call of anything, made as it is read."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.trace,)


@pytest.mark.parametrize(
    "written", ["@Variant(", r"\x40Variant(", r"\100Variant(", "@Var\\\niant(", "x, @Variant(", r"@\qVariant("]
)
def test_that_a_settings_file_runs_no_program(tmp_path: Path, written: str) -> None:
    """Qt gives a Python object back by unpickling it; another program may write the file."""
    settings = Settings()
    settings.keep("dock_state", _Command(tmp_path / "trace"))
    settings.keep("folder", "x")
    settings.write_now()
    path = Path(settings._store.fileName())
    content = path.read_text("latin-1")
    assert "@Variant(" in content
    path.write_text(content.replace("@Variant(", written), "latin-1")
    hostile = Settings()
    assert hostile.value("dock_state") is None
    assert hostile.value("folder") == "x"
    assert not (tmp_path / "trace").exists()


def test_that_a_layout_comes_back_whole_or_not_at_all() -> None:
    """Qt ends the program where it takes up a damaged one."""
    settings = Settings()
    settings.keep_window_layout(QByteArray(b"where it is"), QByteArray(b"what is open"))
    assert settings.window_layout() == (b"where it is", b"what is open")
    settings.keep("dock_state", QByteArray(b"what is shut"))
    assert settings.window_layout() == (b"", b"")
