"""Every part of the rules has a template, in every printed language."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import attrs
import pytest

from rulebook import model as m
from tests.printing.pages import book, printed
from workbench.presentation.printing.sentences.all_forms import (
    FORMS,
    printed_classes,
    unprintable_names,
)
from workbench.presentation.printing.sentences.forms import PLAIN
from workbench.presentation.printing.sentences.template_tables import (
    PHRASES,
    POLISH,
    PREPOSITIONS,
    SENTENCES,
    WORDS,
    templates,
)

LANGUAGES = sorted(path.stem for path in WORDS.glob("*.toml"))
GAP = re.compile(r"\{(\w+)\}")
TYPES = get_args(m.Type)
CLASSES = [kind for kind in printed_classes() if kind not in TYPES]

CARDS = m.Local(slot=2, name="cards", type=m.Bag("kind"))
VALUES: tuple[Any, ...] = (
    CARDS,
    m.Local(slot=2, name="deck", type=m.Stack("kind")),
    m.Local(slot=2, name="number", type=m.Whole(0, 9)),
    m.Local(slot=2, name="thing", type=m.Member("kind", optional=True)),
    m.Local(slot=2, name="player", type=m.Member("player", optional=True)),
    m.Local(slot=2, name="some", type=m.SetOf("kind")),
    m.SizeOf(holder=CARDS, type=m.Whole(0, 9)),
    m.CountIn(holder=CARDS, member=CARDS, type=m.Whole(0, 9)),
    m.PieceLeft(piece="piece", owner=None, type=m.Whole(0, 9)),
    m.Const(value=0, type=m.Whole(0, 0)),
    m.Const(value=1, type=m.Whole(1, 1)),
    m.Const(value=-1, type=m.Member("kind", optional=True)),
    m.Const(value=-1, type=m.Member("player", optional=True)),
    m.Const(value=-1, type=m.Whole(0, 9, optional=True)),
)
FEW = (CARDS, VALUES[1], VALUES[5])


def test_the_languages() -> None:
    assert LANGUAGES == ["de", "en"]


def pool(kind: type[Any], field: Any, *, rich: bool) -> tuple[Any, ...]:
    """Yield values of a field with which a form may differ."""
    written = str(field.type)
    several = VALUES if rich else FEW
    match written:
        case "bool":
            return (False, True)
        case "Expr | None" | "Expr | None = None":
            return (None, *several)
        case "Expr":
            return several
        case "str | None" | "int | None":
            return (None, "name")
        case "StackEnd" | "Comparison" | "ArithmeticOperator" | "TurnDirection":
            return tuple(getattr(m, written))
        case "Ranking | None":
            return (None, m.Ranking(slot=1, name="x", set=CARDS, where=None, by=()))
        case "tuple[Offer, ...]":
            return tuple((m.Offer("act"),) * count for count in (1, 2))
        case "tuple[Expr, ...]":
            return ((), (CARDS, CARDS))
        case "tuple[Stmt, ...]":
            return ((), (m.StopUnit(),))
        case "int":
            return (2,)
        case "str":
            return ("name", "player.name") if field.name == "domain" else ("name",)
    return ((),)


def template_key(node: Any, *, fails: bool = False) -> str:
    return FORMS.get(type(node), PLAIN).key(node, negated=fails)


def nodes(kind: type[Any]) -> Iterator[Any]:
    """Yield parts of a class, in every form."""
    fields = [f for f in attrs.fields(kind) if f.name not in {"span", "type"}]
    rich = kind in {m.Compare, m.SetField}
    pools = [pool(kind, field, rich=rich) for field in fields]
    extra = {"type": m.Truth()} if issubclass(kind, m.Typed) else {}
    for values in product(*pools):
        yield kind(
            **dict(zip((field.alias for field in fields), values, strict=True)), **extra
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_every_class_has_a_template(language: str) -> None:
    own = templates(language, SENTENCES)
    forms = {"And", "Or"}
    for kind in CLASSES:
        if kind not in {m.And, m.Or, m.Const}:
            forms |= {template_key(node) for node in nodes(kind)}

    assert len(forms) > len(CLASSES)
    assert sorted(forms - own.keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [m.PieceOn, m.Covers, m.Contains, m.Exists])
def test_form_that_can_fail_has_a_template_for_failure(
    kind: type[Any], language: str
) -> None:
    own = templates(language, SENTENCES)

    assert {template_key(node, fails=True) for node in nodes(kind)} <= own.keys()


def test_a_condition_needs_a_template_for_its_negation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own: Any = templates("en", SENTENCES)
    monkeypatch.delitem(own, "Covers.all_fails")

    with pytest.raises(KeyError, match=r"Covers\.all_fails"):
        printed(book("germany"))


def test_all_classes_are_covered() -> None:
    assert len(CLASSES) > 90
    assert set(get_args(m.Stmt)) < set(CLASSES)
    assert set(FORMS) <= {*CLASSES, *TYPES}


def test_a_class_without_form_and_template_cannot_be_printed() -> None:
    @attrs.frozen
    class Strange(m.Part): ...

    assert unprintable_names([*CLASSES, Strange]) == ["Strange"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_has_a_template(language: str) -> None:
    names = {kind.__name__ for kind in TYPES}

    assert sorted(names - templates(language, SENTENCES).keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("section", [SENTENCES, PHRASES, PREPOSITIONS])
def test_every_language_has_them_all(section: str, language: str) -> None:
    english = templates("en", section)
    path = WORDS / f"{language}.toml"
    own = path.read_text(encoding="utf-8")

    for key, template in english.items():
        assert re.search(rf'(?m)^"?{re.escape(key)}"? =', own), key
        told = set(GAP.findall(templates(language, section)[key]))
        assert gapless(told) == gapless(set(GAP.findall(template))), key


def gapless(gaps: set[str]) -> set[str]:
    """Return the gaps, without distinguishing single things from lists."""
    return {gap.removesuffix("s") for gap in gaps}


@pytest.mark.parametrize("language", LANGUAGES)
def test_corrections_are_valid_patterns(language: str) -> None:
    for pattern in templates(language, POLISH):
        assert re.compile(pattern).groups <= 2
