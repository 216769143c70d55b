"""Files of another program dropped on the window: the X server's own drag and drop."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.real_window import act_under_x


@pytest.mark.slow
def test_that_files_of_another_program_are_opened_where_they_are_dropped(tmp_path: Path) -> None:
    act_under_x("person_dropping", tmp_path)
