"""Records of version 0.1.0 are recognised: the first form has the fields of that
version. `first_form/fields.txt` lists these fields, and `abbey.rules` is a game for
that version, with the digest that it wrote. Neither file changes.
"""

import json
from pathlib import Path

import attrs

from rulebook import load
from rulebook import model as m
from rulebook.digests.canonical import TAGS, canonical_field_name, default_of
from rulebook.digests.first_form import FIELDS_ADDED_LATER, field_order, first_form

FOLDER = Path(__file__).parent / "first_form"
ABBEY = "sha256:6adddf6ee7e44bdbcf9dc00f51aa095a4c0b00e1145f18a392165616c5fc86b3"

FIRST = {
    tag: fields.split()
    for line in (FOLDER / "fields.txt").read_text(encoding="utf-8").splitlines()
    for tag, _, fields in [line.partition(":")]
}
CLASSES = {tag: kind for kind, tag in TAGS.items()}


def fields_now(tag: str) -> dict[str, object]:
    """Return the fields of a class that may have a meaning, in order, with their
    defaults.
    """
    fields = attrs.fields_dict(CLASSES[tag])
    return {name: default_of(fields[name]) for name in field_order(CLASSES[tag])}


def test_each_field_is_in_the_first_form_or_listed_as_newer() -> None:
    for tag, fields in FIRST.items():
        since = {name for of, name in FIELDS_ADDED_LATER if of == tag}

        older = [name for name in fields_now(tag) if name not in since]
        assert [canonical_field_name(tag, name) for name in older] == fields, tag


def test_the_default_of_a_newer_field_is_empty() -> None:
    """A rule file that is older than the field keeps its meaning."""
    defaults = {(tag, name): fields_now(tag)[name] for tag, name in FIELDS_ADDED_LATER}

    assert {
        key: value for key, value in defaults.items() if value is attrs.NOTHING or value
    } == {}


def test_computes_the_digest_written_by_version_0_1_0() -> None:
    book = load(str(FOLDER / "abbey.rules"))
    written = json.dumps(first_form(book.model))

    for tag in {tag for tag, _ in FIELDS_ADDED_LATER} - {"top_of"}:
        assert f'["{tag.title().replace("_", "")}"' in written
    assert book.first_digest == ABBEY


def test_the_first_form_omits_the_place_of_the_top_card() -> None:
    """The rules of `abbey.rules` read no top card; places were added later."""
    player = m.Member("player")
    top = m.StackCard(stack=m.Local(slot=1, name="x", type=player), type=player)

    assert len(first_form(top)) == 1 + len(FIRST["top_of"])
