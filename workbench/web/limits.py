"""Limits of requests: sizes of bodies, rates and numbers of listeners.

A rate is a budget that refills: `burst` requests at once, then one every `seconds`. A
budget is stored as one number, the moment at which it is full again.
"""

import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address, ip_address

import attrs

KILO = 1_000
NETWORK = 64
"""Prefix length in bits of the IPv6 network that counts as one client."""
KEPT = 50_000
"""Maximum number of stored budgets; those that are full again are removed first."""


@attrs.frozen
class Rate:
    """Rate limit: `burst` requests at once, then one every `seconds`."""

    burst: int
    seconds: float


@attrs.frozen
class RequestLimits:
    """Request limits of a server. `bodies` maps path patterns to larger body limits."""

    body: int = 20 * KILO
    bodies: tuple[tuple[str, int], ...] = (
        ("/t/*/workshop/*", 600 * KILO),
        ("/replay", 8_000 * KILO),
    )
    body_seconds: float = 20
    body_rate: float = 20 * KILO
    """Bytes per second that extend the time allowed for a body.

    A client may take `body_seconds`, and longer if it sends at least at this rate.
    """
    connections: int = 5_000
    """Maximum number of open connections."""
    of_address: int = 300
    """Maximum number of open connections from one address."""
    head_seconds: float = 15
    """Seconds in which a new connection must send the head of a request."""
    reading_seconds: float = 60
    """Seconds in which a client must read what was sent."""
    of_seat: int = 4
    """Maximum number of listeners to the news of one table, for each seat."""
    looking_on: int = 32
    """Maximum number of listeners to the news of one table without a seat."""
    listening: int = 4_000
    """Maximum number of listeners to the news of all tables."""

    asking: Rate = Rate(2_000, 0.005)
    """Rate for one address: all requests."""
    guessing: Rate = Rate(30, 10)
    """Rate for one address: keys that open nothing."""
    making: Rate = Rate(20, 30)
    """Rate for one address: new tables and uploaded records."""
    reading: Rate = Rate(30, 1)
    """Rate for one address: games read with house rules in the lobby."""
    seat: Rate = Rate(120, 0.05)
    """Rate for one seat: all requests at its table."""
    table: Rate = Rate(600, 0.01)
    """Rate for all visitors of a table together."""
    why: Rate = Rate(40, 0.25)
    """Rate for one seat: questions why something is illegal, which need a search."""
    checking: Rate = Rate(30, 1)
    """Rate for one table: checks of rules."""

    def body_at(self, path: str) -> int:
        """Return the maximum number of bytes in a body sent to a path."""
        longer = (size for like, size in self.bodies if fnmatchcase(path, like))
        return next(longer, self.body)


class Budgets:
    """Remaining budgets, by purpose and client."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: dict[tuple[str, str], float] = {}

    def spend(self, what: str, who: str, rate: Rate, cost: float = 1.0) -> float:
        """Spend *cost* of a budget; return the seconds to wait, 0 after success."""
        now = self._clock()
        full_at = max(self._full_at.get((what, who), now), now) + cost * rate.seconds
        over = full_at - now - rate.burst * rate.seconds
        if over > 0:
            return over
        self.charge(what, who, rate, cost)
        return 0.0

    def charge(self, what: str, who: str, rate: Rate, cost: float) -> None:
        """Take *cost* from a budget, even if less is left."""
        now, key = self._clock(), (what, who)
        if key not in self._full_at and len(self._full_at) >= KEPT:
            self._forget(now)
        full_at = max(self._full_at.get(key, now), now)
        self._full_at[key] = full_at + cost * rate.seconds

    def __len__(self) -> int:
        """Return the number of stored budgets."""
        return len(self._full_at)

    def _forget(self, now: float) -> None:
        """Remove full budgets; if all are in use, also the fuller half."""
        spent = {key: at for key, at in self._full_at.items() if at > now}
        if len(spent) >= KEPT:
            emptiest = sorted(spent.items(), key=lambda item: item[1])[KEPT // 2 :]
            spent = dict(emptiest)
        self._full_at = spent


def client_of(address: str) -> str:
    """Return the client whose budget an address spends: the address or its network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> NETWORK << NETWORK))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
