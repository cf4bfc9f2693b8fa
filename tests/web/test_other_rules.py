"""A table continues under other rules only if its record is valid under them."""

from __future__ import annotations

from pathlib import Path

from tests.web.support import OPEN, changed_to, hosted, url_in
from workbench.web.host import Host
from workbench.web.store import Store


def test_continues_under_other_valid_rules_only(tmp_path: Path) -> None:
    store = Store.open(url_in(tmp_path))

    async def doing(host: Host) -> None:
        table, _ = await host.create_table("own", seed=1, texts={"openly": OPEN})
        await host.change_table(
            table.id, lambda t: t.decide("red", ["load", "take(3)"], 0)
        )
        wider = {"openly": OPEN.replace("(1 to 3 number)", "(1 to 4 number)")}
        narrow = {"openly": OPEN.replace("(1 to 3 number)", "(1 to 2 number)")}

        trial = changed_to(table, wider)
        changed = await host.change_rules(
            table.id, wider, trial, "red", clauses="action.take"
        )
        assert not changed_to(table, narrow)["holds"]
        assert changed.texts == wider
        table = await host.get_table(table.id)
        assert table.notices[-1].gaps["clauses"] == "action.take"

    hosted(store, doing)
