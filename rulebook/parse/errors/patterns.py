"""Slips in the middle of a sentence: a value, a label or brackets that are not so.

A slip says where it is, which is often before the place where the parser stopped. Most
are known by what stands before that place: those are rows of a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs

from rulebook.parse.errors import token_names
from rulebook.parse.errors.failure import Failure, without_texts
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spelling import meant, nearest


def _anywhere(at: Failure) -> bool:
    return True


@attrs.frozen
class Slip:
    """What stands before and after the place where the parser stopped, and the cure.

    Named groups of the patterns and `found` may be said in the texts. The group `word`
    is what is wrong, up to the place itself where it is `through` it; without such a
    group it is what was found.
    """

    before: str
    message: str
    help: str
    when: Callable[[Failure], bool] = _anywhere
    after: str = ""
    code: str = "RB011"
    through: bool = False

    def told(self, at: Failure) -> Diagnostic | None:
        """Return what is said of it, if this is the slip."""
        before = re.search(rf"{self.before}$", at.before)
        after = re.match(self.after, at.after)
        if before is None or after is None or not self.when(at):
            return None
        place, said = at.span, {"found": at.found, **after.groupdict()}
        if "word" in before.re.groupindex:
            end = at.span.end_column if self.through else before.end("word") + 1
            place = at.on_line(before.start("word") + 1, end)
        said |= before.groupdict()
        message, help = self.message.format(**said), self.help.format(**said)
        return Diagnostic(self.code, message, place, help=help)


def _owns(at: Failure) -> bool:
    return at.token.type == "_S"


def _no_such_part(value: str, said: str) -> Slip:
    """`7's neighbours`: the value is wrong, and not the `'s` behind it."""
    return Slip(
        rf"\b(?P<word>{value})\s*",
        f"{said} has nothing called `{{part}}`",
        "before `'s` stands what has the part: a player, a space, a card",
        _owns,
        after=r"\s*(?P<part>\w*)",
        code="RB114",
    )


_OFTEN = r"(?P<what>[^:]*\S)\s*"
_NO_PARTS = (
    _no_such_part(r"\d+", "a number"),
    _no_such_part("yes|no", "a condition (yes/no)"),
    _no_such_part("none", "none"),
    _no_such_part("nothing", "nothing"),
    Slip(  # `move NAME NAME's PART`: before what is no single word stands no name
        r"(?:\b(?:move|discard)|,)\s+(?P<word>\w+)\s+(?P<thing>\w+)\s*",
        "expected a number before `{thing}'s`, or nothing, but found `{word}`",
        "a number that is reckoned stands in brackets: `({word}) CARD`",
        _owns,
    ),
)
_NUMBERS = (
    Slip(
        r"\b(?:has|have)\s+(?:at\s+least\s+)?(?P<word>\d+)\s*",
        "`{word}` of what?",
        "name the cards, as in `has {word} CARD`; numbers are compared with `=`",
        lambda at: at.accepts <= {"NAME", "_OF"},
    ),
    Slip(
        r"\bin\s+(?P<word>\d+)\s*",
        "expected things to look through but found `{word}`",
        "a range of numbers has two ends: `in 1 to {word}`",
        lambda at: "TO" in at.accepts,
    ),
    Slip(
        r"\b(?:move|discard)\s+(?:up\s+to\s+)?(?P<word>\d+)\s+from\s*",
        "`{word}` of what?",
        "name the cards, as in `{word} CARD from PLACE`",
    ),
)
_CHOICES = (
    Slip(  # `you may do A up to 2 times`, `… at most 2 times`, `… two times`
        rf"\bmay\s+do\s+{_OFTEN}",
        "how often it may be done stands behind a comma",
        "write `may do {what}, up to NUMBER times`",
        lambda at: "_UP_TO_TIMES" in at.accepts,
        after=r"(?=[^:]*\btimes\b)",
    ),
    Slip(
        rf"\b(?:do|does)\s+{_OFTEN}",
        "`up to … times` is for what may be done",
        "write `may do {what}, up to …`; what must be done so often stands below "
        "`repeat NUMBER times:`",
        lambda at: at.token.type == "_UP_TO_TIMES",
    ),
    Slip(
        rf"\bchooses?\s+{_OFTEN}",
        "before `if there are several` stands a comma",
        "write `{what}, if there are several`",
        lambda at: "IF_SEVERAL" in at.accepts and at.found == "if",
        after=r"\s+there\s+are\s+several\b",
    ),
    Slip(
        rf"\bmay\s+choose\s+{_OFTEN}",
        "`if there are several` is for who chooses, and not for who may choose",
        "leave it out: what one may also leave is asked of one thing too",
        lambda at: at.token.type == "IF_SEVERAL",
    ),
)
_MENUS = (
    Slip(
        r"\bmay\s*",
        "a comma stands before this `until`",
        "write `may, until NAME:`, and the actions on the lines below",
        lambda at: at.found == "until",
    ),
    Slip(
        r"\bmay\s*",
        "this does not say what may be done",
        "write `may do ACTION, ACTION`, or `may, until NAME:` and the actions on the "
        "lines below",
        lambda at: at.found == ":",
    ),
)
_EMPTY = Slip(
    r"(?P<word>\()",
    "there is nothing in these brackets",
    "without arguments a name stands alone",
    lambda at: at.found == ")",
    through=True,
)

_ENDS = r"\s*(?:$|[:),\[\"]|(?:and|or|if|where)\b)"


def _has_no_number(at: Failure) -> Diagnostic | None:
    """`has NAME CARD`: before the cards stands how many."""
    word = re.search(r"\b(?:has|have)\s+(\w+)\s*$", at.before)
    if word is None or not re.fullmatch(r"[^\W\d]\w*", at.found):
        return None
    if not re.match(_ENDS, at.after):
        return None
    cards = at.found
    cure = meant(word[1])
    return Diagnostic(
        "RB110",
        f"expected a number of `{cards}`, but this is `{word[1]}`",
        at.on_line(word.start(1) + 1, word.end(1) + 1),
        help=cure or f"write `has {cards}`, or how many, as in `has 2 {cards}`",
    )


_NEEDS = re.compile(r"\s*(?:(?:add|replace)\s+)?needs\s+")


def _label_missing(at: Failure) -> Diagnostic | None:
    begun = _NEEDS.match(at.code)
    if begun is None or at.accepts != {"COLON"} or at.ends_line:
        return None
    words = re.match(r"(\w+(?:\s+\w+)+)\s*:", at.code[begun.end() :])
    end, message = at.span.end_column, "this `needs` has no label, or no `:` behind it"
    help = 'write `needs LABEL: CONDITION "Reason"`; other rules call it by its label'
    if words is not None:
        end = begun.end() + words.end(1) + 1
        message = "a label is one word"
        help = f"write `{'_'.join(words[1].split())}`"
    return Diagnostic("RB011", message, at.on_line(begun.end() + 1, end), help)


def _reason_without_quotes(at: Failure) -> Diagnostic | None:
    words = at.code.split()[:2]
    sort = "limit" if "limit" in words else "needs"
    if sort not in words or "STRING" not in at.accepts or not at.found.isidentifier():
        return None
    said = re.match(r'[^"\[]*(?=\[|$)', at.code[at.span.column - 1 :])
    if said is None or nearest(at.found, token_names.keywords(at.accepts)) is not None:
        return None
    place = at.on_line(at.span.column, at.span.column + len(said[0].rstrip()))
    message = f"the reason of this `{sort}` has no quotes"
    return Diagnostic("RB018", message, place, 'write `"` before and after it')


_DEFINED = re.compile(r"(?:replace\s+)?define\s.*?(:|\bis\b|$)")


def _defined_without_equals(at: Failure) -> Diagnostic | None:
    """`define bonus: 3`, `define bonus is 3` and `define bonus 3`."""
    begun = _DEFINED.match(without_texts(at.code))
    if at.row or begun is None:
        return None
    start = begun.start(1)
    said = re.fullmatch(r"(:|is|)\s*(-?\d*|yes|no|return.*)", at.code[start:])
    number = at.token.type == "INT" and "EQUAL" in at.accepts
    if said is None or (not said[1] and not number):
        return None
    if number and not said[1]:
        start, said = at.span.column - 1, re.match("(.*)(.*)", at.after)
    return Diagnostic(
        "RB011",
        "expected `=` before the value of this definition",
        at.on_line(start + 1, len(at.code) + 1),
        help="write `define NAME = VALUE`, or its lines below `define NAME`, "
        "without a `:`",
    )


def _sentence_amended(at: Failure) -> Diagnostic | None:
    """A sentence in an amendment does not say where it goes."""
    edits = {"BEFORE", "AFTER", "ADD"} <= at.accepts
    word = re.match(r"\s*(?:add\s+)?(\w+)\s*$", at.before + (at.found * edits))
    if word is None or not (edits or at.accepts == {"COLON"}):
        return None
    if word[1] not in (*token_names.SENTENCE_WORDS, "step"):
        return None
    return Diagnostic(
        "RB011",
        f"this does not say where the `{word[1]}` goes",
        at.on_line(word.start(1) + 1, word.end(1) + 1),
        help="put it below `before step NAME:`, `after step NAME:` or "
        "`replace step NAME:`; what has no steps is replaced as a whole",
    )


_PHRASE = re.compile(
    r"\b(some|no|every|number\s+of|sum\s+over|bag\s+over|longest\s+trail\s+of"
    r"|reach\s+from|steps\s+from"
    r"|sum|longest|reach)\b"
)
_LONGER = {"sum": "sum over", "longest": "longest trail of", "reach": "reach from"}


def _phrase_without_brackets(at: Failure) -> Diagnostic | None:
    if at.ends_line or at.is_character:
        return None
    phrases = list(_PHRASE.finditer(without_texts(at.before)))
    if not phrases:
        return None
    last = phrases[-1]
    between = at.before[last.end() :]
    begun = between.replace("the ", "").strip() == ""
    counts = last[0].split()[0] in ("number", "sum")
    counted = at.found == "where" and counts
    compared = at.token.type == "CMP" and counts and " where " in between
    measured = at.token.type == "CMP" and last[0].split()[0] in ("steps", "longest")
    if compared or measured:
        begun = "(" not in between and ")" not in between
    if not (begun or counted) or ("NAME" in at.accepts and not measured):
        return None
    word = " ".join(last[0].split())
    return Diagnostic(
        "RB016",
        f"a phrase that begins with `{_LONGER.get(word, word)}` stands in brackets "
        "here",
        at.on_line(last.start() + 1, at.span.end_column),
        help="put the counting phrase in brackets: "
        "`(number of NAME where CONDITION) + 1`, `(some NAME where CONDITION)`",
    )


SLIPS: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    *(one.told for one in _NO_PARTS),
    _has_no_number,
    *(one.told for one in _NUMBERS),
    _label_missing,
    _defined_without_equals,
    _EMPTY.told,
    _sentence_amended,
    *(one.told for one in (*_CHOICES, *_MENUS)),
    _phrase_without_brackets,
    _reason_without_quotes,
)
