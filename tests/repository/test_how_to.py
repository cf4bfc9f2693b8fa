"""Every command that a how-to page shows does what it says: it ends well."""

import io
import re
import shlex
from pathlib import Path

import pytest

from workbench.cli import main

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_a_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for example in ROOT.glob("examples/*/*.rules"):
        (tmp_path / example.name).write_text(example.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    lines = "".join(BLOCK.findall(page.read_text(encoding="utf-8"))).splitlines()
    assert lines
    for line in lines:
        command, *arguments = shlex.split(line)
        assert command == "rulebook"
        monkeypatch.setattr("sys.stdin", io.StringIO(""))

        assert main(arguments) == 0, line
