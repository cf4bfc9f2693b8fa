"""Bots of installed packages, found by their entry points."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.commands import Output, document_of, output_of
from workbench.bots.registry import bot_of, check_bot
from workbench.cli import main
from workbench.errors import RequestError

BOTS = """\
def last(view, legal, sample, numbers):
    return legal[-1]


class Careful:
    def __call__(self, view, legal, sample, numbers):
        return legal[0]


number = 7
"""
POINTS = """\
[rulebook.bots]
last = others_bots:last
careful = others_bots:Careful
greedy = others_bots:last
away = others_bots:nothing
number = others_bots:number
sick = sick_bots:one
"""


def install(folder: Path, name: str, points: str) -> None:
    """Write the metadata of a distribution to a folder, as an installation does."""
    info = folder / f"{name}-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {name}\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(points)


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder on the path with a package that provides bots."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "others_bots.py").write_text(BOTS)
    (tmp_path / "sick_bots.py").write_text("one = 1\ntwo = one / 0\n")
    install(tmp_path, "others", POINTS)
    yield tmp_path
    for name in ("others_bots", "sick_bots"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", ["last", "careful"])
def test_a_bot_of_a_package_plays(name: str, tiny_path: Path, capsys: Output) -> None:
    line = ["simulate", str(tiny_path), "--games", "2", "--bots", f"{name},greedy"]

    assert document_of(capsys, *line, "--players", "2")["games"] == 2


def test_class_is_instantiated_for_each_seat() -> None:
    bot, another = bot_of("careful"), bot_of("careful")

    assert bot.bot is not another.bot  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sick", "the bot `sick` of others 2.5 (sick_bots:one) cannot be imported"),
        ("sick", "ZeroDivisionError: division by zero"),
        ("sick", "sick_bots.py:2)"),
        ("away", "cannot be imported: AttributeError"),
        ("number", "(others_bots:number) is not a bot; a bot is a function of (view, "),
        ("lats", "did you mean `last`?"),
        (
            "lats",
            "bots are random, greedy, mcts, away, careful, last, number, sick, or",
        ),
    ],
)
def test_unusable_bot_is_reported(name: str, said: str) -> None:
    with pytest.raises(RequestError) as refused:
        check_bot(name)

    assert said in str(refused.value)


def test_conflicting_packages_are_both_named(site: Path) -> None:
    install(site, "more", "[rulebook.bots]\nlast = sick_bots:two\n")

    with pytest.raises(RequestError) as refused:
        check_bot("last")

    said = str(refused.value)
    assert "others 2.5" in said
    assert "more 2.5" in said
    assert "others_bots:last" in said


def test_a_shipped_bot_keeps_its_name() -> None:
    from workbench.bots import greedy

    assert bot_of("greedy") is greedy


def test_all_bots_are_listed(capsys: Output) -> None:
    lines = output_of(capsys, "bots").splitlines()

    assert lines[:3] == [
        "random   shipped     workbench.bots:random",
        "                     plays a random legal action",
        "greedy   shipped     workbench.bots:greedy",
    ]
    assert "careful  others 2.5  others_bots:Careful" in lines
    below = " " * len("greedy   others 2.5  ")
    after = lines[lines.index("greedy   others 2.5  others_bots:last") + 1]
    said = "not usable: `greedy` is reserved; use `others_bots:last` instead"
    assert after == f"{below}{said}"
    after = lines[lines.index("sick     others 2.5  sick_bots:one") + 1]
    assert after.startswith(f"{below}not usable: the bot `sick` of others 2.5")


def test_json_list_contains_errors(capsys: Output) -> None:
    rows = {row["object"]: row for row in document_of(capsys, "bots")}

    assert rows["others_bots:Careful"] == {
        "name": "careful",
        "source": "others 2.5",
        "object": "others_bots:Careful",
        "about": None,
        "error": None,
    }
    assert "AttributeError" in rows["others_bots:nothing"]["error"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rulebook simulate germany --bots careful,la", ["last"]),
        ("rulebook play germany --seat red=car", ["red=careful"]),
    ],
)
def test_shell_completion_offers_installed_bots(
    line: str, expected: list[str], capsys: Output
) -> None:
    main(["completion", "fish", "--line", line])

    written = capsys.readouterr().out.split()
    assert [word.rpartition(",")[2] for word in written] == expected
    assert "others_bots" not in sys.modules


def test_nothing_is_imported_until_a_bot_is_named() -> None:
    with pytest.raises(RequestError):
        check_bot("nobody")
    assert "others_bots" not in sys.modules
