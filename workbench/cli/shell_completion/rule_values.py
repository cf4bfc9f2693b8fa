"""Shell completion of values that depend on the rules in the command line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from interpreter import PositionError, RecordError, UsageError
from rulebook import Address, Rulebook, RulesError
from rulebook.model import Member, Whole
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.files.records.record_files import read_record
from workbench.files.records.record_headers import rules_of_record

GivenArguments = Mapping[str, Sequence[str]]


def values_from_rules(
    keys: Iterable[str], word: str, given_arguments: GivenArguments
) -> tuple[str, ...]:
    """Return the values for the first known placeholder in *keys*.

    The tuple is empty if the command line names no rules or unreadable ones.
    """
    find = next((RULE_COMPLETERS[key] for key in keys if key in RULE_COMPLETERS), None)
    if find is None:
        return ()
    errors = (RulesError, RecordError, PositionError, UsageError)
    try:
        return tuple(find(_book(given_arguments), word))
    except (*errors, RequestError, LookupError, OSError):
        return ()


def _book(given_arguments: GivenArguments) -> Rulebook:
    """Return the rules that a command line names.

    Raise any error from reading them, or `LookupError` if the line names none.
    """
    for name in ("variant", "variants", "rules"):
        if name in given_arguments:
            return load(given_arguments[name][-1])
    for name in ("record", "resume"):
        if name in given_arguments:
            return rules_of_record(read_record(given_arguments[name][-1]))
    raise LookupError


def _clauses(book: Rulebook, _word: str) -> Iterator[str]:
    for address in book.clauses:
        if not Address.parse(address).is_test:
            yield address


def _actions(book: Rulebook, _word: str) -> Iterator[str]:
    for name, action in book.model.actions.items():
        yield f"{name}(" if action.parameters else name


def _seats(book: Rulebook, _word: str) -> Iterator[str]:
    yield from book.seats


def _seat_prefixes(book: Rulebook, _word: str) -> Iterator[str]:
    yield from (f"{seat}=" for seat in ("all", *book.seats))


def _options(book: Rulebook, word: str) -> Iterator[str]:
    """Yield the options of a game, and their values after `=`."""
    name, equals, _ = word.partition("=")
    if not equals:
        yield from (f"{option}=" for option in book.options)
        return
    match book.options[name].type:
        case Whole(low=low, high=high, optional=optional):
            yield from (f"{name}={number}" for number in range(low, high + 1))
            yield from (f"{name}=none",) * optional
        case Member(domain=domain):
            members = book.model.domains[domain].members
            yield from (f"{name}={member}" for member in members)
        case _:
            yield from (f"{name}=yes", f"{name}=no")


RULE_COMPLETERS: Mapping[str, Callable[[Rulebook, str], Iterable[str]]] = {
    "CLAUSE": _clauses,
    "ACTION": _actions,
    "SEAT": _seats,
    "SEAT=human|BOT": _seat_prefixes,
    "NAME=VALUE": _options,
}
