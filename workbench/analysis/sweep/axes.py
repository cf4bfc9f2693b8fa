"""Axes of a sweep: a number in the rules and the values it takes, with their syntax.

Examples: `cost cart.wood = 1..4`, `option points_to_win = 8, 10, 12`, `option quick =
yes, no`, `action draw#1 = 1..3`, `cards fortune.storm.copies = 10..20 by 5`.
"""

import re
from collections.abc import Iterator

import attrs

from rulebook import Rulebook, printable_line, recheck
from rulebook.tooling import figures, with_figure
from workbench.errors import RequestError
from workbench.files.library.clause_lookup import find_clauses, is_test
from workbench.files.library.house_rules import first_error

MAX_VALUES = 1_000
"""Maximum number of values of an axis."""
AXIS_PATTERN = re.compile(r"\s*(?P<what>[^=]+?)\s*=\s*(?P<values>.+?)\s*")
RANGE = re.compile(r"(\d{1,9})\s*\.\.\s*(\d{1,9})(?:\s+by\s+(\d{1,9}))?")
WHOLE = re.compile(r"\d{1,9}")
TRUTHS = {"yes": True, "no": False}
SYNTAX_HELP = (
    "write `cost NAME.KIND = 1..4`, `option NAME = 8, 10`, or `action NAME#1 = 1..3`"
)

Value = int | bool


@attrs.frozen
class Axis:
    """Number in the rules that varies, with its values in the order written.

    `name` is the text before `=`. `current_value` is None if the rules compute it or do
    not have it yet.
    """

    name: str
    address: str
    word: str
    values: tuple[Value, ...]
    current_value: Value | None


def parse_axis(book: Rulebook, text: str) -> Axis:
    """Return the axis that a text describes.

    Raises `RequestError` if the text names no number in the rules, or if its values are
    invalid or more than `MAX_VALUES`.
    """
    parts = AXIS_PATTERN.fullmatch(text)
    if parts is None:
        raise RequestError(
            f"`{printable_line(text)}` does not name a number to vary", SYNTAX_HELP
        )
    what = parts["what"]
    values = tuple(dict.fromkeys(parse_values(parts["values"])))
    address, word = find_figure(book, what)
    there = {figure.word: figure.value for figure in figures(book, address)}
    if len(there) == 1 and not word:
        word = next(iter(there))
    if word not in there:
        check_new_kind(book, address, word)
    return Axis(" ".join(what.split()), address, word, values, there.get(word))


def parse_values(text: str) -> Iterator[Value]:
    """Yield the values in a list of ranges, whole numbers, `yes` and `no`."""
    left = MAX_VALUES
    for part in text.split(","):
        span = RANGE.fullmatch(part.strip())
        if span is not None:
            low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
            if low > high or not step:
                raise RequestError(
                    f"`{part.strip()}` has no values", "write the lowest value first"
                )
            several: range | tuple[Value, ...] = range(low, high + 1, step)
        elif part.strip() in TRUTHS:
            several = (TRUTHS[part.strip()],)
        elif WHOLE.fullmatch(part.strip()):
            several = (int(part),)
        else:
            raise RequestError(
                f"`{printable_line(part.strip())}` is not a valid value", SYNTAX_HELP
            )
        left -= len(several)
        if left < 0:
            raise RequestError(
                f"`{printable_line(text)}` has more than {MAX_VALUES:,} values"
            )
        yield from several


def find_figure(book: Rulebook, name: str) -> tuple[str, str]:
    """Return the address of the clause and the word of a named number.

    The word is what follows the last dot or `#`. Raises `RequestError` if there is no
    such clause or number; the help lists the existing ones.
    """
    refused: RequestError | None = None
    for clause, word in possible_splits(name):
        try:
            called = find_clauses(book, clause)
        except RequestError as error:
            refused = (
                error if refused is None or not suggests_name(refused) else refused
            )
            continue
        fitting = [each for each in called if not is_test(each)]
        if len(fitting) > 1:
            fitting = [each for each in fitting if has_figure(book, each, word)]
        if len(fitting) > 1:
            some = ", ".join(f"`{each}`" for each in fitting)
            raise RequestError(f"`{clause}` is ambiguous: {some}")
        for address in fitting:
            return address, check_figure(book, address, word)
    raise refused or RequestError(
        f"{book.name} has no rule `{printable_line(name)}`", SYNTAX_HELP
    )


def suggests_name(error: RequestError) -> bool:
    """Return whether the help of an error suggests a similar name."""
    return "did you mean" in (error.help or "")


def possible_splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield all splits of a name into clause and word, the shortest word first."""
    sort, _, called = text.replace("\t", " ").partition(" ")
    name = f"{sort}.{called.strip()}" if called else sort
    if "." not in name.partition("#")[0]:
        name, _, number = name.partition("#")
        yield name, f"#{number}" if number else ""
        return
    plain, hash_, number = name.partition("#")
    if hash_:
        yield plain, f"#{number}"
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        clause, word = ".".join(parts[:count]), ".".join(parts[count:])
        if "#" not in clause:
            yield clause, word


def has_figure(book: Rulebook, address: str, word: str) -> bool:
    """Return whether a clause has the number that a word, or no word, refers to."""
    there = [figure.word for figure in figures(book, address)]
    return word in there or (not word and len(there) == 1)


def check_new_kind(book: Rulebook, address: str, word: str) -> None:
    """Raise `RequestError` if a cost cannot have a new kind of card."""
    one_more = with_figure(book, address, word, 1)
    assert one_more is not None, address
    checked, diagnostics = recheck(book, one_more.clauses)
    if checked is None:
        said = printable_line(first_error(diagnostics))
        raise RequestError(f"`{address}` cannot have this value: {said}")


def check_figure(book: Rulebook, address: str, word: str) -> str:
    """Return the word if it names a number of the clause, otherwise raise
    `RequestError`.
    """
    there = [figure.word for figure in figures(book, address)]
    new = address.startswith("cost.") and word and "#" not in word
    if new or has_figure(book, address, word):
        return word
    if not there:
        raise RequestError(f"`{address}` contains no number")
    lead = "" if all(each.startswith("#") for each in there) else "."
    some = ", ".join(f"`{address}{lead}{each}`" for each in there[:12])
    said = f"has no number `{printable_line(word)}`" if word else "has several numbers"
    raise RequestError(f"`{address}` {said}", f"write one of {some}")
