"""Names say what they hold: no variable is called by a word that fits anything."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.test_tidy import FOLDERS, modules, parsed, relative

RIDDLES = {
    "one": "what each of them is: `clause`, `action`, `diagnostic`",
    "found": "what was looked for: `match`, `spaces`, `explanation`",
}
"""Words that no variable, parameter, field or function has as its name."""


def bound(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield each name that a module binds, wherever in it, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if not isinstance(
                node.ctx, ast.Load
            ):
                yield name, node.lineno
            case (
                ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name, node.lineno
            case (
                ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
                | ast.ExceptHandler(name=str(name))
                | ast.alias(asname=str(name))
            ):
                yield name, node.lineno


@pytest.mark.parametrize("path", modules(*FOLDERS), ids=relative)
def test_no_name_is_a_riddle(path: Path) -> None:
    assert [
        f"line {line}: `{name}`; say {RIDDLES[name]}"
        for name, line in bound(parsed(path))
        if name in RIDDLES
    ] == []


EVERY_WAY = """
from a import b as c
def d(e, /, f, *g, h, **i): pass
async def j(): pass
class k:
    l: int
    m = 1
lambda n: n
[p for p in q]
for r, (s, *t) in u: pass
with u as v: pass
try: pass
except u as w: pass
match u:
    case [x, *y]: pass
    case {1: z, **aa}: pass
    case u.o(bb) as cc: pass
if (dd := u): u.ee = f"{[ff for ff in u]}"
gg += 1
"""


def test_every_way_to_bind_a_name_is_seen() -> None:
    read = {"b", "o", "q", "u"}
    names = {name for name, _ in bound(ast.parse(EVERY_WAY))}

    assert names == set("abcdefghijklmnopqrstuvwxyz") - read - {"a"} | {
        *("aa", "bb", "cc", "dd", "ee", "ff", "gg")
    }
