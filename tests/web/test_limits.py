"""Request limits.

Verified by manual mutations: a budget that does not refill, a shared budget, a budget
that is never removed, an IPv6 host counted alone.
"""

import pytest

from workbench.web import request_limits as limits
from workbench.web.request_limits import Budgets, Rate, RequestLimits, client_identity


class Clock:
    """Clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_budget_is_spent_and_refills() -> None:
    clock = Clock()
    budgets, rate = Budgets(clock), Rate(3, 2.0)

    assert [budgets.spend("ask", "a", rate) for _ in range(3)] == [0, 0, 0]
    assert budgets.spend("ask", "a", rate) == pytest.approx(2.0)
    clock.now += 1.5
    assert budgets.spend("ask", "a", rate) == pytest.approx(0.5)
    clock.now += 0.5
    assert budgets.spend("ask", "a", rate) == 0
    assert budgets.spend("ask", "a", rate) > 0


def test_rejected_request_spends_nothing() -> None:
    clock = Clock()
    budgets, rate = Budgets(clock), Rate(1, 1.0)
    for _ in range(50):
        budgets.spend("ask", "a", rate)

    clock.now += 1.0
    assert budgets.spend("ask", "a", rate) == 0


def test_budgets_are_separate_by_client_and_purpose() -> None:
    budgets, rate = Budgets(Clock()), Rate(1, 1.0)
    budgets.spend("ask", "a", rate)

    assert budgets.spend("ask", "b", rate) == 0
    assert budgets.spend("make", "a", rate) == 0
    assert budgets.spend("ask", "a", rate) > 0


def test_number_of_stored_budgets_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BUDGETS", 10)
    clock = Clock()
    budgets, rate = Budgets(clock), Rate(1, 1_000.0)
    for number in range(500):
        clock.now += 0.001
        budgets.spend("ask", str(number), rate)
        assert len(budgets) <= 10

    assert budgets.spend("ask", "499", rate) > 0  # the latest client is still known


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("198.51.100.7", "198.51.100.8", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:198.51.100.7", "198.51.100.7", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("testclient", "other", False),
    ],
)
def test_ipv6_network_counts_as_one_client(first: str, second: str, same: bool) -> None:
    assert (client_identity(first) == client_identity(second)) == same


def test_only_uploads_of_rules_and_records_may_be_long() -> None:
    limits = RequestLimits()

    assert limits.max_body("/t/x/do") == 20_000
    assert limits.max_body("/t/x/workshop/check") > 200_000
    assert limits.max_body("/replay") > 1_000_000
    assert limits.max_body("/t/x/name") == 20_000
