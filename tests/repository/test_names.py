"""Names and docstrings that may not be added to the repository.

`old_names.json` lists the present offenders. Lists and counts in it may only shrink:
`python tests/repository/test_names.py` removes from it what the code no longer has.
"""

import ast
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
BASELINE = Path(__file__).with_name("old_names.json")
FLOORS = ("rulebook", "interpreter", "workbench", "variants")
FOLDERS = (*FLOORS, "tests", "benchmarks", "editors")

PARTICIPLE = "name the thing or the action, not a participle"
METAPHOR = "use the word of the trade, not a metaphor"
PLACE = "use a noun: what does the module or function handle?"
BANNED = {
    **dict.fromkeys(("told", "kept", "laid", "shown", "asked", "reckoned"), PARTICIPLE),
    **dict.fromkeys(("purse", "heaps", "minds", "story"), METAPHOR),
    **dict.fromkeys(("fences", "witness"), METAPHOR),
    **dict.fromkeys(("beside", "apart"), PLACE),
}
"""Names that no new module, class or function may have, and the advice for each."""

RIDDLES = {
    "one": "name the kind of thing: `clause`, `action`, `diagnostic`",
    "found": "name what was searched: `match`, `spaces`, `explanation`",
}
"""Names that nothing may have: no variable, parameter, field, function or class."""

OPENINGS = ("What", "How", "Of", "Who", "So")
"""First words of docstrings that do not say what a thing is or does."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Place = tuple[str, int, str]
"""File below the root, line, and text for readers."""


@cache
def modules() -> dict[str, ast.Module]:
    """Return the parsed Python files of the repository, by path below the root."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(paths)
    }


def floor_of(file: str) -> str:
    """Return the top folder of a file."""
    return file.partition("/")[0]


def bare(name: str) -> str:
    """Return a name in lower case without underscores around it and without `test_`."""
    return name.strip("_").lower().removeprefix("test_")


def bound_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
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


def docstrings(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the docstrings of a module, its definitions and its constants."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        owners = [node, *body[:-1]]
        for owner, line in zip(owners, body, strict=False):
            match line:
                case ast.Expr(value=ast.Constant(value=str(text))) if isinstance(
                    owner, ast.Module | Definition | ast.Assign | ast.AnnAssign
                ):
                    yield text, line.lineno


def banned_modules() -> dict[str, str]:
    """Return the modules and packages with a banned name, and the advice for each."""
    names = {}
    for file in modules():
        module = file.removesuffix(".py").removesuffix("/__init__")
        word = bare(module.rpartition("/")[2])
        if word in BANNED:
            names[module] = BANNED[word]
    return names


def banned_definitions() -> dict[str, dict[str, list[Place]]]:
    """Return the classes and functions with a banned name, by floor and name."""
    places: dict[str, dict[str, list[Place]]] = {}
    for file, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, Definition) and bare(node.name) in BANNED:
                by_name = places.setdefault(floor_of(file), {})
                word = bare(node.name)
                place = file, node.lineno, f"`{node.name}`: {BANNED[word]}"
                by_name.setdefault(word, []).append(place)
    return places


def bad_docstrings() -> dict[str, list[Place]]:
    """Return the docstrings that begin with a banned word, by floor."""
    places: dict[str, list[Place]] = {folder: [] for folder in FOLDERS}
    for file, tree in modules().items():
        places[floor_of(file)] += [
            (file, line, text.splitlines()[0])
            for text, line in docstrings(tree)
            if text.split()[:1] and text.split()[0].strip("`*,:") in OPENINGS
        ]
    return places


def listed(places: list[Place]) -> str:
    """Return places as lines for people."""
    return "".join(f"\n  {file}:{line}: {text}" for file, line, text in places)


def problems_of_modules(known: list[str], present: dict[str, str]) -> list[str]:
    """Return the modules that are not listed, and the listed ones that do not exist."""
    new = [f"{name}: {present[name]}" for name in sorted(present.keys() - set(known))]
    gone = sorted(set(known) - present.keys())
    return new + [f"{name} no longer exists: {REMOVE}" for name in gone]


def problems_of_definitions(
    known: dict[str, dict[str, int]], present: dict[str, dict[str, list[Place]]]
) -> list[str]:
    """Return the names that have become more or less frequent."""
    problems = []
    for floor in sorted(known.keys() | present.keys()):
        old, new = known.get(floor, {}), present.get(floor, {})
        for word in sorted(old.keys() | new.keys()):
            places, limit = new.get(word, []), old.get(word, 0)
            counts = f"{floor} defines `{word}` {len(places)} times, {limit} are listed"
            if len(places) > limit:
                problems.append(f"{counts}; rename the new definition:{listed(places)}")
            elif len(places) < limit:
                problems.append(f"{counts}: {REMOVE}")
    return problems


REMOVE = "run `python tests/repository/test_names.py`"


def test_banned_names_only_become_fewer() -> None:
    """No module, class or function gets a participle or a metaphor as its name.

    The present offenders are listed: the modules by path, the rest counted by floor.
    The test fails for a new one, and also when a listed one no longer exists.
    """
    known = json.loads(BASELINE.read_text(encoding="utf-8"))
    problems = problems_of_modules(known["modules"], banned_modules())
    problems += problems_of_definitions(known["definitions"], banned_definitions())

    assert not problems, "\n".join(problems)


def test_docstrings_with_a_bad_opening_only_become_fewer() -> None:
    """No more docstrings than today begin with `What`, `How`, `Of`, `Who` or `So`.

    Each floor has a maximum. Docstrings of constants and fields count too.
    """
    known = json.loads(BASELINE.read_text(encoding="utf-8"))["docstrings"]
    problems = [
        f"{floor}: {len(places)} docstrings begin with one of {', '.join(OPENINGS)};"
        f" the maximum is {known[floor]}:{listed(places)}"
        for floor, places in bad_docstrings().items()
        if len(places) > known[floor]
    ]

    assert not problems, "\n".join(problems)


def test_no_name_is_a_riddle() -> None:
    """Nothing is called `one` or `found`: such a name fits any value."""
    problems = [
        f"{file}:{line}: `{name}`: {RIDDLES[name]}"
        for file, tree in modules().items()
        for name, line in bound_names(tree)
        if name in RIDDLES
    ]

    assert not problems, "\n".join(problems)


def test_no_module_imports_a_private_name() -> None:
    """A name that begins with `_` belongs to its module; no test imports it either.

    Access by attribute is checked by ruff (SLF001), whose rule for imports, PLC2701,
    is still a preview.
    """
    problems = [
        f"{file}:{node.lineno}: `{alias.name}`"
        for file, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]

    assert not problems, "\n".join(problems)


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


def test_every_binding_of_a_name_is_seen() -> None:
    """`bound_names` finds a name in each construct of Python that binds names."""
    read = {"b", "o", "q", "u"}
    names = {name for name, _ in bound_names(ast.parse(EVERY_WAY))}

    assert names == set("abcdefghijklmnopqrstuvwxyz") - read - {"a"} | {
        *("aa", "bb", "cc", "dd", "ee", "ff", "gg")
    }


def test_docstrings_of_all_owners_are_seen() -> None:
    """`docstrings` finds those of modules, classes, functions, constants and fields."""
    code = '"M"\nA = 1\n"A"\nclass C:\n  "C"\n  f: int\n  "f"\n  def g(): "g"\nh()\n"h"'
    texts = [text for text, _ in docstrings(ast.parse(code))]

    assert sorted(texts) == ["A", "C", "M", "f", "g"]


def lowered(known: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Return the counts of definitions that have decreased."""
    present = banned_definitions()
    counts = {
        floor: Counter({word: len(places) for word, places in by_name.items()})
        for floor, by_name in present.items()
    }
    fewer = {
        floor: {
            word: min(number, counts.get(floor, Counter())[word])
            for word, number in sorted(by_name.items())
        }
        for floor, by_name in known.items()
    }
    return {
        floor: {word: number for word, number in by_name.items() if number}
        for floor, by_name in fewer.items()
    }


def main() -> None:
    """Remove entries from the baseline that the code no longer has."""
    known = json.loads(BASELINE.read_text(encoding="utf-8"))
    present = banned_modules()
    lists = {
        "modules": [name for name in known["modules"] if name in present],
        "definitions": lowered(known["definitions"]),
        "docstrings": {
            floor: min(known["docstrings"][floor], len(places))
            for floor, places in bad_docstrings().items()
        },
    }
    BASELINE.write_text(json.dumps(lists, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
