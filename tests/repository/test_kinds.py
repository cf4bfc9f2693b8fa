"""A value from a fixed set is a member of an enumeration, never a string literal.

mypy reports a member that a `match` does not handle; a string that nothing handles
shows only at run time. No module compares an attribute with a string literal, except
for the attributes in `TEXTS`, which are text.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLOORS = ("rulebook", "interpreter", "workbench")

TEXTS = {
    ("rulebook/", "text"): "what somebody wrote: a name, or the line up to a place",
    (
        "rulebook/check/bodies/component_declarations.py",
        "seen_by",
    ): "what people write for `all`",
    ("rulebook/check/bodies/legality.py", "preposition"): "what somebody wrote",
    ("rulebook/check/bodies/units.py", "code"): "the code of a diagnostic",
    (
        "rulebook/model/model_components.py",
        "owner",
    ): "the name of a domain, of pairs with a dot",
    ("rulebook/parse/", "accepts"): "what Lark calls the terminals of the grammar",
    ("rulebook/parse/", "code"): "the code of a diagnostic",
    ("rulebook/parse/", "data"): "what Lark calls the rules of the grammar",
    ("rulebook/parse/", "first_word"): "what somebody wrote",
    ("rulebook/parse/", "type"): "what Lark calls the terminals of the grammar",
    ("rulebook/parse/grammar/", "name"): "what Lark calls the terminals of the grammar",
    ("rulebook/source/diagnostics.py", "severity"): "promised as text; mypy knows both",
    ("rulebook/write/format.py", "head"): "the first word of a line",
    ("interpreter/batches/batch.py", "kind"): "what numpy calls whole numbers",
    ("interpreter/native/c_layout.py", "type"): "a type of C",
    ("rulebook/model/simple_expressions.py", "name"): "no rule file can write it",
    ("interpreter/explanation.py", "name"): "the field of a class",
    ("interpreter/native/build/", "name"): "what Python calls the system",
    ("interpreter/kernel/traversal.py", "name"): "the field of a class",
    ("interpreter/kernel/verify.py", "type"): "an annotation, which is text",
    ("interpreter/native/", "operator"): "what C and Python write",
    ("interpreter/python/", "operator"): "what C and Python write",
    (
        "interpreter/plan/deals/value_classes.py",
        "seen",
    ): "names of definitions, and points",
    ("workbench/cli/shell_completion/", "__name__"): "a class of argparse",
    ("workbench/cli/shell_completion/", "nargs"): "how argparse says how many",
    ("workbench/cli/shell_completion/", "word"): "what somebody typed",
    ("workbench/presentation/console/", "environ"): "the variables of the environment",
    ("workbench/files/library/", "name"): "the name of a file",
    ("workbench/files/library/", "platform"): "what Python calls the system",
    ("workbench/files/library/", "stem"): "the name of a file",
    (
        "workbench/presentation/picture/shapes.py",
        "fill",
    ): "a colour, or where it comes from",
    (
        "workbench/presentation/picture/shapes.py",
        "line",
    ): "a colour, or where it comes from",
    ("workbench/pytest_plugin.py", "suffix"): "the name of a file",
    ("workbench/testing/rule_tests/", "severity"): "promised as text; mypy knows both",
    ("workbench/testing/rule_tests/", "to_act"): "promised as text: a seat, or chance",
}
"""Attributes that are text, by file, with their meaning; unused rows are an error.

Only `rulebook/addresses.py` reads addresses, so it may compare them freely.
"""


def is_text(node: ast.AST) -> bool:
    """Return whether an expression or a pattern is a string literal or contains only
    such.
    """
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            plain = all(isinstance(part, ast.Constant) for part in parts)
            return plain and any(map(is_text, parts))
        case ast.MatchValue(value=value):
            return is_text(value)
        case ast.MatchOr(patterns=patterns) | ast.MatchSequence(patterns=patterns):
            return any(map(is_text, patterns))
        case ast.MatchAs(pattern=ast.pattern() as pattern):
            return is_text(pattern)
    return False


def attributes(node: ast.expr) -> Iterator[tuple[int, str]]:
    """Yield the attribute that an expression is, or of which it is the `str`, with its
    line.
    """
    match node:
        case ast.Attribute(attr=name):
            yield node.lineno, name
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            yield from attributes(inner)
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from attributes(part)


def compared(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each attribute that is compared with a string literal, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(map(is_text, sides)):
                    for side in sides:
                        yield from attributes(side)
            case ast.Match(subject=subject, cases=cases):
                if any(is_text(case.pattern) for case in cases):
                    yield from attributes(subject)
            case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
                for name, pattern in zip(names, patterns, strict=True):
                    if is_text(pattern):
                        yield pattern.lineno, name


def row_of(path: Path, attribute: str) -> tuple[str, str] | None:
    """Return the row that allows an attribute of a file to be a text."""
    file = path.relative_to(ROOT).as_posix()
    rows = (row for row in TEXTS if row[1] == attribute and file.startswith(row[0]))
    return next(rows, None)


@cache
def comparisons() -> dict[Path, list[tuple[int, str]]]:
    """Return the attributes that each module compares with a string literal."""
    files = (path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))
    return {
        path: list(compared(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(files)
        if path != ROOT / "rulebook" / "addresses.py"
    }


def test_no_attribute_is_compared_with_a_string_literal() -> None:
    """The floors compare only the attributes in `TEXTS` with string literals."""
    bare = [
        f"{path.relative_to(ROOT)}:{line}: {attribute}"
        for path, places in comparisons().items()
        for line, attribute in places
        if row_of(path, attribute) is None
    ]

    assert not bare, "compare with a member of an enumeration"


def test_every_row_of_texts_is_needed() -> None:
    """`TEXTS` has no row that allows nothing any more."""
    needed = {
        row_of(path, attribute)
        for path, places in comparisons().items()
        for _, attribute in places
    }

    assert TEXTS.keys() - needed == set()


WITH_LITERALS = (
    'x.sort == "a"',
    '"a" != x.y.sort',
    'x.sort in ("a", "b")',
    '"a" in x.sort',
    'match x.sort:\n  case "a" | "b": pass',
    'match (x.sort, y):\n  case ("a", _): pass',
    'match str(x.sort):\n  case "a" as word: pass',
    'match x:\n  case A(sort="a"): pass',
)
WITHOUT = ("x.sort is A.B", 'x == "a"', "x.sort == 1")


def test_every_form_of_comparison_is_seen() -> None:
    """`compared` finds literals in operators and patterns, and nothing else."""
    for code in WITH_LITERALS:
        assert [name for _, name in compared(ast.parse(code))] == ["sort"], code
    for code in WITHOUT:
        assert not list(compared(ast.parse(code))), code
