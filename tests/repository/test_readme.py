"""The examples of the README hold."""

import re
from pathlib import Path

from workbench import load

README = Path(__file__).parents[2] / "README.md"


def test_the_house_rule_checks_and_changes_the_game(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(r"```text\n(extends .*?)```", text, re.DOTALL)
    assert found is not None
    house = tmp_path / "cheap.rules"
    house.write_text(found[1])

    book = load(str(house))

    assert book.digest != load("germany").digest
