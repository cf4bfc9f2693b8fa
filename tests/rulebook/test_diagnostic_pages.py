"""Every code has a page with a correct message. `python
tests/rulebook/test_diagnostic_pages.py` writes the current messages into the pages and
regenerates their list; review its changes before you commit them.
"""

import tempfile
from pathlib import Path

import pytest

from rulebook.source.diagnostics import CODES
from tests.support.pages import (
    FOLDER,
    blocks,
    diagnostics,
    index,
    path_of,
    regenerated,
)


@pytest.fixture(params=list(CODES))
def code(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_bad_example_has_this_mistake_and_the_page_shows_the_message(
    code: str, tmp_path: Path
) -> None:
    text = path_of(code).read_text(encoding="utf-8")
    (bad,) = (block for block in blocks(text) if block.sort == "bad")

    codes = {diagnostic.code for diagnostic in diagnostics(blocks(text), bad, tmp_path)}

    assert codes - {bad.setting("others")} == {code}
    assert text == regenerated(text, code, tmp_path)


def test_the_good_example_has_no_mistake(code: str, tmp_path: Path) -> None:
    text = path_of(code).read_text(encoding="utf-8")
    (good,) = (block for block in blocks(text) if block.sort == "good")

    assert diagnostics(blocks(text), good, tmp_path) == ()


def test_each_page_has_an_explanation_an_example_and_a_fix() -> None:
    for code in CODES:
        text = path_of(code).read_text(encoding="utf-8")
        parts = [part.strip() for part in text.split("\n## ")]
        titles = [part.partition("\n")[0] for part in parts]

        assert titles[1:] in (["Example", "Fix"], ["Example", "Details", "Fix"]), code
        assert all(len(part.partition("\n")[2].split()) > 7 for part in parts), code


def test_each_page_belongs_to_a_code() -> None:
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}

    assert sorted(pages) == sorted(CODES)


def test_the_list_of_codes_is_up_to_date() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == index()


def main() -> None:
    for page_code in CODES:
        with tempfile.TemporaryDirectory() as folder:
            text = path_of(page_code).read_text(encoding="utf-8")
            new = regenerated(text, page_code, Path(folder))
            path_of(page_code).write_text(new, encoding="utf-8")
    (FOLDER / "README.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
