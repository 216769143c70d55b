from __future__ import annotations

import pytest

from latconf_core.cli.main import build_parser, main, subcommands


def test_that_help_lists_every_subcommand_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    for module in subcommands():
        name = module.__name__.rpartition(".")[2]
        [line] = [line for line in lines if line.split()[:1] == [name]]
        assert len(line.split()) > 3


@pytest.mark.parametrize("module", subcommands(), ids=lambda module: module.__name__)
def test_that_every_subcommand_explains_itself_and_each_of_its_options(
    module: object, capsys: pytest.CaptureFixture[str]
) -> None:
    name = module.__name__.rpartition(".")[2]  # type: ignore[attr-defined]
    [choices] = [action.choices for action in build_parser()._actions if action.dest == "command"]
    assert choices is not None
    parser = choices[name]  # type: ignore[index, call-overload]
    assert parser.description
    assert all(action.help for action in parser._actions)
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: latconf {name}")
