"""The version of the package is the same in each file that states it."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]


def test_the_newest_release_in_the_changelog_is_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)

    assert headings[0] == "Unreleased"
    assert headings[1].split(" - ")[0] == VERSION


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_the_extension_has_the_version(name: str) -> None:
    text = (ROOT / "editors" / "vscode" / name).read_text(encoding="utf-8")

    assert json.loads(text)["version"] == VERSION


def test_the_example_of_the_hooks_names_the_version() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")

    assert re.findall(r"rev: v(\S+)", text) == [VERSION]
