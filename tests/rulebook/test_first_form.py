"""Records of version 0.1.0 are known again: the first form has the fields it had.

`first_form/fields.txt` lists them as that version's classes had them, and `abbey.rules`
is a game in its sentences; its digest was written by that version. Neither changes.
"""

import json
from pathlib import Path

import attrs
import pytest

from rulebook import load
from rulebook.digests.canonical import TAGS, default_of
from rulebook.digests.first_form import SINCE, first_form, named

FOLDER = Path(__file__).parent / "first_form"
ABBEY = "sha256:6adddf6ee7e44bdbcf9dc00f51aa095a4c0b00e1145f18a392165616c5fc86b3"

FIRST = {
    tag: fields.split()
    for line in (FOLDER / "fields.txt").read_text(encoding="utf-8").splitlines()
    for tag, _, fields in [line.partition(":")]
}
CLASSES = {tag: kind for kind, tag in TAGS.items()}


def fields_now(tag: str) -> dict[str, object]:
    """The fields of a class that may have a meaning, with their defaults, in order."""
    fields = attrs.fields_dict(CLASSES[tag])
    return {name: default_of(fields[name]) for name in named(CLASSES[tag])}


@pytest.mark.parametrize("tag", FIRST)
def test_a_field_is_of_the_first_form_or_entered_as_younger(tag: str) -> None:
    since = {name for of, name in SINCE if of == tag}

    assert [name for name in fields_now(tag) if name not in since] == FIRST[tag]


@pytest.mark.parametrize(("tag", "name"), sorted(SINCE))
def test_a_younger_field_says_nothing_by_default(tag: str, name: str) -> None:
    """Whatever was written before the field was there means the same without it."""
    default = fields_now(tag)[name]

    assert default is not attrs.NOTHING
    assert not default


def test_what_version_0_1_0_wrote_is_computed_still() -> None:
    book = load(str(FOLDER / "abbey.rules"))
    written = json.dumps(first_form(book.model))

    for tag, _ in SINCE:
        assert f'["{tag.title().replace("_", "")}"' in written
    assert book.first_digest == ABBEY
