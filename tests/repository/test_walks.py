"""The walks of `docs/architecture`: each runs, and calls its functions in that order.

`python tests/repository/test_walks.py` writes today's values into the pages.
"""

from __future__ import annotations

import importlib
import inspect
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from functools import cache
from pathlib import Path
from textwrap import indent
from types import CodeType, FrameType
from typing import Any

import attrs
import pytest

import rulebook as rb
from interpreter import Game, IllegalAction
from interpreter.kernel.operations import Chance
from rulebook import syntax, tooling
from workbench.cli import main

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "architecture"
HOP = re.compile(
    r"^(?P<number>\d+)\. (?P<given>.+) → `(?P<path>[^`]+\.py)` `(?P<name>[\w.]+)`"
    r" → (?P<made>.+)$",
    re.MULTILINE,
)
NUMBERED = re.compile(r"^\d+\. ", re.MULTILINE)
UNDER = re.compile(
    rf"({HOP.pattern}\n)(?:\n    ```text\n(?:(?:    .*)?\n)*?    ```\n)?", re.MULTILINE
)
"""A hop, and the value shown below it."""

FILE = re.compile(r"(^```rules (\S+)\n).*?(^```$)", re.MULTILINE | re.DOTALL)
WIDTH = 84


# ---------------------------------------------------------------- walked steps


def cost() -> None:
    """Let a seat ask for something that it cannot pay."""
    game = Game.start(rb.load("pottery.rules"), seed=1)
    with pytest.raises(IllegalAction):
        game.apply("fire")


def roll() -> None:
    """Roll a die, record the roll, and roll it again."""
    book = rb.load("pottery.rules")
    Game.replay(Game.start(book, seed=1).record, book)


def replace() -> None:
    """Replace a clause by one with an error."""
    with redirect_stdout(io.StringIO()):
        assert main(["check", "dearer.rules"]) == 1


WALKS: dict[str, Callable[[], None]] = {"cost": cost, "roll": roll, "replace": replace}


@contextmanager
def example() -> Iterator[None]:
    """Let files be found by name until the end of the block."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for path in FOLDER.glob("*.rules"):
            shutil.copy(path, folder)
        yield


# ---------------------------------------------------------------- hops


@attrs.frozen
class Call:
    """First call of a hop: its number among all calls, its variables, its result."""

    number: int
    variables: dict[str, Any]
    given: Any


def page(walk: str) -> str:
    """Return the text of a walk."""
    return (FOLDER / f"{walk}.md").read_text(encoding="utf-8")


def hops(walk: str) -> list[tuple[str, str]]:
    """Return the hops of a walk: the path of each, and its name there."""
    return [(hop["path"], hop["name"]) for hop in HOP.finditer(page(walk))]


def code_of(path: str, name: str) -> CodeType:
    """Return the code of a function in a file."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    owner: Any = importlib.import_module(module)
    for part in name.split("."):
        owner = inspect.getattr_static(owner, part)
    function = inspect.unwrap(getattr(owner, "__func__", owner))
    code: CodeType = function.__code__
    assert Path(code.co_filename) == ROOT / path, f"{name} is only imported by {path}"
    return code


@cache
def walked(walk: str) -> dict[tuple[str, str], Call]:
    """Run a walk; return the first call of each hop, in call order."""
    wanted = {code_of(*hop): hop for hop in hops(walk)}
    order: list[FrameType] = []
    done: dict[tuple[str, str], Call] = {}
    reached: set[CodeType] = set()

    def look(frame: FrameType, event: str, given: Any) -> None:
        code = frame.f_code
        if code not in wanted:
            return
        if event == "call" and code not in reached:
            reached.add(code)
            order.append(frame)
        elif event == "return" and frame in order and wanted[code] not in done:
            number = order.index(frame)
            done[wanted[code]] = Call(number, dict(frame.f_locals), given)

    before = sys.getprofile()
    with example():
        sys.setprofile(look)
        try:
            WALKS[walk]()
        finally:
            sys.setprofile(before)
    return dict(sorted(done.items(), key=lambda item: item[1].number))


# ---------------------------------------------------------------- output


def plain(value: Any, depth: int = 0, before: str = "") -> str:
    """Return a node or part as written, without places and defaults."""
    if isinstance(value, tuple):
        head, tail, parts = "(", ")", [("", part) for part in value]
    elif attrs.has(type(value)):
        head, tail = f"{type(value).__name__}(", ")"
        fields = [
            field.name for field in attrs.fields(type(value)) if said(value, field)
        ]
        parts = [(f"{name}=", getattr(value, name)) for name in fields]
    else:
        return before + repr(value)
    texts = [plain(part, depth + 1, name) for name, part in parts]
    comma = "," if isinstance(value, tuple) and len(texts) == 1 else ""
    flat = f"{before}{head}{', '.join(texts)}{comma}{tail}"
    if "\n" not in flat and len(flat) + 4 * depth < WIDTH:
        return flat
    margin = "    " * depth
    inner = "".join(f"{margin}    {text},\n" for text in texts)
    return f"{before}{head}\n{inner}{margin}{tail}"


def said(value: Any, field: attrs.Attribute[Any]) -> bool:
    """Return whether a field of a node is shown."""
    return field.name != "span" and getattr(value, field.name) != field.default


@cache
def printed(*arguments: str) -> str:
    """Return the output of `rulebook` for the example."""
    out = io.StringIO()
    with example():
        game = Game.start(rb.load("pottery.rules"), seed=1)
        Path("game.jsonl").write_text(game.record, encoding="utf-8")
        with redirect_stdout(out):
            main(list(arguments))
    return out.getvalue()


def program(clause: str, *kinds: str) -> str:
    """Return functions under a clause of the program, by the first letter of each."""
    whole = printed("build", "pottery.rules", "--emit", "python")
    heading = rf"^# ---- {re.escape(clause)}  .*?(?=^# ----|\Z)"
    (section,) = re.findall(heading, whole, re.MULTILINE | re.DOTALL)
    head, *functions = re.split(r"\n\n(?=def )", section.strip())
    starts = tuple(f"def {kind}" for kind in kinds)
    return "\n\n".join(
        [head, *[function for function in functions if function.startswith(starts)]]
    )


def without_rules(record: str) -> str:
    """Return the lines of a record, without the text of the rules."""
    return re.sub(r'("sources": {"\w+": ").*"', r'\1…"', record)


def short(hop: tuple[str, str]) -> str:
    """Return a hop's key in `SHOWN`: its module's last name and its own name."""
    path, name = hop
    return f"{Path(path.removesuffix('/__init__.py')).stem}.{name}"


JAR = rb.Address("cost", "jar")

SHOWN: dict[str, dict[str, Callable[[Call], str]]] = {
    "cost": {
        "component_builders._cost": lambda call: plain(call.given),
        "body_builders._action": lambda call: plain(call.given.lines[0]),
        "merge.compose": lambda call: "\n".join(map(str, call.given.clauses)),
        "component_declarations.declare_costs": lambda call: plain(
            call.variables["world"].costs["jar"]
        ),
        "payments.check_payment": lambda call: plain(
            (call.given[0].condition, call.given[1])
        ),
        "digest.digest": lambda call: str(call.given),
        "layout.make_layout": lambda call: "\n".join(
            f"s[{block.base}]  {name}" for name, block in call.given.fields.items()
        ),
        "python_program.Program.write_enumerator": lambda _: program(
            "phase.firing", "e"
        ),
        "python_program.Program.write_tests": lambda _: program("action.fire", "x"),
        "wait_points.AskStep.legal": lambda call: repr(call.given),
        "action_index.PlannedAction.failing_requirement": lambda call: str(
            call.given.label
        ),
        "sentences.sentence": lambda call: str(call.given),
        "condition_parts.Explainer.suggested_fix": lambda call: str(call.given),
        "why.with_place": lambda _: printed("why", "game.jsonl", "fire"),
    },
    "roll": {
        "parse.parse": lambda call: "\n".join(
            plain(node)
            for node in tooling.walk(call.given.file)
            if isinstance(node, syntax.DiceClause | syntax.Roll)
        ),
        "component_declarations.declare_dice": lambda call: plain(
            call.variables["world"].dice["die"]
        ),
        "statement_checks._roll": lambda call: "\n".join(map(plain, call.given)),
        "python_program.Program.write_steps": lambda _: program("phase.digging", "p"),
        "chance_flows._roll": lambda call: "\n".join(
            plain(operation)
            for step in call.variables["t"].steps
            for operation in step
            if isinstance(operation, Chance)
        ),
        "python_units._chance": lambda _: program("phase.digging", "x"),
        "state.State.draw": lambda call: repr(call.given),
        "chance.random_below": lambda call: repr(call.given),
        "wait_points.ChanceStep.plain": lambda call: repr(call.given),
        "records.write_record": lambda call: without_rules(call.given),
        "records.ChanceEvent.to_json": lambda call: repr(call.given),
        "record_lines.read_events": lambda call: repr(call.given),
        "replay.check_event": lambda call: repr(call.variables["event"]),
    },
    "replace": {
        "body_builders._replace": lambda call: plain(call.given),
        "merge.compose": lambda call: plain(
            (call.given.clauses[JAR], call.given.replaced_clauses[JAR])
        ),
        "merge_conflicts.merge_order": lambda call: repr(call.given),
        "symbol_table.did_you_mean": lambda call: str(call.given),
        "rendering.render": lambda call: str(call.given),
    },
}
"""Values that each walk shows of the results of its hops."""


def rewritten(walk: str) -> str:
    """Return a page with current values."""
    calls, shown = walked(walk), dict(SHOWN[walk])

    def with_value(match: re.Match[str]) -> str:
        hop = match["path"], match["name"]
        show = shown.pop(short(hop), None)
        if show is None:
            return match[1]
        value = indent(f"```text\n{show(calls[hop]).strip()}\n```\n", "    ")
        return f"{match[1]}\n{value}"

    text = with_files(UNDER.sub(with_value, page(walk)))
    assert not shown, f"no hop of {walk} gives {', '.join(shown)}"
    return text


def with_files(text: str) -> str:
    """Return a page with the rule files that it shows."""

    def with_file(match: re.Match[str]) -> str:
        return match[1] + (FOLDER / match[2]).read_text(encoding="utf-8") + match[3]

    return FILE.sub(with_file, text)


# ---------------------------------------------------------------- tests


def test_the_overview_links_to_every_walk() -> None:
    """The overview has a link to each walk, and shows the rule files as they are."""
    overview = page("README")

    assert {path.stem for path in FOLDER.glob("*.md")} == {"README", "kernel", *WALKS}
    assert [walk for walk in WALKS if f"({walk}.md)" not in overview] == []
    assert with_files(overview) == overview


def test_the_overview_quotes_lines_of_the_example() -> None:
    """Both lines that the overview quotes are in the example's rule file."""
    quoted = re.findall(r"the line `([^`]+)`", page("README"))
    rules = (FOLDER / "pottery.rules").read_text(encoding="utf-8").splitlines()

    assert len(quoted) == 2
    assert set(quoted) <= {line.strip() for line in rules}


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_calls_its_functions_in_order(walk: str) -> None:
    """Numbered lines are calls, none is listed twice, and they run in that order."""
    numbers = [int(hop["number"]) for hop in HOP.finditer(page(walk))]

    assert numbers == list(range(1, len(numbers) + 1))
    assert len(NUMBERED.findall(page(walk))) == len(numbers) >= 10
    assert len(set(hops(walk))) == len(hops(walk))
    assert list(walked(walk)) == hops(walk)


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_shows_the_values_that_its_functions_return(walk: str) -> None:
    """The values on the page are those of today's code."""
    assert rewritten(walk) == page(walk)


if __name__ == "__main__":
    for walk in WALKS:
        (FOLDER / f"{walk}.md").write_text(rewritten(walk), encoding="utf-8")
    overview = with_files(page("README"))
    (FOLDER / "README.md").write_text(overview, encoding="utf-8")
