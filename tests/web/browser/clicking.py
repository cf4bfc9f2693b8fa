"""Player at a table in a browser, who only clicks what the page offers."""

import random
import re
from collections.abc import Mapping
from typing import Any

import attrs
from playwright.sync_api import Locator, Page, expect

WAIT = 60_000
"""Timeout in milliseconds, also of every expectation; a busy machine may need it."""

expect.set_options(timeout=WAIT)

LOOK = """() => ({
  due: state.choices.decides, done: state.done, offline: state.offline,
  over: document.querySelector('[data-state=over]') !== null,
  confirm: document.getElementById('c-yes') !== null,
  form: document.querySelector('form.gather:not([hidden])') !== null,
  narrowed: Boolean(state.pick.act || state.pick.things.length),
})"""
"""JavaScript function that returns the state of the page."""

CLICK = """([selector, number]) => {
  const there = [...document.querySelectorAll(selector)].filter(each => !each.disabled
    && !each.closest('[hidden]') && each.getAttribute('aria-disabled') !== 'true');
  if (number >= there.length) return there.length;
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  there[number].dispatchEvent(click);
  return there.length;
}"""
"""JavaScript function that clicks an enabled element; it returns their number."""

PLAIN = "[data-at-once], .act[data-act], .place:not(.off)"
FIRST = f"{PLAIN}, form.gather"
NEXT = (
    ".option, .place:not(.off):not([aria-pressed=true]), #c-buttons button:not(#c-no)"
)


@attrs.define(slots=False)
class Sitter:
    """Page of a table; `wrong` collects its errors."""

    page: Page
    wrong: list[str] = attrs.field(factory=list)
    clicks: int = 0

    @classmethod
    def at(cls, page: Page, link: str) -> "Sitter":
        """Open the link of a seat in a page."""
        sitter = cls(page)
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: sitter.wrong.append(str(error)))
        page.on("console", sitter._said)
        page.on("response", sitter._answered)
        page.goto(link)
        page.wait_for_function("() => typeof state !== 'undefined'")
        return sitter

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status} {response.url}")

    # ------------------------------------------------------------ spectators

    def look(self) -> Mapping[str, Any]:
        """Return the state of the page."""
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        return seen

    @property
    def is_due(self) -> bool:
        """Return whether the page asks for a decision."""
        return bool(self.look()["due"])

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return re.sub(r"\s+", " ", self.page.locator(selector).inner_text()).strip()

    def named(self, role: Any, name: str | re.Pattern[str]) -> Locator:
        """Return the element with an accessible role and name."""
        return self.page.get_by_role(role, name=name)

    def until(self, condition: str) -> None:
        """Wait until a JavaScript condition is true."""
        self.page.wait_for_function(condition, timeout=WAIT)

    def until_due(self) -> None:
        """Wait until the seat must decide or the game is over."""
        self.until(
            "() => !state.busy && (state.choices.decides || "
            "document.querySelector('[data-state=over]') !== null)"
        )

    # ------------------------------------------------------------ clicking

    def clicked(self, selector: str, number: int) -> int:
        """Click one of the matching elements; return their number."""
        count: int = self.page.evaluate(CLICK, [selector, number])
        self.clicks += number < count
        return count

    def decide(self, chance: random.Random) -> None:
        """Click random elements until a decision is made."""
        before = self.look()["done"]
        for _ in range(40):
            now = self.look()
            if now["done"] != before or not now["due"]:
                return
            if now["confirm"]:
                self.clicked("#c-yes", 0)
            elif now["form"] and (chance.random() < 0.3 or not self._count(PLAIN)):
                self._gather(chance)
            elif count := self._count(NEXT) if now["narrowed"] else 0:
                self.clicked(NEXT, chance.randrange(count))
            elif count := self._count(FIRST):
                self.clicked(FIRST, chance.randrange(count))
            else:
                raise AssertionError(f"nothing to click: {self.text('main')}")
            self.until("() => !state.busy")
        raise AssertionError(f"no decision after many clicks: {self.text('main')}")

    def _count(self, selector: str) -> int:
        return self.clicked(selector, 10_000)

    def _gather(self, chance: random.Random) -> None:
        """Add cards to a form until it can be submitted, and submit it."""
        for _ in range(60):
            ready = self._count("form.gather [type=submit]")
            more = self._count("form.gather [data-step='1']")
            if ready and (chance.random() < 0.5 or not more):
                self.clicked("form.gather [type=submit]", 0)
                return
            if not more:
                break
            self.clicked("form.gather [data-step='1']", chance.randrange(more))
        for _ in range(60):
            if not self.clicked("form.gather [data-step='-1']", 0):
                return
