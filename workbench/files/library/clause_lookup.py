"""Lookup of a rulebook's clauses by the short names that users type."""

from rulebook import Address, Rulebook
from rulebook.tooling import nearest
from workbench.errors import RequestError


def clause_names(address: str) -> tuple[str, ...]:
    """Return a clause's short names: without its sort, and also without parameters.

    A phase may also be called `turn`.
    """
    parsed = Address.parse(address)
    name = address if parsed.is_test else parsed.without_sort or parsed.sort
    parameters = "" if parsed.parameter_kinds is None else f"({parsed.parameter_kinds})"
    alias = ("turn",) if parsed.is_phase else ()
    return f"{name}{parameters}", name, str(parsed.short), *alias


def find_clauses(book: Rulebook, name_or_address: str | None) -> list[str]:
    """Return the addresses of clauses with the given name; by default all, tests last.

    Raise `RequestError`, with a similar name as a suggestion, if there are none.
    """
    clauses = sorted(book.clauses, key=is_test)
    if name_or_address is None:
        return clauses
    matching = [clause for clause in clauses if clause == name_or_address] or [
        clause for clause in clauses if name_or_address in clause_names(clause)
    ]
    if not matching:
        known = [name for clause in clauses for name in (clause, *clause_names(clause))]
        near = nearest(name_or_address, known)
        raise RequestError(
            f"{book.name} has no clause `{name_or_address}`",
            f"did you mean `{near}`?"
            if near
            else f"`rulebook show {book.name} --names` lists all clauses",
        )
    return matching


def is_test(address: str) -> bool:
    """Return whether a clause is a scenario or an invariant."""
    return Address.parse(address).is_test
