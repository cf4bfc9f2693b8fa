"""The log tells what happened in the words of the rules, as each reader knows it."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Game
from rulebook import Rulebook, RulesError, loads
from tests.support.games import germany, localizer
from workbench import load
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import DEPTH, EventLog, entry_lines
from workbench.presentation.narration.gap_values import GapValues
from workbench.presentation.narration.questions import (
    decision_question,
    gather_question,
    parameter_question,
)

RULES = """rules language 1
rulebook thieves "Thieves"
  players 3
  seats red, blue, green
  turns 30

kind good
  good | origin
  salt | mine
  silk | worm
kind origin: mine, worm

each player has
  pack: bag of good, seen by owner, starts with 3 of each
  fence: bag of good, seen by all
  wounds: 0 to 9, seen by all, starts at 0

action rob(player victim)
  needs other: victim is not you  "you cannot rob yourself"
  step loot: move a random card from victim's pack to your pack

action boast
  increase your wounds by up to 1

turn
  phase night
    step act: you do rob, boast
  phase day
    you gather 1 to 2 good in your pack as sold
    if your pack has sold: move sold from your pack to your fence

rule victory
  whenever your wounds = 9: you win

questions en
  night      = "What do you do tonight?"
  rob.victim = "Whom do you rob?"
  sold       = "Which {count} goods do you sell, {you}?"

reports en
  rob   = "{you} stole {loot} from {victim}.", "{you} robbed {victim}."
  boast = "{you} has {your wounds} wounds and boasts."
  sold  = "{you} sold {sold}."
"""


@pytest.fixture(scope="module")
def thieves() -> Rulebook:
    return loads(RULES)


def played(book: Rulebook, *actions: object, engine: str = "auto") -> Game:
    game = Game.start(book, seed=1, chance="given", engine=engine)
    for action in actions:
        game.apply(action)
    return game


def lines(game: Game, reader: str | None, language: str = "en") -> list[str]:
    words = Localizer(language, game.book)
    log = EventLog(words, reader)
    log.update(game)
    return list(entry_lines(log.entries, words))


STOLEN = {"chance": "loot", "outcome": "silk"}


def test_a_report_has_the_outcome_only_for_those_who_know_it(thieves: Rulebook) -> None:
    game = played(thieves, "rob(blue)", STOLEN)

    assert lines(game, "red") == ["  red stole silk from blue."]
    assert lines(game, "blue") == ["  red stole silk from blue."]
    for reader in ("green", None):
        assert lines(game, reader) == [
            "  red robbed blue.",
            "    red got 1 card · blue lost 1 card",
        ]


def test_a_gap_shows_a_column_of_a_member() -> None:
    named = "stole {loot} from"
    text = RULES.replace(named, "stole {loot} of a {loot's origin} from")
    game = played(loads(text), "rob(blue)", STOLEN)

    assert lines(game, "red") == ["  red stole silk of a worm from blue."]


def test_a_bag_of_which_only_the_number_is_known_is_not_shown() -> None:
    texts = '"{you} boasts with {your pack}.", "{you} boasts."'
    text = RULES.replace('"{you} has {your wounds} wounds and boasts."', texts)
    game = played(loads(text), "boast")

    assert lines(game, "red") == ["  red boasts with 3 salt and 3 silk."]
    assert lines(game, "blue") == ["  red boasts."]


SECRETS = """rules language 1
rulebook secrets "Secrets"
  players 2
  seats red, blue
  turns 9

kind good: salt, silk

game has
  pick: good or none, seen by all

each player has
  kept: good or none, seen by owner

turn
  phase day
    set pick to salt
    you choose good pick
    set your kept to pick

rule end
  whenever (no player where player's kept is none): nobody wins

reports en
  choose_pick = "{you} chose {pick}.", "{you} chose in secret."
"""


def test_a_hidden_choice_does_not_show_a_field_of_its_name() -> None:
    game = played(loads(SECRETS), "choose_pick(silk)")

    assert lines(game, "red") == ["  red chose silk."]
    assert lines(game, "blue") == ["  red chose in secret."]


def test_an_owner_in_a_gap_is_an_outcome_too() -> None:
    text = RULES.replace("stole {loot} from", "stole a {loot's origin} good from")

    assert lines(played(loads(text), "rob(blue)", STOLEN), "red") == [
        "  red stole a worm good from blue."
    ]


@pytest.mark.parametrize(
    ("template", "stolen"),
    [("{origin} goods", "worm goods"), ("{maker}", "good of silk")],
)
def test_the_third_text_of_a_kind_names_its_members(template: str, stolen: str) -> None:
    kinds = """kind good
  good | origin | maker
  salt | mine   | well
  silk | worm   | red_spring
kind maker
  maker      | product
  well       | salt
  red_spring | silk
"""
    words = f"""words en
  good  = "good", "goods", "{template}"
  maker = "maker", "makers", "good of {{product}}"
"""
    text = RULES.replace(
        RULES[RULES.index("kind good") : RULES.index("kind origin")], kinds
    )
    game = played(loads(f"{text}\n{words}"), "rob(blue)", STOLEN)

    (line,) = lines(game, "red")

    assert line == f"  red stole {stolen} from blue."


def test_picked_cards_are_one_event(thieves: Rulebook) -> None:
    game = played(thieves, "boast", "sold(salt)", "sold(silk)")

    assert lines(game, "red")[-1] == "  red sold 1 salt and 1 silk."


def test_picks_are_told_when_they_are_finished(thieves: Rulebook) -> None:
    game = played(thieves, "boast", "sold(salt)")
    before = lines(game, "red")
    game.apply("pass")

    assert lines(game, "red") == [*before, "  red sold 1 salt."]


def test_gaps_show_values_before_the_event(thieves: Rulebook) -> None:
    game = played(thieves, "boast")

    assert lines(game, "red") == ["  red has 0 wounds and boasts."]


def test_titles_are_told_in_a_language_without_reports(thieves: Rulebook) -> None:
    game = played(thieves, "boast", "sold(salt)", "pass")

    assert lines(game, "red", "de") == ["  red: boast", "  red: sold: 1 salt"]


def test_questions_come_from_the_clause_the_parameter_or_the_choice(
    thieves: Rulebook,
) -> None:
    words, game = Localizer("en", thieves), played(thieves)

    assert question(game, words) == "What do you do tonight?"
    assert parameter_question("rob", "victim", words) == "Whom do you rob?"
    game.apply("boast")
    assert question(game, words) == "Which 1–2 goods do you sell, red?"
    assert parameter_question("rob", "victim", Localizer("de", thieves)) == "player?"


def test_a_step_has_a_question_and_the_active_player_is_a_value() -> None:
    rules = RULES.replace("  night      = ", "  night.act  = ")
    book = loads(rules.replace("What do you do", "{active_player}, what do you do"))

    assert question(played(book), Localizer("en", book)) == (
        "red, what do you do tonight?"
    )


def test_a_parameter_has_no_question_about_the_whole_decision(
    thieves: Rulebook,
) -> None:
    assert parameter_question("sold", "good", Localizer("en", thieves)) == "Which good?"


def question(game: Game, words: Localizer) -> str:
    seat = str(game.to_act)
    return decision_question(game, seat, game.view(seat), words)


@pytest.mark.parametrize("name", ["germany", "cardgame"])
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_log_is_the_same_during_play_and_afterwards(name: str, engine: str) -> None:
    book, numbers = load(name), Random(5)
    game = Game.start(book, seed=5, engine=engine)
    seats = (*game.seats, None)
    live = [EventLog(Localizer("en", book), seat) for seat in seats]
    for _ in range(DEPTH // 2):
        game.apply(numbers.choice(game.legal_actions(game.to_act)))
        for log in live:
            log.update(game)

    for log in live:
        again = EventLog(Localizer("en", book), log.reader)
        again.update(game)
        assert again.entries == log.entries[-len(again.entries) :]
        assert len(again.entries) > DEPTH // 8


def test_an_undo_removes_events() -> None:
    game = Game.start(germany(), seed=1)
    log = EventLog(localizer("en"), "red")
    log.update(game)
    before, earlier = list(log.entries), game.copy()
    game.apply("end_turn")
    log.update(game)
    assert log.entries[: len(before)] == before
    assert len(log.entries) > len(before)

    log.update(earlier)

    assert log.entries == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  boast = ", "  boost = ", "unknown event `boost`"),
        ("  night      = ", "  nigth      = ", "unknown decision `nigth`"),
        ("  boast = ", "  night = ", "unknown event `night`"),
        ("  boast = ", "  night.sold = ", "`night` has no choice `sold`"),
        (
            "  rob.victim = ",
            "  rob.victims = ",
            "`rob` has no parameter, choice or step `victims`",
        ),
        ("{you} sold {sold}", "{you} sold {sol}", "unknown value `sol`"),
        ("{your wounds}", "{your wound}", "unknown field `wound`"),
        ("{your wounds}", "{your pack}", "`pack` may be hidden from some players"),
        (', "{you} robbed {victim}."', "", "`loot` may be hidden from some players"),
        ("{you} sold", "{you sold", "this is not a gap"),
        (
            "questions en",
            'words en\n  good = "good", "goods", "{size}"\n\nquestions en',
            "unknown column `size`",
        ),
    ],
)
def test_a_wrong_text_is_an_error(old: str, new: str, message: str) -> None:
    assert old in RULES

    with pytest.raises(RulesError) as caught:
        loads(RULES.replace(old, new))

    assert [each.message for each in caught.value.diagnostics] == [message]


def test_a_house_rule_may_remove_what_a_text_is_about(thieves: Rulebook) -> None:
    house = (
        'rules language 1\nrulebook quiet "Quiet"\n  extends thieves\n\n'
        "remove action boast\n\nin phase night\n  replace step act: you do rob\n"
    )

    book = loads(house, resolve={"thieves": RULES}.get)

    assert "boast" not in book.model.actions


def test_a_clause_has_its_own_report_of_a_choice() -> None:
    book = loads(RULES.replace("  sold  = ", "  day.sold = "))

    game = played(book, "boast", "sold(salt)", "pass")

    assert lines(game, "red")[-1] == "  red sold 1 salt."


HIDING = """
  phase dusk
    you choose good kept in your pack
    move 1 kept from your pack to your chest
    you choose good kept in your chest
    move 1 kept from your chest to your pack

rule victory"""


def test_a_hidden_choice_has_the_report_without_its_value() -> None:
    rules = RULES.replace("\nrule victory", HIDING)
    rules = rules.replace("  fence:", "  chest: bag of good, seen by owner\n  fence:")
    book = loads(
        f'{rules}  choose_kept = "{{you}} hid {{kept}}.", "{{you}} hid one."\n'
    )
    game = played(book, "boast", "sold(salt)", "pass")
    game.apply("choose_kept(salt)")
    game.apply("choose_kept(salt)")

    assert lines(game, "red")[-1] == "  red hid salt. × 2"
    assert lines(game, None)[-1] == "  red hid one. × 2"


def test_a_report_is_about_outcomes_in_all_its_texts(thieves: Rulebook) -> None:
    rules = RULES + '  loot = "{you} found {loot}.", "{you} found something."\n'
    game = played(loads(rules), "rob(blue)", STOLEN)

    assert [line for line in lines(game, None) if line[2] != " "] == [
        "  red robbed blue."
    ]


def test_an_empty_report_leaves_an_event_out() -> None:
    book = loads(RULES.replace('"{you} has {your wounds} wounds and boasts."', '""'))

    assert lines(played(book, "boast"), "red") == []


def test_an_empty_report_of_chance_leaves_its_effects_out() -> None:
    text = 'rob   = "{you} robbed {victim}."\n  loot  = ""\n  boast'
    book = loads(RULES[: RULES.index("  rob   = ")] + f'  {text} = ""\n')

    assert lines(played(book, "rob(blue)", STOLEN), "blue") == ["  red robbed blue."]


def test_a_report_of_pass_belongs_to_a_clause() -> None:
    rules = RULES.replace("you do rob, boast", "you may do rob, boast")
    book = loads(f'{rules}  night.pass = "{{you}} slept."\n')

    game = played(book, "pass", "sold(salt)", "pass")

    assert lines(game, "red") == ["  red slept.", "  red sold 1 salt."]


def test_a_card_without_copies_has_no_number() -> None:
    cards = "cards coin\n  coin   | copies\n  ducat  |      1\n  guinea |      1\n"
    words = Localizer(
        "en", loads(RULES.replace("each player", f"{cards}\neach player"))
    )
    values = GapValues({}, "red", words, {"found": {"ducat": 1, "salt": 1}})

    assert values.fill("{you} found {found}.") == "red found ducat and 1 salt."


GATHER = """rules language 1
rulebook sale "Sale"
  players 1
  seats red

kind good (goods): salt, silk

each player has
  pack:  bag of good, seen by owner, starts with 5 of each
  fence: bag of good, seen by all

turn
  phase day
    you gather {number} good in your pack as sold
    move sold from your pack to your fence

rule end
  whenever your fence has 9 salt: nobody wins

words de
  good  = "Ware", "Waren"
  sold  = "verkaufen"
"""


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        ("1", "1 good", "1 Ware"),
        ("2", "2 goods", "2 Waren"),
        ("0 to 1", "up to 1 good", "bis zu 1 Ware"),
        ("1 to 3", "1–3 goods", "1–3 Waren"),
    ],
)
def test_a_question_counts_cards(number: str, english: str, german: str) -> None:
    """The default question does so, and gaps such as `{count good}` do."""

    def question(own: str, language: str) -> str:
        game = Game.start(loads(GATHER.format(number=number) + own), seed=1)
        words = Localizer(language, game.book)
        own = decision_question(game, "red", game.view("red"), words)
        assert game.gathering is not None
        return own or gather_question(game.gathering, words)

    own = '\nquestions en\n  sold = "Sell {count good}."\n'
    assert question(own, "en") == f"Sell {english}."
    assert question("", "en") == f"sold: choose {english}"
    assert question("", "de") == f"verkaufen – wähle: {german}"


def test_a_gap_counts_in_reports_too() -> None:
    text = RULES.replace("{your wounds} wounds", "{your wounds good}")
    words = '\nwords en\n  good = "good", "goods"\n'
    game = played(loads(text + words), "boast")

    assert lines(game, "red") == ["  red has 0 goods and boasts."]


def test_a_gap_counts_a_kind_only() -> None:
    with pytest.raises(RulesError, match="unknown kind `gods`"):
        loads(RULES.replace("{your wounds} wounds", "{your wounds gods}"))


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("victims", "did you mean `victim`?"),
        ("jewels", "write `loot` or `victim`"),
    ],
)
def test_an_unknown_part_has_a_cure(name: str, cure: str) -> None:
    with pytest.raises(RulesError) as caught:
        loads(RULES.replace("  rob.victim = ", f"  rob.{name} = "))

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.help, diagnostic.span.line) == (cure, 37)
