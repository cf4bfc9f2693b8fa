"""How much anybody may ask for. Broken by hand, each seen to fail: a budget that does
not fill again, one for all, one that is never forgotten, an IPv6 host as its own."""

import pytest

from workbench.web import request_limits as limits
from workbench.web.request_limits import Budgets, Rate, RequestLimits, client_identity


class Clock:
    """A clock that a test turns."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_budget_is_spent_and_fills_again() -> None:
    clock = Clock()
    budgets, rate = Budgets(clock), Rate(3, 2.0)

    assert [budgets.spend("ask", "a", rate) for _ in range(3)] == [0, 0, 0]
    assert budgets.spend("ask", "a", rate) == pytest.approx(2.0)
    clock.now += 1.5
    assert budgets.spend("ask", "a", rate) == pytest.approx(0.5)
    clock.now += 0.5
    assert budgets.spend("ask", "a", rate) == 0
    assert budgets.spend("ask", "a", rate) > 0


def test_who_is_refused_spends_nothing() -> None:
    clock = Clock()
    budgets, rate = Budgets(clock), Rate(1, 1.0)
    for _ in range(50):
        budgets.spend("ask", "a", rate)

    clock.now += 1.0
    assert budgets.spend("ask", "a", rate) == 0


def test_each_has_a_budget_of_its_own_for_each_thing() -> None:
    budgets, rate = Budgets(Clock()), Rate(1, 1.0)
    budgets.spend("ask", "a", rate)

    assert budgets.spend("ask", "b", rate) == 0
    assert budgets.spend("make", "a", rate) == 0
    assert budgets.spend("ask", "a", rate) > 0


def test_budgets_that_are_kept_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BUDGETS", 10)
    clock = Clock()
    budgets, rate = Budgets(clock), Rate(1, 1_000.0)
    for number in range(500):
        clock.now += 0.001
        budgets.spend("ask", str(number), rate)
        assert len(budgets) <= 10

    assert budgets.spend("ask", "499", rate) > 0  # who came last is still known


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
def test_a_network_of_ipv6_is_one_client(first: str, second: str, same: bool) -> None:
    assert (client_identity(first) == client_identity(second)) == same


def test_a_body_may_be_long_only_where_rules_and_records_are_sent() -> None:
    limits = RequestLimits()

    assert limits.max_body("/t/x/do") == 20_000
    assert limits.max_body("/t/x/workshop/check") > 200_000
    assert limits.max_body("/replay") > 1_000_000
    assert limits.max_body("/t/x/name") == 20_000
