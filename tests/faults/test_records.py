"""Wrong or hostile records: each is rejected or reported at its line."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from interpreter import Game, InvalidDocument, RecordError, read_document
from interpreter.documents.json_text import DEPTH_MAX, DIGITS_MAX, LENGTH_MAX
from interpreter.documents.record_lines import LINES_MAX
from rulebook import Rulebook
from tests.support.records import DARE, FILES, Output, changed, told
from workbench import load
from workbench.cli import main
from workbench.files.library.digests import shipped_rules
from workbench.files.records.record_files import MAX_RECORD_BYTES, read_record
from workbench.files.records.record_headers import header_notes, rules_of_record


def edited(record: str, number: int, line: str) -> str:
    """Return a record with one line replaced."""
    lines = record.split("\n")
    return "\n".join([*lines[: number - 1], line, *lines[number:]])


def replay_error(record: str, book: Rulebook) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Game.replay(record, book)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    assert json.dumps(caught.value.to_json())
    return caught.value


def replayed(path: str) -> Game:
    text = read_record(path)
    return Game.replay(text, rules_of_record(text))


# ------------------------------------------------------------ the files of faults


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [
        ("fd", 1, "the digest does not match the rules"),
        ("hidden_chance", 5, "`end` must be an object"),
        ("endnull", 5, "`end` must be an object"),
        ("deepline", 2, "nested more than"),
        ("evil", 1, "`digest`"),
        ("e2", 1, "`sources` contains an invalid file name"),
    ],
)
def test_each_fault_file_is_rejected_at_its_line(
    name: str, line: int, says: str, capsys: Output
) -> None:
    path = str(FILES / f"{name}.jsonl")
    with pytest.raises(RecordError, match=says) as caught:
        replayed(path)
    assert caught.value.line == line
    assert caught.value.step == (None if line == 1 else line - 2)

    status, written = told(capsys, "replay", path)

    assert status == 1
    assert says in written
    for command in (["why", path, "pass"], ["board", "--record", path, "--out", "x"]):
        assert told(capsys, *command)[0] == 1


# ------------------------------------------------------------ what a line may say


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "not a JSON document"),
        ("{", "not a JSON document"),
        ("[1]", "not a JSON object"),
        ("3", "not a JSON object"),
        ('{"seat": "left", "action": "dare_it"', "not a JSON document"),
        ('{"seat": "left", "action": "dare_it", "end": {}}', "an event needs"),
        ('{"seat": "left", "action": null}', "log"),
        ('{"seat": 3, "action": "dare_it"}', "must be strings"),
        ('{"chance": ["play"], "outcome": [1]}', "must be strings"),
        ('{"end": null}', "must be an object"),
        ('{"end": []}', "must be an object"),
        ('{"end": {}}', "ends differently than"),
        ('{"chance": "play", "outcome": ' + "1" * 5000 + "}", "digits"),
        ('{"chance": "play", "outcome": -' + "1" * 5000 + "}", "digits"),
        ('{"chance": "play", "outcome": NaN}', "not a whole number"),
        ('{"chance": "play", "outcome": 1e999}', "not a whole number"),
        ('{"chance": "play", "outcome": [1.0]}', "not a whole number"),
        ('{"chance": "play", "chance": "play", "outcome": [1]}', "twice"),
        ('{"seat": "\\ud800", "action": "dare_it"}', "incomplete character"),
        ('{"seat": "left\0", "action": "dare_it"}', "not a JSON document"),
        ('{"seat": "left\\u0000", "action": "dare_it"}', "left must act, not"),
        ("[" * 100_000, "nested"),
        ('{"seat": ' * 500 + "1" + "}" * 500, "nested"),
        ('"' + '\\"' * 200_000 + "[" * 50, "not a JSON document"),
        ('{"seat": "left", "action": "dare_it("}', "not legal"),
        ('{"seat": "left", "action": "' + "x" * 100_000 + '"}', "xxx…"),
        ('{"seat": "left", "action": " dare_it"}', ""),
        ('{"seat": "right", "action": "dare_it"}', "left must act, not"),
        ('{"chance": "play", "outcome": [1]}', "left must act, not"),
        ('{"chance": "left", "outcome": "dare_it"}', "left must act, not"),
    ],
    ids=lambda text: str(text)[:40],
)
def test_a_wrong_line_is_reported_with_its_number(
    line: str, says: str, record: str, dare: Rulebook
) -> None:
    error = replay_error(edited(record, 3, line), dare)

    assert (error.line, error.step) == (3, 1)
    assert says in error.message
    assert len(error.message) < 1_500


def test_outcomes_are_compared_exactly(record: str, dare: Rulebook) -> None:
    assert json.loads(record.split("\n")[1])["outcome"] == [1]

    error = replay_error(
        edited(record, 2, '{"chance": "play", "outcome": [true]}'), dare
    )

    assert error.line == 2


def test_the_first_wrong_line_is_reported(record: str, dare: Rulebook) -> None:
    twice = edited(edited(record, 5, "no JSON"), 3, '{"seat": "left", "action": "no"}')

    assert replay_error(twice, dare).line == 3
    assert replay_error(edited(record, 5, "no JSON"), dare).line == 5


def test_the_recorded_end_must_match_the_game(record: str, dare: Rulebook) -> None:
    *lines, end, _ = record.split("\n")
    number = len(lines) + 1
    other = end.replace('"points": {"left"', '"points": {"right"')
    assert replay_error("\n".join([*lines, other]), dare).line == number
    assert replay_error("\n".join([*lines[:-1], end]), dare).line == number - 1
    assert replay_error("\n".join([*lines[:-2], end]), dare).line == number - 2
    assert replay_error("\n".join([*lines, end, lines[-1]]), dare).line == number + 1
    assert replay_error("\n".join([*lines, end, end]), dare).line == number + 1
    assert replay_error("\n".join([*lines, lines[-1], end]), dare).line == number
    assert Game.replay("\n".join(lines), dare).over
    assert Game.replay("\n".join([*lines, end, "", ""]), dare).over


def test_only_newlines_end_lines(record: str, dare: Rulebook) -> None:
    odd = changed(record, note="a\u2028b\x85c\x0b")
    raw = json.dumps({**json.loads(odd.split("\n")[0])}, ensure_ascii=False)

    assert Game.replay(edited(record, 1, raw), dare).over
    assert Game.replay(record.replace("\n", "\r\n"), dare).over
    assert replay_error(record.replace("\n", "\n\n"), dare).line == 2
    assert replay_error("\ufeff" + record, dare).line == 1


def test_the_length_and_number_of_lines_are_limited(
    record: str, dare: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert replay_error(edited(record, 3, " " * (LENGTH_MAX + 1)), dare).line == 3
    monkeypatch.setattr("interpreter.documents.record_lines.LINES_MAX", 5)

    assert "more than 5 lines" in replay_error(record, dare).message


def test_rejects_a_binary_file(tmp_path: Path, record: str, capsys: Output) -> None:
    path = tmp_path / "game.jsonl"
    for number, data in ((1, b"\xff\xfe"), (3, record.encode())):
        lines = data.split(b"\n")
        lines[number - 1] = lines[number - 1] + b"\xe4"
        path.write_bytes(b"\n".join(lines))
        status, written = told(capsys, "replay", str(path))
        assert (status, f"line {number}: " in written) == (1, True)
        assert "is not UTF-8" in written


def test_a_large_file_is_not_read(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(" " * 100)
    monkeypatch.setattr("workbench.files.records.record_files.MAX_RECORD_BYTES", 99)

    status, written = told(capsys, "replay", str(path))

    assert status == 1
    assert "larger" in written


@pytest.mark.parametrize("text", ["[" * DEPTH_MAX + "]" * DEPTH_MAX, '"[[["', "[]" * 0])
def test_accepts_documents_below_the_maximum_depth(text: str) -> None:
    if text:
        assert read_document(text) is not None
        with pytest.raises(InvalidDocument):
            read_document(f"[{text}" + "[" * DEPTH_MAX)
    assert read_document("9" * DIGITS_MAX) == int("9" * DIGITS_MAX)


def test_the_page_states_the_limits() -> None:
    page = (FILES.parents[2] / "docs" / "digest.md").read_text(encoding="utf-8")
    for bound in (LENGTH_MAX, LINES_MAX, DEPTH_MAX, DIGITS_MAX, MAX_RECORD_BYTES):
        assert f"| {bound:,}" in page


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "1" * 5_000, '{"a": NaN}', '{"a": 1, "a": 2}', "\ufeff{}"]
)
def test_boards_are_parsed_like_records(
    text: str, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "board.json"
    path.write_text(text, encoding="utf-8")

    status, written = told(capsys, "play", "classic", "--board", str(path))

    assert status == 1
    assert "is not a valid board" in written


# ------------------------------------------------------------ what a header may say


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ({"format": "rulebook-record/9"}, "not a record"),
        ({"format": ...}, "not a record"),
        *(
            ({name: ...}, f"has no `{name}`")
            for name in ("variant", "digest", "players")
        ),
        *(({name: ...}, f"has no `{name}`") for name in ("seats", "seed", "options")),
        ({"variant": ["dare"]}, "`variant`"),
        ({"digest": "x"}, "`digest`"),
        ({"digest": None}, "`digest`"),
        ({"players": "2"}, "`players`"),
        ({"players": True}, "`players`"),
        ({"players": 10**60}, "does not match"),
        ({"players": -1}, "does not match"),
        ({"seats": ["right", "left"]}, "`seats`"),
        ({"seats": ["left"]}, "`seats`"),
        ({"seats": ["left", "right", "p3"]}, "`seats`"),
        ({"seats": "left right"}, "`seats`"),
        ({"seed": "1"}, "`seed`"),
        ({"seed": False}, "`seed`"),
        ({"seed": [1]}, "`seed`"),
        ({"options": []}, "`options`"),
        ({"options": {"a": "b"}}, "`options`"),
        ({"options": {"a": {}}}, "`options`"),
        ({"options": {"bold": True}}, "no option"),
        ({"board": []}, "`board`"),
        ({"board": {"Atlantis": {}}}, "Atlantis"),
        ({"position": []}, "`position`"),
        ({"position": {"players": 9}}, "does not match"),
        ({"position": {"pending": []}}, "does not match"),
        ({"sources": []}, "`sources`"),
        ({"sources": {"dare": 1}}, "`sources`"),
    ],
    ids=str,
)
def test_rejects_a_wrong_header(
    new: dict[str, Any], says: str, record: str, dare: Rulebook
) -> None:
    error = replay_error(changed(record, **new), dare)

    assert (error.line, error.step) == (1, None)
    assert says in error.message


def test_options_must_match_the_game(tiny: Rulebook) -> None:
    game = Game.start(tiny, players=2, seed=1, options={"goal": 2})
    record = game.record

    assert Game.replay(record, tiny) == game
    for options in ({"goal": 2, "quick": 1}, {"goal": True}, {"goal": 99}):
        assert replay_error(changed(record, options=options), tiny).line == 1
    assert Game.replay(changed(record, options={"goal": 2}), tiny) == game


def test_a_position_must_match_its_header(tiny: Rulebook) -> None:
    begun = Game.start(tiny, players=2, seed=1, options={"goal": 2})
    record = Game.from_position(tiny, begun.position, seed=1).record

    assert Game.replay(record, tiny) == begun
    assert Game.replay(changed(record, board={}), tiny) == begun
    assert replay_error(changed(record, options={"goal": 3}), tiny).line == 1
    assert replay_error(changed(record, players=3), tiny).line == 1
    assert replay_error(changed(record, seats=["south", "north"]), tiny).line == 1


def test_ignores_other_header_keys(record: str, dare: Rulebook) -> None:
    assert Game.replay(changed(record, bot_seed=3, more={"a": [1]}), dare).over


# ------------------------------------------------------------ which rules


def outcome(record: str, rules: str | None = None) -> tuple[str, list[bool]]:
    """Return the messages about the rules of a record, and for each whether the game
    may differ.
    """
    remarks = header_notes(record, rules_of_record(record, rules))
    return "; ".join(note.text for note in remarks), [
        note.may_differ for note in remarks
    ]


def test_rules_in_a_record_must_have_its_digest(record: str, dare: Rulebook) -> None:
    assert outcome(record) == ("", [])
    old = changed(record, digest=dare.first_digest)
    assert "0.1.0" in outcome(old)[0]
    assert outcome(old)[1] == [False]
    for digest in ("0" * 64, load("classic").digest[7:]):
        with pytest.raises(RecordError, match="line 1: the digest does not"):
            rules_of_record(changed(record, digest=f"sha256:{digest}"))
    mended = DARE.replace("copies | worth", "copies | worth\n  crow | 3 | 1")
    with pytest.raises(RecordError, match="line 1: the digest does not"):
        rules_of_record(changed(record, sources={"dare": mended}))


def test_rules_named_by_the_user_may_differ(
    record: str, dare: Rulebook, tmp_path: Path
) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(DARE.replace("stag  |      1 |     3", "stag | 1 | 2"))
    same = tmp_path / "same.rules"
    same.write_text(DARE.replace('"Dare"', '"Another title"'))

    text, other = outcome(record, str(path))

    assert other == [True]
    assert "differences: domains.omen" in text
    assert outcome(record, str(same)) == ("", [])
    forged = changed(record, digest="sha256:" + "0" * 64)
    assert "the difference is unknown" in outcome(forged, str(path))[0]
    assert "the difference is unknown" in outcome(forged, str(same))[0]
    bare = changed(record, sources=...)
    assert "the difference is unknown" in outcome(bare, str(path))[0]
    assert outcome(bare, str(same)) == ("", [])
    same.write_text(DARE.replace("rulebook dare", "rulebook dear"))
    assert outcome(record, str(same)) == (
        "this record is of dare, not of dear",
        [False],
    )


def test_shipped_rules_are_recognised_by_old_digests(classic: str) -> None:
    first = "sha256:a8128bbd0256d8dbc66ddfd9f3d20e37bbd680df01b992c847c6aaa05607cff5"
    others = "sha256:a394b2a0c553b77720a47dfd1a308588306cf69ca2168c57650ae1cf9c3f9dab"

    assert outcome(classic) == ("", [])
    text, _ = outcome(changed(classic, digest=first))
    assert text.startswith("the record uses the rules of classic in version 0.1.0; ")
    text, other = outcome(changed(classic, digest=others))
    assert text.startswith("the record uses the rules of cardgame in version 0.")
    assert other == [True]
    text, other = outcome(changed(classic, digest="sha256:" + "1" * 64))
    assert (other, "unknown" in text) == ([True], True)


def test_reports_changes_of_shipped_rules(
    classic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = "sha256:a8128bbd0256d8dbc66ddfd9f3d20e37bbd680df01b992c847c6aaa05607cff5"
    book = load("classic")
    old = changed(classic, digest=first)
    rules = shipped_rules(first)
    assert rules is not None
    parts = {**book.parts, "actions.end_turn": "00000000"}
    later = attrs.evolve(rules, digest="sha256:" + "2" * 64, parts=parts)
    monkeypatch.setattr(
        "workbench.files.records.record_headers.shipped_rules", lambda digest: later
    )
    (note,) = header_notes(old, book)
    assert note.text.endswith("changed since: actions.end_turn")
    assert note.may_differ
    monkeypatch.setattr(
        "workbench.files.records.record_headers.shipped_rules",
        lambda digest: attrs.evolve(later, parts={}),
    )
    (note,) = header_notes(old, book)
    assert note.text.endswith("the rules have changed since")
    monkeypatch.setattr(
        "workbench.files.records.record_headers.shipped_rules",
        lambda digest: attrs.evolve(later, digest=book.digest),
    )
    (note,) = header_notes(old, book)
    assert note.text.endswith("the rules are the same")
    assert not note.may_differ


def test_reports_options_missing_in_the_header(tiny: Rulebook) -> None:
    record = Game.start(tiny, players=2, seed=1).record

    (note,) = header_notes(changed(record, options={"goal": 3}), tiny)

    assert "does not set quick" in note.text
    assert note.may_differ


def test_exact_turns_warnings_into_errors(
    record: str, tmp_path: Path, capsys: Output
) -> None:
    path, rules = tmp_path / "game.jsonl", tmp_path / "mine.rules"
    path.write_text(record)
    rules.write_text(DARE.replace("stag  |      1 |     3", "stag | 1 | 2"))

    assert told(capsys, "replay", str(path), "--exact")[0] == 0
    status, written = told(capsys, "replay", str(path), "--rules", str(rules))
    assert (
        "note: the record was made with different rules; differences: domains"
        in written
    )
    named = ["replay", str(path), "--rules", str(rules), "--exact"]
    status, written = told(capsys, *named)
    assert status == 1
    assert "line 1: the record was made with different rules" in written
    assert "steps" not in written
    status = main([*named, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert (status, document["ok"], document["diverged"]["line"]) == (1, False, 1)
    assert document["notes"][0].startswith("the record was made with different rules")
