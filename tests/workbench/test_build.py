"""Program printed by `rulebook build`, for human readers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from interpreter import python_program
from interpreter.c_engine import c_program
from interpreter.kernel.passes.pipeline import EVERY_PASS
from interpreter.native.c_text import comment
from rulebook import Rulebook
from tests.support.commands import Output, output_of
from workbench import load as load_anew
from workbench.cli import main

load = cache(load_anew)
GAMES = ("germany", "classic", "cardgame", "examples/games/hearts.rules")


def sections(program: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the clauses of a program with the names of their functions."""
    clause, names = "", list[str]()
    for line in program.splitlines():
        if line.startswith("# ---- "):
            if clause:
                yield clause, names
            clause, names = line.removeprefix("# ---- "), []
        elif line.startswith("def "):
            assert clause, line
            names.append(line.removeprefix("def ").partition("(")[0])
    yield clause, names


def places(book: Rulebook) -> set[str]:
    """Return the clauses of a book as the program names them."""
    addresses = [(clause.address, clause.span) for clause in book.clauses.values()]
    clauses = {f"{address}  ({span.file}:{span.line})" for address, span in addresses}
    return clauses | ({"points", "hint.value", "invariants"} - set(book.clauses))


@pytest.mark.parametrize("name", GAMES)
def test_every_function_is_listed_under_its_clause(name: str) -> None:
    book = load(name)
    program = python_program(book)

    functions_by_clause = dict(sections(program))

    assert set(functions_by_clause) <= places(book)
    actions = {f"action.{action.name}" for action in book.model.actions.values()}
    shown = {
        clause.partition("  ")[0]
        for clause in functions_by_clause
        if functions_by_clause[clause]
    }
    assert actions & set(book.clauses) <= shown
    defines = [
        define for define in book.model.defines.values() if define.action is None
    ]
    assert {f"define.{define.name}" for define in defines} & set(book.clauses) <= shown


@pytest.mark.parametrize("name", GAMES)
def test_program_is_valid_python_without_unknown_names(name: str) -> None:
    tree = ast.parse(python_program(load(name)))

    functions = [
        statement.name
        for statement in tree.body
        if isinstance(statement, ast.FunctionDef)
    ]
    assert len(functions) == len(set(functions)) > 20
    tables = [
        statement.targets[0].id
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
    ]
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    numbered = {name for name in read if name[0] in "Kdqxhepw" and name[1:].isdigit()}
    assert numbered <= {*functions, *tables}


def test_omitted_rules_are_not_in_the_program() -> None:
    book = load("classic")

    plain = python_program(book, disabled_rewrites=EVERY_PASS)

    assert len(plain) < len(python_program(book))
    call = "d2(s, f[2], f[4])"
    assert f"if not s[117 + f[2] * 6 + f[4]] >= {call}" not in plain
    assert plain != python_program(book, disabled_rewrites=["bound"])


def test_the_command_prints_the_program(capsys: Output) -> None:
    assert main(["build", "germany", "--emit", "python", "--players", "3"]) == 0

    printed = capsys.readouterr().out
    assert printed.rstrip() == python_program(load("germany"), players=3).rstrip()
    assert "3 players" in printed


@pytest.mark.parametrize("name", GAMES)
def test_every_c_function_is_listed_under_its_clause(name: str) -> None:
    book = load(name)
    lines = c_program(book).split("\n")

    written = {line[3:-3] for line in lines if line.startswith("/* ")}

    clauses = {comment(place) for place in places(book)}
    actions = {f"action.{action}" for action in book.model.actions}
    assert {place for place in clauses if place.startswith(tuple(actions))} <= written
    below = [place for place in written if place.endswith(")") and ".rules:" in place]
    assert set(below) <= clauses


def test_the_command_prints_the_c(capsys: Output) -> None:
    printed = output_of(capsys, "build", "germany", "--emit", "c", "--players", "3")
    assert printed.rstrip() == c_program(load("germany"), players=3).rstrip()
    assert printed.startswith("/* germany, 3 players: written from its rules. */")


def test_rejects_an_unknown_optimisation(capsys: Output) -> None:
    assert main(["build", "germany", "--emit", "python", "--without", "fould"]) == 2

    assert (
        "there is no optimisation fould; did you mean fold?" in capsys.readouterr().err
    )
