"""A search for the longest trail among too many links is reported once."""

from pathlib import Path

import pytest

from rulebook import RulesError
from workbench import load

HOUSE = """extends classic
replace define player's trail: 0 to 20
  longest trail of ({links})
"""


def test_reports_only_the_search_that_is_too_long(tmp_path: Path) -> None:
    file = tmp_path / "house.rules"
    near = "some corner in path's ends where corner has player's settlement"
    file.write_text(HOUSE.format(links=f"every path where ({near})"))

    with pytest.raises(RulesError) as caught:
        load(str(file))

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("RB152", 3)
    assert "this search for the longest trail may take" in diagnostic.message
    assert "`(every path in player's roads where …)`" in (diagnostic.help or "")


def test_accepts_the_links_that_the_cure_names(tmp_path: Path) -> None:
    file = tmp_path / "house.rules"
    links = "every path in player's roads where path has player's road"
    file.write_text(HOUSE.format(links=links))

    assert load(str(file)).name
