"""Paths of the parts of a clause that edits change, to detect conflicting edits.

A path is a tuple of words: `()` is the whole clause, `("needs", "near")` one
requirement. Two edits conflict if the path of one is a prefix of the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import syntax as s
from rulebook.traversal import find, walk

Part = tuple[str, ...]

MENU = "menu"


def edit_words(edit: s.Edit) -> str:
    """Return the edited part in the words of the rule file: `step roll`."""
    name = "" if edit.name is None else edit.name.text
    if edit.part is s.EditPart.AWARD:
        return name.replace("_", " ")
    if edit.verb is s.EditVerb.AT:
        return f"at the {edit.part}"
    return f"{edit.part} {name}".rstrip()


def edited_paths(clause: s.Clause | None, edit: s.Edit) -> tuple[Part, ...]:
    """Return the paths of the parts that an edit changes."""
    name = "" if edit.name is None else edit.name.text
    match edit.part:
        case s.EditPart.STEP:
            return tuple(_step(clause, edit, name))
        case s.EditPart.ACTION:
            first = next(find(clause, s.Menu), None)
            own = (MENU, name)
            return (own, *_enclosing_paths(clause, first, own))
        case s.EditPart.LINE if edit.verb in (s.EditVerb.ADD, s.EditVerb.ADD_FIRST):
            return ((f"{edit.verb} line",), *((("line", name),) if name else ()))
        case s.EditPart.NEEDS if isinstance(edit.content, s.NeedsAs):
            return (("needs as", edit.content.action.text),)
    return ((edit.part, name),)


def _step(clause: s.Clause | None, edit: s.Edit, name: str) -> Iterator[Part]:
    """Yield the paths that an edit of a step changes.

    These are the step, the steps and menu inside it, and its path inside each enclosing
    step. An insertion before a step and one after it do not conflict.
    """
    steps = [step for step in find(clause, s.StepStatement) if step.name.text == name]
    own: Part = ("step", name)
    if edit.verb in (s.EditVerb.BEFORE, s.EditVerb.AFTER):
        own = (*own, edit.verb)
    else:
        bodies = tuple(step.body for step in steps)
        yield from (
            ("step", inner.name.text) for inner in find(bodies, s.StepStatement)
        )
        if next(find(bodies, s.Menu), None) is not None:
            yield (MENU,)
    yield own
    for step in steps:
        yield from _enclosing_paths(clause, step, own)


def _enclosing_paths(
    clause: s.Clause | None, inner: s.StepStatement | s.Menu | None, own: Part
) -> Iterator[Part]:
    """Yield the path of a part inside each step that encloses it."""
    for step in find(clause, s.StepStatement):
        if any(other is inner for other in walk(step.body)):
            yield ("step", step.name.text, "inside", *own)
