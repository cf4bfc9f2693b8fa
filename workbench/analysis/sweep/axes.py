"""Axes of a sweep: a number in the rules and the values it takes, with their syntax.

Examples: `cost cart.wood = 1..4`, `option points_to_win = 8, 10, 12`, `option quick =
yes, no`, `action draw#1 = 1..3`, `cards fortune.storm.copies = 10..20 by 5`.
"""

import re
from collections.abc import Iterator

import attrs

from rulebook import Address, Rulebook, printable_line, recheck
from rulebook.tooling import figures, with_figure
from workbench.errors import RequestError
from workbench.files.library.clause_lookup import find_clauses, is_test
from workbench.files.library.house_rules import first_error_message
from workbench.presentation.localization.localizer import Localizer

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
    name = parts["what"]
    values = tuple(dict.fromkeys(parse_values(parts["values"])))
    address, word = find_figure(book, name)
    current_values = {figure.word: figure.value for figure in figures(book, address)}
    if len(current_values) == 1 and not word:
        word = next(iter(current_values))
    if word not in current_values:
        check_new_kind(book, address, word)
    return Axis(" ".join(name.split()), address, word, values, current_values.get(word))


def axis_title(axis: Axis, book: Rulebook, localizer: Localizer) -> str:
    """Return the title of an axis, in the words of the rules."""
    address = Address.parse(axis.address)
    options = {f"option.{name}": it for name, it in book.model.options.items()}
    option = options.get(axis.address)
    if option is not None and option.help:
        return option.help
    words = f"{address.sort} {localizer.title(address.name)}"
    part = axis.word if axis.word.startswith("#") else localizer.title(axis.word)
    return f"{words}: {part}" if axis.word else words


def parse_values(text: str) -> Iterator[Value]:
    """Yield the values in a list of ranges, whole numbers, `yes` and `no`."""
    remaining = MAX_VALUES
    for part in text.split(","):
        span = RANGE.fullmatch(part.strip())
        if span is not None:
            low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
            if low > high or not step:
                raise RequestError(
                    f"`{part.strip()}` has no values", "write the lowest value first"
                )
            part_values: range | tuple[Value, ...] = range(low, high + 1, step)
        elif part.strip() in TRUTHS:
            part_values = (TRUTHS[part.strip()],)
        elif WHOLE.fullmatch(part.strip()):
            part_values = (int(part),)
        else:
            raise RequestError(
                f"`{printable_line(part.strip())}` is not a valid value", SYNTAX_HELP
            )
        remaining -= len(part_values)
        if remaining < 0:
            raise RequestError(
                f"`{printable_line(text)}` has more than {MAX_VALUES:,} values"
            )
        yield from part_values


def find_figure(book: Rulebook, name: str) -> tuple[str, str]:
    """Return the address of the clause and the word of a named number.

    The word is what follows the last dot or `#`. Raises `RequestError` if there is no
    such clause or number; the help lists the existing ones.
    """
    failed: RequestError | None = None
    for clause, word in possible_splits(name):
        try:
            addresses = find_clauses(book, clause)
        except RequestError as error:
            failed = error if failed is None or not suggests_name(failed) else failed
            continue
        matches = [item for item in addresses if not is_test(item)]
        if len(matches) > 1:
            matches = [item for item in matches if has_figure(book, item, word)]
        if len(matches) > 1:
            some = ", ".join(f"`{item}`" for item in matches)
            raise RequestError(f"`{clause}` is ambiguous: {some}")
        for address in matches:
            return address, check_figure(book, address, word)
    raise failed or RequestError(
        f"{book.name} has no rule `{printable_line(name)}`", SYNTAX_HELP
    )


def suggests_name(error: RequestError) -> bool:
    """Return whether the help of an error suggests a similar name."""
    return "did you mean" in (error.help or "")


def possible_splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield all splits of a name into clause and word, the shortest word first."""
    sort, _, rest = text.replace("\t", " ").partition(" ")
    name = f"{sort}.{rest.strip()}" if rest else sort
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
    """Return whether *word* names a number of a clause; empty means its only number."""
    words = [figure.word for figure in figures(book, address)]
    return word in words or (not word and len(words) == 1)


def check_new_kind(book: Rulebook, address: str, word: str) -> None:
    """Raise `RequestError` if a cost cannot include *word* as a new kind of card."""
    one_more = with_figure(book, address, word, 1)
    assert one_more is not None, address
    checked, diagnostics = recheck(book, one_more.clauses)
    if checked is None:
        reason = printable_line(first_error_message(diagnostics))
        raise RequestError(f"`{address}` cannot have this value: {reason}")


def check_figure(book: Rulebook, address: str, word: str) -> str:
    """Return *word* if it names a number of the clause, or raise `RequestError`."""
    words = [figure.word for figure in figures(book, address)]
    is_new = address.startswith("cost.") and word and "#" not in word
    if is_new or has_figure(book, address, word):
        return word
    if not words:
        raise RequestError(f"`{address}` contains no number")
    lead = "" if all(other.startswith("#") for other in words) else "."
    known = ", ".join(f"`{address}{lead}{other}`" for other in words[:12])
    text = f"has no number `{printable_line(word)}`" if word else "has several numbers"
    raise RequestError(f"`{address}` {text}", f"write one of {known}")
