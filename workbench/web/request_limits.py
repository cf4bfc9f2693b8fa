"""Request limits: body sizes, request rates, and numbers of connections.

A rate is a budget that refills: `burst` requests at once, then one every `seconds`. A
budget is stored as one number: the time when it is full again.
"""

import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address, ip_address
from typing import Literal

import attrs

KILOBYTE = 1_000
IPV6_PREFIX_BITS = 64
"""Prefix length in bits of an IPv6 network that counts as one client."""
MAX_BUDGETS = 50_000
"""Maximum number of stored budgets; full ones are removed first."""


Purpose = Literal[
    "chat",
    "code",
    "invalid_key",
    "creation",
    "lobby",
    "seat",
    "table",
    "explanation",
    "preview",
    "check",
]
"""Purpose of a request with a rate limit; `RequestLimits` has the rates."""


@attrs.frozen
class Rate:
    """Rate limit: `burst` requests at once, then one every `seconds` seconds."""

    burst: int
    seconds: float


@attrs.frozen
class RequestLimits:
    """Request limits of a server; all sizes are in bytes."""

    body: int = 20 * KILOBYTE
    body_by_path: tuple[tuple[str, int], ...] = (
        ("/t/*/workshop/*", 600 * KILOBYTE),
        ("/replay", 8_000 * KILOBYTE),
    )
    """Path patterns with larger maximum body sizes."""
    body_seconds: float = 20
    body_rate: float = 20 * KILOBYTE
    """Minimum upload speed in bytes per second after the first `body_seconds`."""
    connections: int = 5_000
    """Maximum number of open connections."""
    connections_per_address: int = 300
    """Maximum number of open connections per client address."""
    head_seconds: float = 15
    """Seconds within which a client must send the head of a request."""
    reading_seconds: float = 60
    """Seconds within which a client must read pending response data."""
    streams_per_seat: int = 4
    """Maximum number of event streams per seat of a table."""
    spectator_streams: int = 32
    """Maximum number of event streams of all spectators of a table."""
    total_streams: int = 4_000
    """Maximum number of event streams of the server."""

    request_rate: Rate = Rate(2_000, 0.005)
    """Maximum rate of all requests per client address."""
    invalid_key_rate: Rate = Rate(30, 10)
    """Maximum rate of invalid keys per client address."""
    creation_rate: Rate = Rate(20, 30)
    """Maximum rate of new tables and uploaded records per client address."""
    lobby_rate: Rate = Rate(30, 1)
    """Maximum rate of lobby requests with house rules, per client address."""
    seat_rate: Rate = Rate(120, 0.05)
    """Maximum rate of all requests per seat of a table."""
    table_rate: Rate = Rate(600, 0.01)
    """Maximum rate of all requests to one table."""
    explanation_rate: Rate = Rate(40, 0.25)
    """Maximum rate of “why not?” questions per seat; each one needs a search."""
    preview_rate: Rate = Rate(40, 0.25)
    """Maximum rate of previews of actions per seat; each one copies the game."""
    chat_rate: Rate = Rate(8, 2)
    """Maximum rate of messages per seat, and of all spectators of a table."""
    code_rate: Rate = Rate(30, 10)
    """Maximum rate of join codes per client address, right or wrong."""
    check_rate: Rate = Rate(30, 1)
    """Maximum rate of rule checks in the workshop, per table."""

    def rate(self, purpose: Purpose) -> Rate:
        """Return the maximum rate of requests with a purpose."""
        rate: Rate = getattr(self, f"{purpose}_rate")
        return rate

    def max_body(self, path: str) -> int:
        """Return the maximum body size in bytes for a path."""
        larger = (
            size for pattern, size in self.body_by_path if fnmatchcase(path, pattern)
        )
        return next(larger, self.body)


class Budgets:
    """Request budgets of all clients, by purpose and client."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: dict[tuple[str, str], float] = {}

    def spend(self, purpose: str, client: str, rate: Rate, cost: float = 1.0) -> float:
        """Deduct *cost* from a budget and return 0, or return the seconds to wait."""
        now = self._clock()
        full_at = (
            max(self._full_at.get((purpose, client), now), now) + cost * rate.seconds
        )
        over = full_at - now - rate.burst * rate.seconds
        if over > 0:
            return over
        self.charge(purpose, client, rate, cost)
        return 0.0

    def charge(self, purpose: str, client: str, rate: Rate, cost: float) -> None:
        """Deduct *cost* from a budget, even if less is left."""
        now, key = self._clock(), (purpose, client)
        if key not in self._full_at and len(self._full_at) >= MAX_BUDGETS:
            self._discard_full(now)
        full_at = max(self._full_at.get(key, now), now)
        self._full_at[key] = full_at + cost * rate.seconds

    def __len__(self) -> int:
        """Return the number of stored budgets."""
        return len(self._full_at)

    def _discard_full(self, now: float) -> None:
        """Remove full budgets; if there are none, remove the fullest half."""
        spent = {
            key: full_at for key, full_at in self._full_at.items() if full_at > now
        }
        if len(spent) >= MAX_BUDGETS:
            emptiest = sorted(spent.items(), key=lambda item: item[1])[
                MAX_BUDGETS // 2 :
            ]
            spent = dict(emptiest)
        self._full_at = spent


def client_identity(address: str) -> str:
    """Return the identity of a client: its IPv4 address, or its IPv6 network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> IPV6_PREFIX_BITS << IPV6_PREFIX_BITS))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
