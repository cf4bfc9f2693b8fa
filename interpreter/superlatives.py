"""Superlatives and ranks as Python expressions: templates as in `expressions`."""

from __future__ import annotations

import rulebook as rb
from interpreter.expressions import Writer, number, writes
from interpreter.layout import RANKS
from interpreter.missing import may_hold_none


@writes(rb.Best)
def _best(w: Writer, e: rb.Best) -> str:
    with w.binding(e.slot) as name:
        keys = "".join(f"{measured(w, one)}, " for one in e.by)
        return f"best([{name} {w.loop(e)}], lambda {name}: ({keys}))"


def measured(w: Writer, e: rb.Measure) -> str:
    """Return a number that is larger the better a member is."""
    return f"-{number(w, e.value)}" if e.smallest else number(w, e.value)


@writes(rb.Sorted)
def _sorted(w: Writer, e: rb.Sorted) -> str:
    with w.binding(e.slot) as name:
        key = f"lambda {name}: {number(w, e.value)}"
        return f"tuple(sorted([{name} {w.loop(e)}], key={key}, reverse={e.falling}))"


@writes(rb.Highest)
def _highest(w: Writer, e: rb.Highest) -> str:
    word = "min" if e.smallest else "max"
    with w.binding(e.slot):
        return f"{word}([{number(w, e.value)} {w.loop(e)}], default=0)"


@writes(rb.Only)
def _only(w: Writer, e: rb.Only) -> str:
    return f"only({w.text(e.set)})"


@writes(rb.Winners)
def _winners(w: Writer, e: rb.Winners) -> str:
    del w, e
    return f"first_of(s[{RANKS}])"


def ranks(w: Writer, node: rb.Wins) -> str:
    """Return the ranks of all seats when somebody wins."""
    players = w.facts.players
    if node.ranking is not None:
        by = node.ranking
        with w.binding(by.slot) as name:
            keys = "".join(f"{measured(w, one)}, " for one in by.by)
            found = f"[{name} {w.loop(by)}]"
            return f"ranked({players}, {found}, lambda {name}: ({keys}))"
    if node.who is None:
        return "()"
    who = w.text(node.who)
    several = isinstance(node.who.type, rb.SetOf)
    return f"sharing({players}, {who if several else f'({who},)'})"


def surely_wins(w: Writer, node: rb.Wins) -> bool:
    """Whether the game is surely over then, because there is somebody who wins."""
    who, ranking = node.who, node.ranking
    if ranking is not None:
        return ranking.where is None
    if isinstance(who, rb.Const):
        return bool(0 <= who.value < w.facts.players)
    return who is None or (isinstance(who.type, rb.Member) and not may_hold_none(who))
