"""Conversion of values to plain data and back: members by name, bags as counts."""

from __future__ import annotations

from typing import Any

from interpreter.core.stacks import UNKNOWN, contents
from interpreter.errors import PositionError, UsageError, require_list
from rulebook import model as m

PLACES_MAX = 1_000_000
"""Maximum number of cards in a stack that a position describes."""

DIGITS_MAX = 12
"""Maximum number of digits of a number in an action text."""


class Values:
    """Conversions between values and plain data for one plan.

    `names` are the members of every domain.
    """

    def __init__(self, model: m.Model, names: dict[str, tuple[str, ...]]) -> None:
        self.model = model
        self.names = names
        self.indices = {
            domain: {name: index for index, name in enumerate(members)}
            for domain, members in names.items()
        }

    def extent(self, kind: m.Type) -> tuple[int, int]:
        """Return the lowest value and the number of values of a parameter's type."""
        match kind:
            case m.Truth():
                return 0, 2
            case m.Whole(low=low, high=high):
                return low, high - low + 1
            case m.Member(domain=domain, optional=optional):
                size = len(self.names[domain])
                return (-1, size + 1) if optional else (0, size)
            case _:
                raise UsageError(
                    f"players cannot choose a value for a parameter of type {kind}"
                )

    def member(self, domain: str, text: str) -> int | None:
        """Return the index of a named member; a link's ends may be in either order."""
        index = self.indices[domain].get(text)
        if index is None and self.model.domains[domain].sort is m.DomainSort.LINK:
            places = [n for n, letter in enumerate(text) if letter == "-"]
            for place in places:
                reversed_name = f"{text[place + 1 :]}-{text[:place]}"
                if reversed_name in self.indices[domain]:
                    return self.indices[domain][reversed_name]
        return index

    def from_text(self, kind: m.Type, text: str) -> Any:
        """Return the value of an argument in an action text, or None if invalid."""
        match kind:
            case m.Truth():
                return {"yes": True, "no": False}.get(text)
            case m.Member(domain=domain, optional=optional):
                if text == "none" and optional:
                    return m.NONE
                return self.member(domain, text)
            case _:
                digits = text.removeprefix("-")
                fits = digits.isdecimal() and len(digits) <= DIGITS_MAX
                return int(text) if fits else None

    # ------------------------------------------------------------ to plain data

    def to_plain(self, kind: m.Type | None, value: Any) -> Any:
        """Return a value as plain data."""
        if value is None:
            return None
        match kind:
            case m.Truth():
                return bool(value)
            case m.Member(domain=domain):
                return self.names[domain][value] if value >= 0 else None
            case m.Bag(domain=domain):
                return dict(zip(self.names[domain], value, strict=True))
            case m.SetOf(domain=domain):
                return [self.set_member(domain, item) for item in value]
            case m.Stack(domain=domain):
                return self.stack_to_plain(domain, value)
            case m.Tally():
                return list(value)
            case _:
                return value

    def cards(self, kind: m.Type, value: Any) -> dict[str, int]:
        """Return the number of each card in a bag or a stack, by name."""
        assert isinstance(kind, m.Bag | m.Stack)
        counts = contents(value) if isinstance(kind, m.Stack) else value
        names = self.names[kind.domain]
        return {name: n for name, n in zip(names, counts, strict=True) if n}

    def set_member(self, domain: str | None, item: int) -> Any:
        """Return a set's member by name, or as a number if *domain* is None."""
        return item if domain is None else self.names[domain][item]

    def stack_to_plain(self, domain: str, stack: Any) -> dict[str, Any]:
        """Return a stack as plain data: its places from the top, and its unknown cards.

        A place is null if unknown, the card, or {"card", "known_to"} if only some seats
        know it.
        """
        entries, pool = stack
        seats = self.names["player"]
        everybody = (1 << len(seats)) - 1
        known: list[Any] = []
        for card, mask in entries:
            if card < 0:
                known.append(None)
            elif mask == everybody:
                known.append(self.names[domain][card])
            else:
                known_to = [seat for bit, seat in enumerate(seats) if mask >> bit & 1]
                known.append({"card": self.names[domain][card], "known_to": known_to})
        return {
            "known": known,
            "pool": dict(zip(self.names[domain], pool, strict=True)),
        }

    # ------------------------------------------------------------ from plain data

    def from_plain(self, kind: m.Type | None, plain: Any, path: str) -> Any:
        """Convert plain data to a value; raise `PositionError` if it is invalid.

        The error names *path*, the path of the value in the position.
        """
        match kind:
            case m.Truth():
                if not isinstance(plain, bool):
                    raise PositionError(path, f"expected true or false, not {plain!r}")
                return plain
            case m.Whole(low=low, high=high):
                if isinstance(plain, bool) or not isinstance(plain, int):
                    raise PositionError(path, f"expected a number, not {plain!r}")
                if not low <= plain <= high:
                    raise PositionError(
                        path, f"{plain} is not in the range {low} to {high}"
                    )
                return plain
            case m.Member(domain=domain, optional=optional):
                if plain is None and optional:
                    return m.NONE
                return self.member_index(domain, plain, path)
            case m.Bag(domain=domain):
                return self.bag_from_plain(domain, plain, path)
            case m.SetOf(domain=domain):
                if not isinstance(plain, list):
                    raise PositionError(path, "expected a list")
                if domain is None:
                    number = m.Whole(-1_000_000, 1_000_000)
                    return tuple(self.from_plain(number, x, path) for x in plain)
                return tuple(self.member_index(domain, item, path) for item in plain)
            case m.Stack(domain=domain):
                return self.stack_from_plain(domain, plain, path)
            case _:
                return tuple(plain) if isinstance(plain, list) else plain

    def member_index(self, domain: str, plain: Any, path: str) -> int:
        """Return the index of a member; raise `PositionError` if it is unknown."""
        index = self.member(domain, plain) if isinstance(plain, str) else None
        if index is None:
            raise PositionError(path, f"{plain!r} is not a {domain}")
        return index

    def bag_from_plain(self, domain: str, plain: Any, path: str) -> tuple[int, ...]:
        """Convert plain data to the counts of a bag; omitted members count 0."""
        if not isinstance(plain, dict):
            raise PositionError(path, "expected counts by member")
        counts = [0] * len(self.names[domain])
        for name, count in plain.items():
            member = self.member_index(domain, name, path)
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise PositionError(f"{path}.{name}", f"{count!r} is not a count")
            counts[member] = count
        return tuple(counts)

    def stack_from_plain(self, domain: str, plain: Any, path: str) -> Any:
        """Convert plain data to a stack."""
        if not isinstance(plain, dict) or not set(plain) <= {"known", "pool"}:
            raise PositionError(path, 'expected {"known": [...], "pool": {...}}')
        pool = self.bag_from_plain(domain, plain.get("pool", {}), f"{path}.pool")
        if sum(pool) > PLACES_MAX:
            raise PositionError(
                f"{path}.pool", f"a stack has at most {PLACES_MAX} cards"
            )
        known = require_list(plain.get("known", [None] * sum(pool)), f"{path}.known")
        entries = []
        everybody = (1 << len(self.names["player"])) - 1
        for place in known:
            if place is None:
                entries.append(UNKNOWN)
            elif isinstance(place, dict):
                card = self.member_index(domain, place.get("card"), f"{path}.known")
                mask = 0
                for seat in require_list(place.get("known_to", []), f"{path}.known"):
                    mask |= 1 << self.member_index("player", seat, f"{path}.known")
                entries.append((card, mask))
            else:
                card = self.member_index(domain, place, f"{path}.known")
                entries.append((card, everybody))
        if entries.count(UNKNOWN) != sum(pool):
            raise PositionError(
                path, "the pool does not match the number of unknown cards"
            )
        return tuple(entries), pool
