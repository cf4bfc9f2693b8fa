"""Options of a game: validation of given values, and defaults for the other options."""

from __future__ import annotations

from typing import Any

from interpreter.core.facts import Facts
from interpreter.errors import UsageError
from interpreter.expressions.constants import constant
from rulebook import model as m
from rulebook import tooling


def typed_options(options: Any) -> list[tuple[str, str, Any]]:
    """Return the given options as (name, type name, value) triples, sorted by name.

    Raise `UsageError` unless names are strings and values are plain data.
    """
    plain = isinstance(options, dict) and all(
        isinstance(name, str) and isinstance(value, bool | int | str | None)
        for name, value in options.items()
    )
    if not plain:
        raise UsageError(
            f"options must be a mapping of names to values, not {options!r}"
        )
    return sorted(
        (name, type(options[name]).__name__, options[name]) for name in options
    )


def resolve_options(facts: Facts, given: dict[str, Any]) -> None:
    """Set all options in *facts*; a default may read earlier options."""
    options = facts.model.options
    for name in given:
        if name not in options:
            near = tooling.nearest(name, options)
            hint = f"; did you mean {near}?" if near else ""
            raise UsageError(f"there is no option {name}{hint}", option=name)
    for name, option in options.items():
        facts.options[name] = (
            check_value(option, given[name])
            if name in given
            else default_value(facts, option)
        )


def default_value(facts: Facts, option: m.Option) -> Any:
    """Return the first default of an option whose condition is true."""
    for value, condition in option.default:
        if condition is None or constant(facts, condition):
            return plain_value(option, constant(facts, value))
    raise AssertionError(option.name)


def plain_value(option: m.Option, value: Any) -> Any:
    """Return the value of an option as plain data; a value of none becomes None."""
    none = isinstance(option.type, m.Whole) and option.type.optional
    return None if none and value == m.NONE else value


def check_value(option: m.Option, value: Any) -> Any:
    """Return a given value, or raise `UsageError` if it is not of the option's type."""
    match option.type:
        case m.Truth():
            good = isinstance(value, bool)
        case m.Whole(optional=True) if value is None:
            good = True
        case m.Whole(low=low, high=high):
            good = type(value) is int and low <= value <= high
        case _:
            good = True
    if not good:
        raise UsageError(
            f"option {option.name} must be {option.type}, not {_option_text(value)}",
            option=option.name,
        )
    return value


def _option_text(value: Any) -> str:
    """Return a value as rules and the command line write it."""
    return "none" if value is None else repr(value)
