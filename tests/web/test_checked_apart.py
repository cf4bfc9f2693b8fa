"""Untrusted texts are checked in a separate process, with defined results."""

import asyncio
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import rulebook
from interpreter import Game
from tests.support.processes import run_process
from workbench.files.library.examples import example_text
from workbench.files.library.loading import load, shipped_text
from workbench.web.sandbox import process_limits
from workbench.web.sandbox.findings import CheckFindings
from workbench.web.sandbox.process_limits import WorkerLimits
from workbench.web.sandbox.rule_texts import load_book, texts_of
from workbench.web.sessions import RequestDenied
from workbench.web.worker_pool.pool import WorkerPool

DARE = example_text("dare")


def findings(
    texts: dict[str, str], bounds: WorkerLimits | None = None, **asked: Any
) -> CheckFindings:
    """Return the findings of a worker for some texts."""

    async def asking() -> CheckFindings:
        workers = WorkerPool(bounds)
        try:
            answer = await workers.check(texts, **asked)
        finally:
            await workers.close()
        assert answer is not None
        return answer

    return asyncio.run(asking())


def checked(
    text: str, bounds: WorkerLimits | None = None, **others: str
) -> CheckFindings:
    """Return the findings for a text, with other texts available to it."""
    return findings({"dare": text, **others}, bounds)


def only(answer: CheckFindings) -> Any:
    """Return the only diagnostic in findings for a text with errors."""
    (told,) = answer.diagnostics
    assert not answer.plans
    return told


def fenced(program: str) -> str:
    """Return the output of a program that first enters the sandbox."""
    begin = "import os, sys, subprocess, socket\nfrom pathlib import Path\n"
    begin += "from workbench.web.sandbox.process_limits import library_folders\n"
    begin += "from workbench.web.sandbox.process_limits import restrict_access\n"
    begin += "restrict_access(library_folders())\n"
    child = [sys.executable, "-c", begin + program]
    done = run_process(child)
    return done.stdout + done.stderr


# ---------------------------------------------------------------- answers


def test_valid_text_can_be_played_and_has_a_digest() -> None:
    answer = checked(DARE)
    assert answer.plans
    assert answer.diagnostics == ()
    assert answer.digest == rulebook.loads(DARE).digest


def test_error_is_reported_as_by_check() -> None:
    wrong = DARE.replace("die: move", "dei: move")
    _, there = rulebook.examine_text(wrong, "dare.rules")
    assert list(checked(wrong).diagnostics) == [each.to_json() for each in there]
    told = only(checked(wrong))
    assert wrong.splitlines()[told["line"] - 1][told["column"] - 1 :].startswith("dei")
    assert "die" in told["help"]


def test_texts_can_extend_each_other_and_shipped_files() -> None:
    over = 'rules language 1\nrulebook mine "Mine"\n  extends base, longer\n'
    more = 'rules language 1\nrulebook longer "Longer"\n  over base\n'
    more += "replace option points_to_win (3 to 15): 11\n"
    texts = {"mine": over, "longer": more}
    assert findings(texts).plans
    book = load_book("mine", texts)
    assert ": 11" in book.text_at(book.clauses["option.points_to_win"].span)
    alone = findings({"mine": over})
    assert {told["code"] for told in alone.diagnostics} == {"RB164"}


@pytest.mark.parametrize("place", ["here", "path"])
def test_text_cannot_open_other_files_of_the_server(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = 'rules language 1\nrules secret "Secret"\ndefine a_secret: 7\n'
    (tmp_path / "secret.rules").write_text(secret)
    if place == "here":
        monkeypatch.chdir(tmp_path)
    else:
        monkeypatch.syspath_prepend(tmp_path)
    answer = checked(DARE.replace("  players", "  extends secret\n  players", 1))
    assert {told["code"] for told in answer.diagnostics} == {"RB164"}
    assert "a_secret" not in json.dumps(answer.diagnostics)


@pytest.mark.parametrize("name", ["../dare", "a/b", "", "x\n", "\u202e", "a" * 300])
def test_rejects_an_invalid_file_name(name: str) -> None:
    assert findings({"dare": DARE, name: DARE}).stopped == "names"


def test_no_texts_are_refused() -> None:
    assert findings({}).stopped == "names"


# ---------------------------------------------------------------- hostile texts


def test_title_with_markup_is_unchanged() -> None:
    title = "<script>alert(1)</script>"
    assert checked(DARE.replace('"Dare"', f'"{title}"')).plans
    told = only(checked(DARE.replace('"Dare"', '"\u202etitle"')))
    assert told["code"] == "RB003"


def test_too_large_text_is_reported() -> None:
    assert only(checked(DARE + "# more\n" * 40_000))["code"] == "RB002"


def test_rejects_texts_that_are_too_long_in_total() -> None:
    many = {f"more{number}": "#" * 240_000 for number in range(8)}
    answer = findings({"dare": DARE, **many})
    assert answer.stopped == "size"
    assert only(answer)["code"] == "RB002"


def test_many_errors_are_counted_and_the_first_reported() -> None:
    wrong = DARE + "".join(f"define d{n}: nothing{n}\n" for n in range(150))
    answer = checked(wrong)
    assert len(answer.diagnostics) + answer.more >= 100
    assert len(answer.diagnostics) <= 100


def test_slow_check_is_stopped_by_wall_clock_time() -> None:
    answer = checked(DARE, WorkerLimits(seconds=0.05))
    assert answer.stopped == "time"
    assert "seconds" in only(answer)["message"]


def test_slow_check_is_stopped_by_cpu_time() -> None:
    bomb = DARE + "".join(f"define d{n} = {n}\n" for n in range(9_000))
    answer = checked(bomb, WorkerLimits(cpu=1, seconds=100))
    assert answer.stopped == "time"
    assert only(answer)["code"] == "RB152"


@pytest.mark.skipif(
    not process_limits.can_limit_memory(), reason="no limits of memory here"
)
def test_check_that_needs_too_much_memory_is_stopped() -> None:
    germany = texts_of(load("germany"))
    answer = findings(germany, WorkerLimits(memory=80 << 20))
    assert answer.stopped == "memory"
    assert "80 MiB" in only(answer)["message"]


def test_killed_worker_gives_a_clear_message(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin = asyncio.create_subprocess_exec

    async def killed(*command: Any, **settings: Any) -> Any:
        child = await begin(*command, **settings)
        asyncio.get_running_loop().call_later(0.1, child.kill)
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", killed)
    answer = checked(DARE)
    assert answer.stopped == "failure"
    assert "nothing was changed" in only(answer)["help"]
    assert "exited with status" in caplog.text


def test_a_platform_without_limits_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert WorkerPool().note is None or not process_limits.can_limit_memory()
    monkeypatch.setattr(process_limits, "system", None)
    assert WorkerPool().note == process_limits.UNLIMITED


# ---------------------------------------------------------------- sandbox


def test_sandbox_opens_no_user_file(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("private")
    for doing in (
        f"print(Path({str(tmp_path / 'mine')!r}).read_text())",
        "print(Path('/etc/passwd').read_text())",
        f"print(os.listdir({str(tmp_path)!r}))",
    ):
        told = fenced(doing)
        assert "PermissionError" in told
        assert "private" not in told
        assert "root:" not in told


def test_sandbox_writes_starts_and_sends_nothing(tmp_path: Path) -> None:
    for doing in (
        f"Path({str(tmp_path / 'new')!r}).write_text('x')",
        "Path(restrict_access.__code__.co_filename).write_text('x')",
        "subprocess.run(['true'])",
        "os.fork()",
        "socket.socket().connect(('127.0.0.1', 9))",
    ):
        assert "PermissionError" in fenced(doing)
    assert not list(tmp_path.iterdir())


def test_sandbox_can_read_the_program() -> None:
    told = fenced(
        "import workbench.analysis.impact.impact_summary, statistics; print('done')"
    )
    assert told == "done\n"


def test_worker_inherits_no_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: dict[str, Any] = {}
    begin = asyncio.create_subprocess_exec

    async def noted(*arguments: Any, **named: Any) -> Any:
        given.update(named["env"])
        return await begin(*arguments, **named)

    monkeypatch.setenv("DATABASE_PASSWORD", "hush")
    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    assert checked(DARE).plans
    assert "hush" not in given.values()
    assert os.environ["DATABASE_PASSWORD"] == "hush"


# ---------------------------------------------------------------- texts of a table


@pytest.mark.parametrize("variant", ["germany", "germany+friendly_robber"])
def test_texts_of_a_book_give_the_same_book(variant: str) -> None:
    book = load(variant)
    again = load_book("whatever", texts_of(book))
    assert again.digest == book.digest
    assert again.clauses.keys() == book.clauses.keys()


def test_without_texts_the_variant_is_loaded() -> None:
    assert load_book("base").shipped
    assert shipped_text("base") in load_book("base").files.values()


# ---------------------------------------------------------------- trial of a game


def played() -> Game:
    """Return a game after some decisions."""
    game = Game.start(rulebook.loads(DARE, "dare.rules"), seed=4)
    rng = random.Random(4)
    while game.steps < 8:
        game.apply(rng.choice(game.legal_actions()))
    return game


def trial(changed: str) -> Any:
    """Return the result of replaying the game under a changed text."""
    game = played()
    texts = texts_of(game.book)
    answer = findings({**texts, "dare": changed}, record=game.record, before=texts)
    assert answer.plans
    return answer.tried


def test_game_is_valid_under_the_same_rules() -> None:
    told = trial(DARE)
    assert told["holds"]
    assert told["changes"] == []
    assert told["difference"] is None
    assert Game.replay(told["record"], rulebook.loads(DARE)) == played()


def test_game_continues_under_rules_that_allow_it() -> None:
    changed = DARE.replace("turns 4", "turns 9")
    told = trial(changed)
    assert told["holds"]
    assert told["steps"] == told["events"] == played().steps
    again = Game.replay(told["record"], rulebook.loads(changed))
    assert again.events == played().events
    assert json.loads(told["record"].split("\n")[0])["sources"]["dare"] == changed


def test_invalid_game_is_reported_with_event_and_reason() -> None:
    changed = DARE.replace("dice die: 1 to 3", "dice die: 1 to 1")
    told = trial(changed)
    assert not told["holds"]
    wrong = told["difference"]["event"]
    head, *events = told["record"].splitlines()
    assert (
        json.loads(head)["digest"]
        != json.loads(played().record.splitlines()[0])["digest"]
    )
    assert events[: wrong - 1] == played().record.splitlines()[1:wrong]
    event = played().events[wrong - 1]
    assert event["chance"] == "play"
    assert event["outcome"] != 1
    assert told["steps"] == wrong - 1
    assert told["clauses"] == ["dice.die"]
    assert [change["clause"] for change in told["changes"]] == ["dice.die"]
    assert told["changes"][0]["new"] == ["dice die: 1 to 1"]


def test_different_effects_of_a_valid_game_are_reported() -> None:
    told = trial(DARE.replace("<= die", "< die"))
    assert told["holds"]
    assert told["difference"]["kind"] == "effect"
    assert told["clauses"] == ["action.dare_it"]


def test_a_worker_is_killed_once(caplog: pytest.LogCaptureFixture) -> None:
    """Kill a worker only once.

    Verified by manual mutation: asyncio then finds no process to wait for.
    """

    async def stopping() -> None:
        workers = WorkerPool()
        check = asyncio.create_task(workers.check({"dare": DARE}))
        while not workers.live_count:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        workers.stop_all()
        with pytest.raises(RequestDenied):
            await check
        await workers.close()

    for _ in range(4):
        asyncio.run(stopping())

    assert "Unknown child process" not in caplog.text
