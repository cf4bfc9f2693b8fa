"""Clauses cite the section that contains them, unless they have other citations."""

import pytest

import rulebook
from rulebook import Cite, Rulebook, RulesError
from rulebook.parse import parse
from rulebook.syntax import FieldsClause
from rulebook.write import write
from rulebook.write.format import format_text

HEAD = """\
rules language 1
rulebook town "Town"
  players 2
  source en "The rules"
  source de "Die Regel"
  source own "What we agreed"

headings en, de
  "Building" | "Bauen"
  "Trade"    | "Handel"
  "End"      | -
"""
REST = """
section "End"

action stay
  needs calm: yes "no"
turn
  phase all
    you may do stay
"""
EN, DE = Cite("en", "Building"), Cite("de", "Bauen")
TRADE, HANDEL = Cite("en", "Trade"), Cite("de", "Handel")
OWN = Cite("own", "1")


def book(rules: str) -> Rulebook:
    return rulebook.loads(HEAD + rules + REST)


def cites(rules: str, name: str) -> tuple[Cite, ...]:
    return book(rules).clauses[name].cites


@pytest.mark.parametrize(
    ("section", "line", "expected"),
    [
        ('section "Building"', "", (EN, DE)),
        ('section "Bauen"', "", (EN, DE)),
        ('section "End"', "", (Cite("en", "End"),)),
        ('section "Building", "Trade"', "", (EN, TRADE, DE, HANDEL)),
        (
            'section "Building", example',
            "",
            (Cite("en", "Building", example=True), Cite("de", "Bauen", example=True)),
        ),
        ('section "Ours" [ours]', "", ()),
        ('section "Ours" [own "1"]', "", (OWN,)),
        ('section "Building" [also own "1"]', "", (EN, DE, OWN)),
        ('section "Building" [also "Trade"]', "", (EN, DE, TRADE, HANDEL)),
        ('section "Building"', '["Trade"]', (TRADE, HANDEL)),
        ('section "Building"', '[own "1"]', (OWN,)),
        ('section "Building"', '["Trade"] [own "1"]', (TRADE, HANDEL, OWN)),
        ('section "Building"', '[also own "1"]', (EN, DE, OWN)),
        ('section "Building"', '[also "Building"]', (EN, DE)),
        ('section "Building"', "[2, 3]", (Cite("en", "Building", sentences=(2, 3)),)),
        (
            'section "Building"',
            "[also 2, example]",
            (EN, DE, Cite("en", "Building", example=True, sentences=(2,))),
        ),
        ('section "Building"', '["Trade" 1]', (Cite("en", "Trade", sentences=(1,)),)),
        ('section "Building"', "[ours]", ()),
        ("", '["Trade"]', (TRADE, HANDEL)),
        ("", "", ()),
    ],
)
def test_a_clause_cites_its_section(
    section: str, line: str, expected: tuple[Cite, ...]
) -> None:
    assert cites(f"{section}\nkind mood: calm, wild {line}\n", "kind.mood") == expected


def test_the_nearest_heading_applies() -> None:
    rules = """
section "Building"
action build   ["Trade"]
  needs one: yes "no"
  needs two: yes "no"  ["End"]
  needs three: yes "no"  [also own "1"]
action rest
  needs one: yes "no"
  needs two: yes "no" [also "Trade"]
"""
    actions = book(rules).model.actions

    assert [requirement.cites for requirement in actions["build"].requirements] == [
        (TRADE, HANDEL),
        (Cite("en", "End"),),
        (TRADE, HANDEL, OWN),
    ]
    assert [requirement.cites for requirement in actions["rest"].requirements] == [
        (EN, DE),
        (EN, DE, TRADE, HANDEL),
    ]


def test_clauses_under_a_heading_may_have_their_own_citations() -> None:
    rules = """
section "Building"
kind good: wood, clay
costs
  hut: 1 wood
  barn: 2 wood ["Trade"]
game has
  height: 0 to 9
  depth: 0 to 9  [also own "1"]
"""
    town = book(rules)

    assert town.clauses["cost.hut"].cites == (EN, DE)
    assert town.clauses["cost.barn"].cites == (TRADE, HANDEL)
    height, depth = (town.clauses[f"game.{name}"].node for name in ("height", "depth"))
    assert isinstance(height, FieldsClause)
    assert isinstance(depth, FieldsClause)
    assert height.fields[0].cites == (EN, DE)
    assert depth.fields[0].cites == (EN, DE, OWN)


def test_amendments_cite_their_section() -> None:
    base = HEAD + REST
    over = """\
rules language 1
rulebook over "Over"
  extends town

section "Trade"

in action stay
  replace needs calm: yes  "no"
  add needs cold: yes  "no"  [also "End"]

replace turn
  phase all  [own "1"]
    you may do stay
"""
    laid_over = rulebook.loads(over, "over", {"town": base}.get)

    needs = laid_over.model.actions["stay"].requirements
    assert [need.cites for need in needs] == [
        (TRADE, HANDEL),
        (TRADE, HANDEL, Cite("en", "End")),
    ]
    assert laid_over.clauses["action.stay"].cites == (Cite("en", "End"),)
    assert laid_over.clauses["phase.all"].cites == (OWN,)


def test_a_section_ends_with_its_file() -> None:
    game = HEAD.replace("  players 2\n", "  players 2\n  comes with scenarios\n") + REST
    beside = """\
rules language 1
scenarios of town

scenario "nothing"
  then
    require yes

section "Building", example

scenario "everything"
  then
    require yes
"""
    town = rulebook.loads(game, "town", {"town.scenarios": beside}.get)

    assert [scenario.cites for scenario in town.model.scenarios] == [
        (),
        (Cite("en", "Building", example=True), Cite("de", "Bauen", example=True)),
    ]


def test_a_single_source_needs_no_headings() -> None:
    text = (HEAD + REST).split("headings")[0].replace('  source de "Die Regel"\n', "")
    text = text.replace('  source own "What we agreed"\n', "") + REST

    assert rulebook.loads(text).clauses["action.stay"].cites == (Cite("en", "End"),)


def test_headings_of_a_single_source() -> None:
    rules = (
        HEAD.split("headings", maxsplit=1)[0]
        + 'headings en\n  "End"  # last\n  "Trade"\n'
    )

    town = rulebook.loads(rules + REST)

    assert town.clauses["action.stay"].cites == (Cite("en", "End"),)
    with pytest.raises(RulesError, match="RB172: there is no heading `Trad`"):
        rulebook.loads(rules + 'section "Trad"\n' + REST)


def test_a_heading_of_the_file_itself_comes_first() -> None:
    below = 'rules language 1\nrulebook lib "Lib"\n  source old "Old"\n'
    below += 'headings old\n  "Trade"\n  "Start"\nsection "Trade"\nkind good: wood\n'
    game = HEAD.replace("  players 2\n", "  players 2\n  extends lib\n")
    rules = game + 'section "Trade"\nkind a: b\nkind c: d ["Start"]\n' + REST

    town = rulebook.loads(rules, "game", {"lib": below}.get)

    assert town.clauses["kind.a"].cites == (TRADE, HANDEL)
    assert town.clauses["kind.c"].cites == (Cite("old", "Start"),)
    assert town.clauses["kind.good"].cites == (Cite("old", "Trade"),)


LIBRARY = """\
rules language 1
rulebook common "Common"
  extends deep
action stay ["Here"]
  needs calm: yes "no"
  needs warm: yes "no"
"""
DEEP = 'rules language 1\nrulebook deep "Deep"\n  source lib "A"\nkind sort: one\n'
GAME = (
    HEAD.replace("  players 2\n", "  players 2\n  extends common\n")
    + """
section "Trade"

as in common
  stay, sort "as ever"
  stay.warm   ["Building"]

kind good: wood
turn
  phase all
    you may do stay
"""
)


def test_citations_given_for_a_library() -> None:
    town = rulebook.loads(GAME, "game", {"common": LIBRARY, "deep": DEEP}.get)

    assert town.clauses["action.stay"].cites == (TRADE, HANDEL, Cite("lib", "Here"))
    assert town.clauses["kind.sort"].cites == (TRADE, HANDEL)
    calm, warm = town.model.actions["stay"].requirements
    assert calm.cites == (TRADE, HANDEL, Cite("lib", "Here"))
    assert warm.cites == (EN, DE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("stay, sort", "stay, sorts", "there is no clause `sorts` to cite"),
        ("stay, sort", "stay, good", "`good` is not declared in `common`"),
        ("as in common", "as in deep", "`stay` is not declared in `deep`"),
        ("as in common", "as in comon", "this game does not extend a file `comon`"),
    ],
)
def test_rejects_citations_of_missing_library_clauses(
    old: str, new: str, message: str
) -> None:
    with pytest.raises(RulesError) as caught:
        rulebook.loads(
            GAME.replace(old, new), "game", {"common": LIBRARY, "deep": DEEP}.get
        )

    assert caught.value.diagnostics[0].code == "RB163"
    assert caught.value.diagnostics[0].message == message


@pytest.mark.parametrize(
    ("rules", "place", "message"),
    [
        ('section "Bulding"\n', (12, 1), "there is no heading `Bulding`"),
        (
            'section "Trade"\nkind a: b ["Bulding"]\n',
            (13, 11),
            "there is no heading `Bulding`",
        ),
        (
            "kind a: b [2]\n",
            (12, 11),
            "these sentences need a section above them",
        ),
        (
            'section "Trade"\naction a\n  needs b: yes "c" [ours]\n',
            (14, 20),
            "`[ours]` applies to a clause or a section, not to a line",
        ),
    ],
)
def test_rejects_malformed_passages(
    rules: str, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(RulesError) as caught:
        book(rules)

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("RB172", message)
    assert (diagnostic.span.line, diagnostic.span.column) == place


def test_rejects_headings_that_do_not_fit() -> None:
    with pytest.raises(RulesError, match="RB022: this row has 3 headings"):
        rulebook.loads(HEAD + '  "A" | "B" | "C"\n' + REST)


def test_citations_do_not_affect_the_digest() -> None:
    rules = 'section "Building"\nkind mood: calm, wild [also own "1"]\n'
    bare = "kind mood: calm, wild\n"

    assert book(rules).digest == book(bare).digest


TIDY = """\
rules language 1
headings en, de
  "Building" | "Bauen"
  "Trade"    | "Handel"                                         # on the market
  "End"      | -
headings own
    "1"
    "2"

section "Building", example                                     [also own "1"]

as in common
  stay, sort       "as ever"
  stay.warm, cold  "as never"                                   [2, 3]
  one              "as it was"
  a_name
"""


def test_formatting_and_writing_preserve_sections() -> None:
    messy = TIDY.replace("    |", "|").replace('"  ', '" ').replace("      ", " ")
    tidy = format_text(messy, "t")
    tree = parse(tidy, "t").file
    assert tree is not None

    assert format_text(tidy, "t") == tidy
    assert parse(write(tree), "t").file == tree
    assert messy != TIDY
    assert tidy == TIDY
