from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.table_formats import separated_text
from latconf_core.data.reading.table_formats.small_text import read_small

OPTIONS = ReadOptions(format="delimited", delimiter=",", quote='"', header=True, encoding="utf-8", decimal=".")
CELL = st.one_of(st.text('ab1 .é日-"\r', max_size=6), st.text("ab 1", max_size=6).map(lambda text: f'"{text}"'))


@given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=12), end=st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_what_is_read_as_plain_is_what_the_general_reader_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str, str, str]], end: str
) -> None:
    body = end.join([*map(",".join, rows), ""])
    small = read_small(body, OPTIONS, 3)
    if small is None:
        return
    path = tmp_path / "t.csv"
    path.write_bytes(b"A,B,C\n" + body.encode())
    with monkeypatch.context() as general:
        general.setattr(separated_text, "MAX_CHARACTERS", -1)
        raw = read_table(path, OPTIONS)
    for one, other in zip([builder.build() for builder in small], raw.columns):
        assert one.texts == other.texts
        assert np.array_equal(one.codes, other.codes)


@pytest.mark.parametrize(
    "body",
    [
        'a,"b,c"\n',
        'a,"b""c"\n',
        'a,b"c\n',
        'a,"b\nc"\n',
        "a, b\n",
        "a,b\n\nc,d\n",
        "a,b\rc,d\r",
        "a,b\n  \nc,d\n",
        "a,b,\nc,d,\n",
        "a\n",
        "a,b,c\n",
        "a,b\0\n",
        'a,b\na,"b"\n',
        "",
    ],
)
def test_that_what_is_not_plain_is_left_to_the_general_reader(body: str) -> None:
    assert read_small(body, OPTIONS, 2) is None


def test_that_a_small_table_is_read_without_pandas(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"A","B"\n"no","1"\n"yes","2"\n')
    code = (
        "import sys; from latconf_core.data.reading.load import load_dataset; "
        f"data = load_dataset({str(path)!r}).dataset; print(data.states, 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(('no', 'yes'), ('1', '2')) False"
