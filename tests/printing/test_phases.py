"""Printed phases in which all players act, and auctions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Output, output_of

AUCTION = """
rules language 1
rulebook sale "Sale"
  players 2 to 3
  rounds 2

each player has
  out: yes/no, seen by all

action leave
  set your out to yes

round
  phase bids, each player in players clockwise from you
    you do leave
  phase last
    each player in players clockwise from you where still not player's out,
        until one is left, at most 9 times:
      player does leave

end
  nobody wins
"""


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "A round consists of bids and last.",
                "One after another, the players clockwise from you: ",
                "again and again until only one of them is left, at most 9 times:",
            ],
        ),
        ("de", ["Eine Runde besteht aus", "bis nur noch einer übrig ist, höchstens 9"]),
    ],
)
def test_all_players_act(
    language: str, sentences: list[str], tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "sale.rules"
    path.write_text(AUCTION.lstrip(), encoding="utf-8")

    text = output_of(capsys, "print", str(path), "--language", language)
    for sentence in sentences:
        assert sentence in text
