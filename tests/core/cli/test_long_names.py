"""A name that is longer than the system takes is a sentence, in every command that takes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from latconf_core.cli.main import main

LONG = "x" * 300


@pytest.mark.parametrize(
    "command",
    [
        "ask LONG",
        "report LONG",
        "compare LONG LONG",
        "sample LONG --rows 5 --out a.csv",
        "sample asia --rows 5 --out LONG.csv",
        "bench LONG",
        "bench TABLE --truth LONG",
        "bench TABLE --out LONG",
        "run LONG",
        "run TABLE --pag LONG",
        "run TABLE --knowledge LONG",
        "run TABLE --out LONG",
        "run TABLE --search refine --start LONG",
        "run --project LONG --run 1",
        "pag LONG",
        "pag --oracle LONG --method fci",
        "score TABLE --dag LONG",
        "mags LONG",
        "stability LONG",
        "apply LONG TABLE",
        "calibrate LONG TABLE --draws 1",
        "convert LONG b.csv",
        "convert TABLE LONG.csv",
    ],
)
def test_that_a_name_too_long_for_the_system_is_refused_with_a_sentence(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("A,B\nno,x\nyes,y\nno,y\n")
    assert main(command.replace("TABLE", "t.csv").replace("LONG", LONG).split()) == 2
    assert LONG in capsys.readouterr().err


def test_that_a_name_with_signs_for_the_terminal_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Such names come out of archives of strangers: a colour, or a line that hides what stands before it."""
    assert main(["run", "a\x1b[8m\rdata.csv"]) == 2
    said = capsys.readouterr().err
    assert "a[U+001B][8m[U+000D]data.csv" in said
