"""What to do about a word that cannot stand where it does, in one line.

`cure` asks in order; the first that knows the case answers, and when none does, the
shape of the whole sentence is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulebook.parse.errors import foreign_words, token_names
from rulebook.parse.errors.failure import Failure, without_texts
from rulebook.source.spelling import meant, nearest


def cure(at: Failure) -> str | None:
    """Return what to do about the word where the parser stopped."""
    for known in _CURES:
        found = known(at)
        if found is not None:
            return found
    return shape(at)


def at_the_end(at: Failure) -> str | None:
    """Return what to do about a line that ends too soon."""
    if "COMPASS" in at.accepts and at.before.endswith("|"):
        return "an empty cell is `-`; a row begins and ends without `|`"
    return shape(at)


def of_a_verb(at: Failure) -> str | None:
    """Return what to do where no verb follows what a sentence begins with."""
    subject = at.before.split(":")[-1].strip()
    if at.found == "=":
        test = at.chunk.first_word in ("scenario", "invariant")
        asked = f"`require {subject} = …` asks" if test else "`if` asks"
        return f"`set {subject} to …` gives a value; {asked} for one"
    if at.found in ("+", "-"):
        verb = "increase" if at.found == "+" else "decrease"
        return f"write `{verb} {subject} by …`"
    if at.found == ",":
        return "each sentence stands on a line of its own"
    if at.found == "to" and at.after.split()[:1] == ["move"]:
        return f"write `{subject} is to move`"
    if ":" in at.before and subject in _GOVERNS:
        return f"put this `{subject}` on the line below, indented by two more blanks"
    known = foreign_words.WORDS.get(at.found) or foreign_words.BEGINNINGS.get(at.found)
    alone = at.found.isidentifier() and re.match(r'\s*($|[(,"\[])', at.after)
    if known is None and alone and subject.isidentifier():
        return f"write `{subject} {'do' if subject == 'you' else 'does'} {at.found}`"
    return known


_GOVERNS = ("if", "each", "repeat", "otherwise", "at", "step")
"""Words of sentences that govern others, and that no `:` on their line governs."""


def shape(at: Failure) -> str | None:
    """Return the shape of the sentence where the parser stopped."""
    parts = re.split(r":(?:\s|$)", without_texts(at.before + at.found))
    for part in reversed(parts):
        words = re.findall(r"\w+", part)
        if words[:1] in (["add"], ["replace"]):
            del words[0]
        amends = words[:1] == ["remove"] and not at.row
        if words and words[0] in foreign_words.SHAPES and not amends:
            shape = foreign_words.SHAPES.get(
                " ".join(words[:2]), foreign_words.SHAPES[words[0]]
            )
            return f"such a line is written `{shape}`"
    return None


# ---------------------------------------------------------------- one cure each

_JOINS = {"PLUS", "AND", "_S"}
"""Tokens of which one can follow every value."""


def _number_word(at: Failure) -> str | None:
    return meant(at.found) if "INT" in at.accepts else None


def _comparison(at: Failure) -> str | None:
    before = at.before.rstrip()
    if at.found == ">" and before.endswith("<"):
        return foreign_words.WORDS["<>"]
    if at.found in ("<", ">") and before.endswith("="):
        return f"write `{at.found}=`"
    if at.found == "=":
        if at.accepts == {"COLON"}:
            return "write `:`"
        return "equality is one `=`" if before.endswith("=") else None
    if at.token.type == "CMP" and "AND" in at.accepts:
        return "join two comparisons with `and`: `1 < a and a < 3`"
    if at.found == "not" and "AND" in at.accepts:
        return "write `is not`, `!=`, or `not` before the whole condition"
    if at.found == "in" and "AND" in at.accepts:
        return "write `is in` for what is in a bag; numbers are compared"
    if at.token.type == "INT" and "EMPTY" in at.accepts:
        return "numbers are compared with `=`, `<`, `<=`, `>` and `>=`"
    return None


def _dot(at: Failure) -> str | None:
    if at.found != ".":
        return None
    if at.after.startswith("."):
        return "a range is written `1 to 3`"
    if at.after[:1].isdigit():
        return "numbers are whole"
    if at.after.startswith("rules"):
        return "a file is named without `.rules`"
    thing, part = re.search(r"\w*$", at.before), re.match(r"\w*", at.after)
    assert thing is not None and part is not None
    return f"a part follows `'s`: write `{thing[0]}'s {part[0]}`"


def _dash(at: Failure) -> str | None:
    between = at.found.startswith("-") and "TO" in at.accepts
    return foreign_words.SIGNS["…"] if between else None


def _bar(at: Failure) -> str | None:
    return "write `or`" if at.found == "|" and "OR" in at.accepts else None


_SUPERLATIVES = {
    **dict.fromkeys(("largest", "biggest", "most", "max", "maximum"), "most"),
    **dict.fromkeys(("smallest", "least", "fewest", "min", "minimum"), "fewest"),
}
"""Words of other languages for what stands at the top or the bottom of a list."""


def _of(at: Failure) -> str | None:
    part = re.search(r"(\w+)\s*$", at.before)
    thing = re.match(r"\s*(?:the\s+)?(\w+)", at.after)
    if at.found != "of" or part is None or thing is None:
        return None
    if part[1] in ("count", "amount", "total"):
        return "write `number of`"
    if part[1] in _SUPERLATIVES:
        most = _SUPERLATIVES[part[1]]
        return (
            f"who has it is `the player with the {most} …`; the number itself is "
            f"`{'highest' if most == 'most' else 'lowest'} … of any player`"
        )
    if {"COMMA", "TO"} <= at.accepts:
        return "what holds things is a `bag of`, a `stack of` or a `set of` them"
    return f"a part follows `'s`: write `{thing[1]}'s {part[1]}`"


def _quotes(at: Failure) -> str | None:
    if at.before.endswith("["):
        return 'a citation is written `[SOURCE "Heading" 3]`'
    if at.before.endswith('"'):
        return 'a text holds no `"`'
    if at.token.type == "STRING" and "NAME" in at.accepts:
        return "a name has no quotes"
    bare = at.accepts == {"STRING"} and at.found.isidentifier()
    return 'write `"` before and after a text' if bare else None


def _cell(at: Failure) -> str | None:
    if "COMPASS" in at.accepts and at.found == "|":
        return "an empty cell is `-`; a row begins and ends without `|`"
    if "VBAR" in at.accepts and not at.accepts & _JOINS:
        return "cells are parted by `|`, and a text stands in quotes"
    return None


def _may(at: Failure) -> str | None:
    if not {"STILL", "NOT"} <= at.accepts:
        return None
    if at.chunk.first_word == "scenario":
        return f"write `may still {at.found}`, or `may not {at.found}`"
    return f"write `may do {at.found}`"


def _condition_behind(at: Failure) -> str | None:
    if at.found not in ("if", "where", "when", "unless") or "IF" in at.accepts:
        return None
    sentence = at.before.split(":")[-1].strip()
    if "WITHOUT_PAYING" not in at.accepts and "_NL" not in at.accepts:
        return None
    word = "if not" if at.found == "unless" else "if"
    return f"the condition comes first: `{word} …: {sentence}`"


def _counted(at: Failure) -> str | None:
    """`number of players where player is near = 1`: the condition goes on."""
    counted = re.search(r"\b(number of \w+ where [^():]*?)\s*$", at.before)
    if counted is None or at.found not in foreign_words.COMPARED:
        return None
    return f"put brackets round the whole phrase: `({counted[1]}) {at.found} …`"


def _value_first(at: Failure) -> str | None:
    """`fame: if player's house = 1: 2`: a line of points or of a definition."""
    if not re.search(r"^\s*(?:add\s+|replace\s+)?\w+\s*:\s*if\s*$", at.before):
        return None
    return "the value comes first: `LABEL: VALUE if CONDITION`"


def _when(at: Failure) -> str | None:
    known = at.found in ("when", "if") and "WHENEVER" in at.accepts
    return "write `whenever`" if known else None


def _prepositions(at: Failure) -> str | None:
    """`define corner is joined(corner) for player`: brackets in a description."""
    described = re.search(r"\bis\s+(\w+)\s*$", at.before)
    if at.found != "(" or described is None or "PREP" not in at.accepts:
        return None
    word = described[1]
    return f"one other thing follows, behind a preposition: `is {word} for player`"


def _one_line(at: Failure) -> str | None:
    """Actions to choose from that stand behind the `:`."""
    if re.search(r"\bmay,\s+until\s+\w+\s*:\s*$", at.before) is None:
        return None
    return "the actions stand on the lines below, indented by two more blanks"


def _argument(at: Failure) -> str | None:
    word = re.search(r"(\w+)\s*$", at.before)
    if word is None or "WITHOUT_PAYING" not in at.accepts or "LPAR" not in at.accepts:
        return None
    return f"arguments stand in brackets: `{word[1]}({at.found})`"


def _whole_clause(at: Failure) -> str | None:
    within = {"ACTION", "TO", "PHASE", "SETUP"} <= at.accepts
    if (
        within
        and at.chunk.first_word == "in"
        and at.found in token_names.every_keyword()
    ):
        return f"change it as a whole: `replace {at.found} …`"
    return None


def _habit(at: Failure) -> str | None:
    before = re.search(r"(\w+)\s*$", at.before)
    return foreign_words.WORDS.get(at.found) or foreign_words.BEFORE.get(
        before[1] if before else ""
    )


def _near(at: Failure) -> str | None:
    if at.found in token_names.every_keyword():
        return None
    near = nearest(at.found, token_names.keywords(at.accepts))
    return None if near is None else f"did you mean `{near}`?"


def _word_before(at: Failure) -> str | None:
    """The word right before the place looks like a keyword misspelt."""
    word = re.search(r"(\w{3,})\s*$", at.before)
    every = token_names.every_keyword()
    if word is None or word[1] in every or not re.match(r"[\w\"(]", at.found):
        return None
    near = nearest(word[1], every)
    return None if near is None else f"did you mean `{near}` and not `{word[1]}`?"


_BEHIND_A_VALUE = {"COLON", "_NL", "STRING", "LSQB", "RPAR", "COMMA", "WHERE", "IF"}


def _word_missing(at: Failure) -> str | None:
    """Two values in a row: `north mood`."""
    ends = at.accepts - token_names.OPERATORS <= _BEHIND_A_VALUE
    value = at.token.type in ("NAME", "INT", "YOU", "YOUR")
    if not (value and ends and at.accepts & _JOINS):
        return None
    return f"is a word missing before `{at.found}`, such as `'s`, `is` or `and`?"


_CURES: tuple[Callable[[Failure], str | None], ...] = (
    _when,
    _counted,
    _value_first,
    _one_line,
    _prepositions,
    _condition_behind,
    _number_word,
    _comparison,
    _dot,
    _dash,
    _bar,
    _of,
    _quotes,
    _cell,
    _may,
    _argument,
    _whole_clause,
    _habit,
    _near,
    _word_before,
    _word_missing,
)
