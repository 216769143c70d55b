"""What the options of a cluster say before anything is sent."""

from __future__ import annotations

import argparse

import pytest

from latconf_core.cli.terminal.cluster_options import add_cluster_options, read_scheduler

pytest.importorskip("distributed", reason="a cluster needs the extra cluster")


@pytest.mark.parametrize(
    ("address", "is_warned"),
    [("tcp://10.0.0.7:8786", True), ("tcp://127.0.0.1:8786", False), ("tls://10.0.0.7:8786", False)],
)
def test_that_an_open_connection_to_another_computer_is_said(
    address: str, is_warned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    add_cluster_options(parser)
    assert read_scheduler(parser.parse_args(["--scheduler", address])) is not None
    assert ("not encrypted" in capsys.readouterr().err) == is_warned
