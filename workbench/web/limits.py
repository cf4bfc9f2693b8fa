"""How much anybody may ask for: sizes of what is sent, rates and listeners.

A rate is a budget that fills up again: `burst` at once, then one each `seconds`. What
is kept of somebody is the moment at which their budget is full again, one number.
"""

import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address, ip_address

import attrs

KILO = 1_000
NETWORK = 64
"""An IPv6 client has as many addresses as it likes in a network of so many bits."""
KEPT = 50_000
"""Of so many clients budgets are kept; those that are full again go first."""


@attrs.frozen
class Rate:
    """How often: `burst` times at once, and then once in so many `seconds`."""

    burst: int
    seconds: float


@attrs.frozen
class RequestLimits:
    """The limits of a server. `bodies` are those of paths to which more is sent."""

    body: int = 20 * KILO
    bodies: tuple[tuple[str, int], ...] = (
        ("/t/*/workshop/*", 600 * KILO),
        ("/replay", 8_000 * KILO),
    )
    body_seconds: float = 20
    body_rate: float = 20 * KILO
    """A client may take that long to send one, and longer if this many bytes arrive a
    second."""
    connections: int = 5_000
    """Maximum number of open connections."""
    of_address: int = 300
    """Maximum number of open connections from one address."""
    head_seconds: float = 15
    """Seconds in which a new connection must send the head of a request."""
    reading_seconds: float = 60
    """Seconds in which a client must read what was sent."""
    of_seat: int = 4
    """Listeners of the news of one table, by the key of one seat."""
    looking_on: int = 32
    """Of the news of one table, by all who have no seat there."""
    listening: int = 4_000
    """Of the news of all tables."""

    asking: Rate = Rate(2_000, 0.005)
    """Of an address: all that it asks for."""
    guessing: Rate = Rate(30, 10)
    """Of an address: keys that open nothing."""
    making: Rate = Rate(20, 30)
    """Of an address: new tables, records to be looked at."""
    reading: Rate = Rate(30, 1)
    """Of an address: games that are read with house rules, to be looked at."""
    seat: Rate = Rate(120, 0.05)
    """Of a seat: all that it asks for at its table."""
    table: Rate = Rate(600, 0.01)
    """Of all who are at a table together."""
    why: Rate = Rate(40, 0.25)
    """Of a seat: why something may not be done, which is looked for."""
    checking: Rate = Rate(30, 1)
    """Of a table: rules to be checked."""

    def body_at(self, path: str) -> int:
        """How many bytes may be sent to a path."""
        longer = (size for like, size in self.bodies if fnmatchcase(path, like))
        return next(longer, self.body)


class Budgets:
    """What is left of budgets, by who asks and for what."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: dict[tuple[str, str], float] = {}

    def spend(self, what: str, who: str, rate: Rate, cost: float = 1.0) -> float:
        """Spend *cost* of a budget; the seconds to wait where it is spent, else 0."""
        now = self._clock()
        full_at = max(self._full_at.get((what, who), now), now) + cost * rate.seconds
        over = full_at - now - rate.burst * rate.seconds
        if over > 0:
            return over
        self.charge(what, who, rate, cost)
        return 0.0

    def charge(self, what: str, who: str, rate: Rate, cost: float) -> None:
        """Take *cost* from a budget, also where less is left of it."""
        now, key = self._clock(), (what, who)
        if key not in self._full_at and len(self._full_at) >= KEPT:
            self._forget(now)
        full_at = max(self._full_at.get(key, now), now)
        self._full_at[key] = full_at + cost * rate.seconds

    def __len__(self) -> int:
        """Of how many something is kept."""
        return len(self._full_at)

    def _forget(self, now: float) -> None:
        """Let go what is full again; where all are being spent, the fullest half."""
        spent = {key: at for key, at in self._full_at.items() if at > now}
        if len(spent) >= KEPT:
            emptiest = sorted(spent.items(), key=lambda item: item[1])[KEPT // 2 :]
            spent = dict(emptiest)
        self._full_at = spent


def client_of(address: str) -> str:
    """Whose budget an address spends: its own, or that of its network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> NETWORK << NETWORK))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
