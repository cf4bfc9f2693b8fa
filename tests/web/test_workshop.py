"""Workshop: changed rules are checked, tried on the game, and applied if valid."""

import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

import rulebook
from interpreter import Game
from rulebook import tooling
from tests.web.deciding import play
from tests.web.visiting import DARE, SCRIPT, Made, Server, played, serving, with_server
from workbench.editor.completion_items import completion_items
from workbench.files.library.loading import load
from workbench.web.app import create_app
from workbench.web.host import Host, HostLimits
from workbench.web.keys import OWNER, WATCH
from workbench.web.sessions import RequestDenied
from workbench.web.storage.table_errors import RulesChanged
from workbench.web.store import Store, texts_digest
from workbench.web.workshop import rules_editor
from workbench.web.workshop.trial_verdicts import VerdictReader, game_verdict

TEXT = Path(DARE).read_text(encoding="utf-8")
LONGER = TEXT.replace("turns 4", "turns 9")
ROLLS_A_ONE_FIRST = 9
"""Seed with which the first roll of a game is a 1, and the next ones are not."""
OTHER_DICE = TEXT.replace("dice die: 1 to 3", "dice die: 1 to 1")
WRONG = TEXT.replace("die: move", "dei: move")


async def sent(
    browser: httpx.AsyncClient, made: Made, where: str, text: str, **more: Any
) -> httpx.Response:
    """Return the response to a changed text."""
    document = {
        "texts": {"dare": text},
        "rules": texts_digest(made.table.texts),
        **more,
    }
    place = f"{made.home}workshop/{where}"
    return await browser.post(place, content=json.dumps(document), headers=SCRIPT)


# ---------------------------------------------------------------- checked texts


@with_server()
async def test_diagnostics_agree_with_check(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    told = (await sent(browser, made, "check", WRONG)).json()
    _, there = rulebook.examine_text(WRONG, "dare.rules")
    assert told["diagnostics"] == [each.to_json() for each in there]
    assert not told["plans"]
    good = (await sent(browser, made, "check", LONGER)).json()
    assert good["plans"]
    assert good["diagnostics"] == []


@with_server()
async def test_completions_agree_with_other_editors(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    text = f"{TEXT}\nsetup\n  set your "
    place = {"file": "dare", "at": len(text)}
    told = (await sent(browser, made, "complete", f"{text}\n", **place)).json()
    book = load(DARE)
    things = rulebook.uses_in(book.files, book, rulebook.Desk()).things
    here = completion_items(things, book, "dare.rules", "setup\n  set your ")
    names = [item["name"] for item in told["items"]]
    assert names and names == [item.name for item in here]
    for wrong in ({"file": "base", "at": 1}, {"file": "dare", "at": "1"}):
        answer = await sent(browser, made, "complete", text, **wrong)
        assert answer.status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        '{"texts": 1}',
        '{"texts": {"dare": 1}}',
        '{"texts": {"../dare": "x"}}',
        '{"texts": {"base": "x"}}',
    ],
)
@with_server()
async def test_rejects_an_invalid_edit_request(server: Server, body: str) -> None:
    made = await server.table()
    browser = await made.sat(OWNER)
    for to in ("check", "complete", "apply"):
        place = f"{made.home}workshop/{to}"
        answer = await browser.post(place, content=body, headers=SCRIPT)
        assert answer.status_code == 400


@with_server()
async def test_rejects_a_text_that_is_far_too_long(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(OWNER)
    answer = await sent(browser, made, "check", "#" * 1_000_000)
    assert answer.status_code == 413


@with_server()
async def test_only_files_of_the_game_are_shown(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(WATCH)
    place = f"{made.home}workshop/file"
    told = (await browser.get(place, params={"name": "dare"})).json()
    assert told["text"] == TEXT
    for name in ("base", "../dare", "/etc/passwd", ""):
        answer = await browser.get(place, params={"name": name})
        assert answer.status_code == 404


@with_server()
async def test_workshop_requires_a_link(server: Server) -> None:
    made, stranger = await server.table(), server.browser()
    assert (await stranger.get(f"{made.home}workshop")).status_code == 404
    for to in ("check", "complete", "apply", "save"):
        answer = await sent(stranger, made, to, LONGER)
        assert answer.status_code == 404


@played
async def test_page_has_no_scripts_in_titles(tmp_path: Path) -> None:
    path = tmp_path / "hostile.rules"
    title = "<script>alert(1)</script>"
    path.write_text(TEXT.replace('"Dare"', f'"{title}"'), encoding="utf-8")
    async with serving(tmp_path, games=(str(path),)) as server:
        made = await server.table(str(path))
        await play(made, 4)
        browser = await made.sat(OWNER)
        for name in ("workshop", "replay"):
            answer = await browser.get(f"{made.home}{name}")
            assert answer.status_code == 200
            assert "&lt;script&gt;alert" in answer.text
            assert title not in answer.text
            assert " style=" not in answer.text
            assert " on" + "click=" not in answer.text
            assert "'unsafe" not in answer.headers["content-security-policy"]


@with_server()
async def test_highlighted_keywords_come_from_the_grammar(server: Server) -> None:
    made = await server.table()
    page = (await (await made.sat(WATCH)).get(f"{made.home}workshop")).text
    begin = page.partition('id="start">')[2].partition("</script>")[0]
    words = json.loads(begin)["grammar"]["begin"]
    assert set(tooling.clause_words()) <= set(words)
    assert "needs" in words


# ---------------------------------------------------------------- trial and application


@with_server()
async def test_only_the_owner_can_apply_changes(server: Server) -> None:
    made = await server.table()
    await play(made, 6)
    digest, version = made.table.book.digest, made.table.version
    for who in (made.due, WATCH):
        browser = await made.sat(who)
        assert (await sent(browser, made, "apply", LONGER)).status_code == 403
        told = (await sent(browser, made, "check", LONGER, **{"try": True})).json()
        assert told["verdict"] is None
    assert (made.table.book.digest, made.table.version) == (digest, version)


@played
async def test_game_continues_under_applied_rules(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        made = await server.table()
        await play(made, 6)
        owner = await made.sat(OWNER, made.due)
        version, events = made.table.version, list(made.table.game.events)
        told = (await sent(owner, made, "apply", LONGER)).json()
        assert told["applied"]
        table = await server.host.get_any_table(made.table.id)
        assert table.texts == {"dare": LONGER}
        assert table.version > version
        assert [event.content for event in table.state.events][: len(events)] == events
        assert table.notices[-1].key == "rules"
        assert (await owner.get(f"{made.home}workshop")).text.count("turns 9") == 1
        assert (await owner.get(made.home)).status_code == 200

    again = Host(
        Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}"), HostLimits(bot_delay=0)
    )
    assert create_app(again)

    async def rebuilt() -> Any:
        return await again.get_table(made.table.id)

    table = await rebuilt()
    assert table.book.digest == rulebook.loads(LONGER).digest
    await again.close()


@played
async def test_a_changed_default_takes_effect(tmp_path: Path) -> None:
    option = "option most (1 to 9): 4\n"
    first = TEXT.replace("cards omen", f"{option}cards omen", 1)
    path = tmp_path / "chosen.rules"
    path.write_text(first, encoding="utf-8")
    async with serving(tmp_path, games=(str(path),)) as server:
        made = await server.table(str(path))
        await play(made, 4)
        owner = await made.sat(OWNER)
        changed = first.replace("(1 to 9): 4", "(1 to 9): 7")
        document = {
            "texts": {"chosen": changed},
            "rules": texts_digest(made.table.texts),
        }
        place = f"{made.home}workshop/apply"
        told = (await owner.post(place, json=document, headers=SCRIPT)).json()
        assert told["applied"]
        table = await server.host.get_any_table(made.table.id)
        assert table.header["options"]["most"] == 7


@with_server()
async def test_first_invalid_event_is_reported(server: Server) -> None:
    made = await server.table(seed=ROLLS_A_ONE_FIRST)
    await play(made, 6)
    owner = await made.sat(OWNER, made.due)
    await owner.get(made.home)  # notifies all of the owner's link
    digest, version = made.table.book.digest, made.table.version
    told = (await sent(owner, made, "apply", OTHER_DICE)).json()
    assert not told["applied"]
    assert not told["verdict"]["holds"]
    events = made.table.game.events
    wrong = next(
        number
        for number, event in enumerate(events, 1)
        if event.get("chance") == "play" and event["outcome"] not in (1, [1])
    )
    assert wrong > 1
    assert told["verdict"]["steps"] == wrong - 1
    assert str(wrong - 1) in told["verdict"]["heading"]
    assert any("dice.die" in line for line in told["verdict"]["lines"])
    assert made.table.book.digest == digest
    assert made.table.version == version


@with_server()
async def test_rules_with_errors_are_not_applied(server: Server) -> None:
    made = await server.table()
    owner = await made.sat(OWNER)
    told = (await sent(owner, made, "apply", WRONG)).json()
    assert not told["applied"]
    assert told["diagnostics"]
    assert made.table.book.digest == rulebook.loads(TEXT).digest


@with_server()
async def test_outdated_edit_does_not_revert_changes(server: Server) -> None:
    """It undoes no change that was applied while the page was open or the
    request ran.
    """
    made = await server.table()
    owner, begun = await made.sat(OWNER), texts_digest(made.table.texts)
    assert (await sent(owner, made, "apply", LONGER)).json()["applied"]
    named = TEXT.replace('"Dare"', '"Dared"')
    for where in ("check", "apply"):
        answer = await sent(owner, made, where, named, rules=begun)
        assert answer.status_code == 409
        assert answer.json()["refused"]["key"] == "other_rules"
    assert made.table.texts == {"dare": LONGER}
    with pytest.raises(RulesChanged):
        await server.host.change_rules(
            made.table.id, {"dare": TEXT}, {}, base_digest=begun
        )
    assert made.table.texts == {"dare": LONGER}


@with_server()
async def test_new_table_continues_from_the_last_valid_event(server: Server) -> None:
    made = await server.table()
    await play(made, 6)
    owner = await made.sat(OWNER, "left", "right")
    asked = f"{made.home}workshop/apply?seat=left"
    document = {
        "texts": {"dare": OTHER_DICE},
        "rules": texts_digest(made.table.texts),
        "to": "new",
    }
    answer = await owner.post(asked, json=document, headers=SCRIPT)
    address = answer.json()["address"]
    table = await server.host.get_any_table(address.split("/")[2])
    assert table.texts == {"dare": OTHER_DICE}
    assert (await owner.get(address)).status_code == 200


@with_server()
async def test_new_table_must_not_reveal_hidden_information(server: Server) -> None:
    made = await server.table()
    await play(made, 6)
    owner = await made.sat(OWNER, made.due)
    answer = await sent(owner, made, "apply", OTHER_DICE, to="new")
    assert answer.status_code == 409


# ---------------------------------------------------------------- permitted information


def trial(**more: Any) -> dict[str, Any]:
    """Return a possible trial result of a worker."""
    difference = {"kind": "effect", "event": 3, "step": 3, "sentence": "SECRET"}
    told = {"holds": False, "steps": 2, "changes": [], "clauses": ["rule.x"]}
    return {**told, "difference": difference, **more}


def test_hidden_reasons_are_shown_only_to_readers_who_see_all() -> None:
    rng, game = random.Random(1), Game.start(load("germany"), seed=1)
    while game.steps < 5:
        game.apply(rng.choice(game.legal_actions()))
    hidden = game_verdict(
        trial(), VerdictReader(game, "red", knows_all=False, language="en")
    )
    whole = game_verdict(
        trial(), VerdictReader(game, "red", knows_all=True, language="en")
    )
    assert "SECRET" not in json.dumps(hidden)
    assert "SECRET" in json.dumps(whole)
    for told in (hidden, whole):
        assert told["heading"] == "The game is valid up to event 2"
        assert any("rule.x" in line for line in told["lines"])


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_kind_of_difference_has_a_phrase(language: str) -> None:
    from workbench.analysis.impact.dual_replay import DifferenceKind

    game = Game.start(load("germany"), seed=1)
    reader = VerdictReader(game, None, knows_all=False, language=language)
    said = set()
    for kind in DifferenceKind:
        difference = {**trial()["difference"], "kind": str(kind), "event": 1}
        said.add(
            json.dumps(game_verdict(trial(difference=difference), reader)["lines"])
        )
    assert len(said) == len(DifferenceKind)


# ---------------------------------------------------------------- saved


@with_server()
async def test_saving_requires_a_folder(server: Server) -> None:
    made = await server.table()
    owner = await made.sat(OWNER)
    assert (await sent(owner, made, "save", LONGER)).status_code == 403


@played
async def test_applied_rules_are_saved_and_can_be_saved_again(
    tmp_path: Path,
) -> None:
    """The page sends differences from the rules in force, possibly none."""
    folder = tmp_path / "rules"
    folder.mkdir()
    async with serving(tmp_path, save_folder=folder) as server:
        made = await server.table()
        owner, path = await made.sat(OWNER), folder / "dare.rules"
        assert (await sent(owner, made, "apply", LONGER)).json()["applied"]
        for text, saved in (
            (LONGER, ["dare.rules"]),
            (LONGER, []),
            (TEXT, [path.name]),
        ):
            told = (await sent(owner, made, "save", text)).json()
            assert told["saved"] == saved
            assert path.read_text(encoding="utf-8") == text
        path.write_text("# mine\n", encoding="utf-8")
        refused = await sent(owner, made, "save", LONGER)
        assert refused.json()["refused"]["key"] == "other_file"
        assert path.read_text(encoding="utf-8") == "# mine\n"


def test_saving_keeps_unrelated_files(tmp_path: Path) -> None:
    base, folder = {"dare": TEXT}, tmp_path / "rules"
    folder.mkdir()
    path = folder / "dare.rules"
    assert rules_editor.save_files(folder, {"dare": LONGER}, base) == ["dare.rules"]
    assert path.read_text(encoding="utf-8") == LONGER
    path.write_text(TEXT, encoding="utf-8")
    rules_editor.save_files(folder, {"dare": LONGER}, base)
    assert path.read_text(encoding="utf-8") == LONGER
    path.write_text("# mine\n", encoding="utf-8")
    with pytest.raises(RequestDenied):
        rules_editor.save_files(folder, {"dare": LONGER}, base)
    assert path.read_text(encoding="utf-8") == "# mine\n"
    assert [each.name for each in folder.iterdir()] == ["dare.rules"]
