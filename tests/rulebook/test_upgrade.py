"""Rewrites of rules that earlier versions accepted, and their application."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from rulebook import Diagnostic, Span, examine_text
from rulebook.tooling import REWRITES, Rewrite, Upgrade, upgrade_texts
from rulebook.upgrade.rule_text import RuleText
from tests.support.fuzz import shipped
from tests.support.fuzz_texts import from_grammar, from_small_file, harmful

ROOT = Path(__file__).parents[2]
VILLAGE = (ROOT / "docs" / "language" / "village.rules").read_text("utf-8")
HEAD = 'rules language 1\nrulebook old "Old rules"\n  extends village\n\n'
FILE = "old.rules"


TEXTS = {"village": VILLAGE, "night.theme": 'rules language 1\ntheme night "Night"\n'}


def check(texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    for name, text in texts.items():
        yield from examine_text(text, name, TEXTS.get)[1]


def upgrade(rules: str) -> Upgrade:
    return upgrade_texts({FILE: HEAD + rules}, check)


def upgraded(rules: str) -> str:
    """Return rules as they are after the upgrade, which removes all errors."""
    result = upgrade(rules)
    assert [str(error) for error in result.remaining] == []
    return result.texts[FILE].removeprefix(HEAD)


def chunks() -> list[tuple[str, str]]:
    """Return old rules with what they become, from the file of examples."""
    text = Path(__file__).with_name("upgrades.rules-test").read_text("utf-8")
    pairs = (chunk.partition("=>\n") for chunk in text.split("---\n"))
    return [(old, new) for old, _, new in pairs]


@pytest.mark.parametrize(("old", "new"), chunks())
def test_refused_rules_are_rewritten(old: str, new: str) -> None:
    assert upgraded(old) == new
    assert upgrade(new).applied == ()


def test_a_theme_is_added_to_the_themes_of_a_header() -> None:
    old = HEAD.replace("village\n", "village\n  theme night  # dark\n")
    text = f'{old}hint pattern forest: "firs"\n'
    result = upgrade_texts({FILE: text}, check)

    assert result.texts[FILE] == text.replace("theme night", "theme night, countryside")


def test_strings_and_comments_are_not_renamed() -> None:
    rules = (
        '# announce(2) and let: 3\nto announce(0 to 3 n)  # "announce"\n  stop\n\n'
        'option loud: no  "announce(2) is loud"\n\nto cry\n  announce(2)\n'
    )
    assert upgraded(rules) == (
        '# announce(2) and let: 3\nto announce_2(0 to 3 n)  # "announce"\n  stop\n\n'
        'option loud: no  "announce(2) is loud"\n\nto cry\n  announce_2(2)\n'
    )


def test_a_new_name_is_not_in_the_file_yet() -> None:
    rules = "to announce_2\n  stop\n\nto announce\n  announce_2\n\nto b\n  announce\n"

    assert "to announce_3\n" in upgraded(rules)


def test_a_file_that_names_a_renamed_procedure_is_renamed_too() -> None:
    rules = "to announce\n  stop\n\nto b\n  announce\n"
    above = HEAD.replace("village", "below") + "replace to announce\n  gain\n"
    texts = {"below.rules": HEAD + rules, "above.rules": above}

    def check_above(texts: Mapping[str, str]) -> Iterator[Diagnostic]:
        known = TEXTS | {"below": texts["below.rules"]}
        yield from examine_text(texts["above.rules"], "above.rules", known.get)[1]

    result = upgrade_texts(texts, check_above)
    assert "replace to announce_2\n" in result.texts["above.rules"]
    assert [error.code for error in result.remaining] == ["RB116"]  # was hidden


def test_the_report_has_the_lines_of_the_new_text() -> None:
    rules = (
        "to burn\n  each site: remove red's house from site\n\n"
        "to flee\n  move 1 wood from red's hand to store\n"
    )
    result = upgrade(rules)

    lines = result.texts[FILE].split("\n")
    assert [(x.rewrite, x.since, x.file) for x in result.applied] == [
        ("guard", "0.2.0", FILE)
    ] * 2
    for applied in result.applied:
        end = applied.line - 1 + len(applied.new)
        assert tuple(lines[applied.line - 1 : end]) == applied.new
    assert result.applied[1].old == ("  move 1 wood from red's hand to store",)


def test_errors_without_a_rewrite_remain_and_the_others_are_removed() -> None:
    rules = "to burn(site)\n  remove red's house from site\n  set red's fame to gloom\n"
    result = upgrade(rules)

    assert [error.message for error in result.remaining] == ["unknown name `gloom`"]


def error(line: int, code: str = "RB101", message: str = "old") -> Diagnostic:
    return Diagnostic(code, message, Span(FILE, line, 1, line, 4))


def replace_first(rules: RuleText, _: Diagnostic) -> list[str]:
    return [rules.text.replace("old", "new", 1)]


REPLACEMENT = Rewrite("replacement", "1.0.0", "old", "new", replace_first)


def replace_old(*codes: str) -> Upgrade:
    """Return the upgrade of `old` to `new`, after which a check finds these codes."""

    def check_words(texts: Mapping[str, str]) -> Iterator[Diagnostic]:
        if texts[FILE] == "old\n":
            yield error(1)
        else:
            yield from (error(1, code, f"new {code}") for code in codes)

    return upgrade_texts({FILE: "old\n"}, check_words, [REPLACEMENT])


@pytest.mark.parametrize(
    ("codes", "is_applied"),
    [((), True), (("RB101",), True), (("RB011",), False), (("RB142",), False)],
)
def test_a_rewrite_is_applied_unless_it_causes_an_error(
    codes: tuple[str, ...], is_applied: bool
) -> None:
    assert bool(replace_old(*codes).applied) is is_applied


def test_all_errors_are_removed_even_if_only_the_first_are_reported() -> None:
    def check_first(texts: Mapping[str, str]) -> list[Diagnostic]:
        lines = texts[FILE].split("\n")
        wrong = [
            error(number, "RB110" if number % 2 else "RB101", f"line {number}")
            for number, line in enumerate(lines, 1)
            if line == "old"
        ]
        cut = [error(wrong[1].span.line, "RB006", "more")] if len(wrong) > 2 else []
        return wrong[:2] + cut

    result = upgrade_texts({FILE: "old\n" * 9}, check_first, [REPLACEMENT])

    assert result.texts[FILE] == "new\n" * 9
    assert result.remaining == ()


def test_a_rewrite_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebook.upgrade.application.APPLIED_MAX", 5)
    rewrite = Rewrite(
        "x", "1.0.0", "old", "old", lambda rules, _: [f"{rules.text}old\n"]
    )
    result = upgrade_texts(
        {FILE: "old\n"},
        lambda texts: [error(1, message=str(len(texts[FILE])))],
        [rewrite],
    )

    assert len(result.applied) == 5


def test_the_page_lists_every_rewrite() -> None:
    page = (ROOT / "docs" / "how-to" / "upgrade-rules.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]

    assert rows == [
        f"| `{x.name}` | {x.since} | `{x.before}` | `{x.after}` |" for x in REWRITES
    ]


def test_line_ends_become_those_of_formatted_files() -> None:
    text = f"{HEAD}to burn(site)\n  remove red's house from site\n"
    result = upgrade_texts({FILE: "\ufeff" + text.replace("\n", "\r\n")}, check)

    assert result.texts == upgrade_texts({FILE: text}, check).texts
    assert result.applied == upgrade_texts({FILE: text}, check).applied


@pytest.mark.parametrize("make", [from_grammar, from_small_file, harmful])
def test_any_text_is_upgraded_at_most_once(make: Callable[[Random], str]) -> None:
    def check_text(texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        return examine_text(texts[FILE], FILE, shipped().get)[1]

    for seed in range(30):
        result = upgrade_texts({FILE: make(Random(seed))}, check_text)
        assert upgrade_texts(result.texts, check_text).applied == ()
