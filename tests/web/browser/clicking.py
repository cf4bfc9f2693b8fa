"""Somebody who sits at a table in a browser and only clicks what the page offers."""

import random
import re
from collections.abc import Mapping
from typing import Any

import attrs
from playwright.sync_api import Locator, Page

WAIT = 10_000
"""Milliseconds after which something that does not come is an error."""

LOOK = """() => ({
  due: state.choices.decides, done: state.done, offline: state.offline,
  over: document.querySelector('[data-state=over]') !== null,
  confirm: document.getElementById('c-yes') !== null,
  form: document.querySelector('form.gather:not([hidden])') !== null,
  narrowed: Boolean(state.pick.act || state.pick.things.length),
})"""
"""What the page shows, as its script knows it."""

CLICK = """([selector, number]) => {
  const there = [...document.querySelectorAll(selector)].filter(each => !each.disabled
    && !each.closest('[hidden]') && each.getAttribute('aria-disabled') !== 'true');
  if (number >= there.length) return there.length;
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  there[number].dispatchEvent(click);
  return there.length;
}"""
"""Click one of what can be clicked and seen; how many there are."""

PLAIN = "[data-at-once], .act[data-act], .place:not(.off)"
FIRST = f"{PLAIN}, form.gather"
NEXT = (
    ".option, .place:not(.off):not([aria-pressed=true]), #c-buttons button:not(#c-no)"
)


@attrs.define(slots=False)
class Sitter:
    """A page of a table; what goes wrong on it is kept."""

    page: Page
    wrong: list[str] = attrs.field(factory=list)
    clicks: int = 0

    @classmethod
    def at(cls, page: Page, link: str) -> "Sitter":
        """Sit down at the link of a seat."""
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

    # ------------------------------------------------------------ looking

    def look(self) -> Mapping[str, Any]:
        """What the page shows now."""
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        return seen

    @property
    def is_due(self) -> bool:
        """Whether the page asks for a decision."""
        return bool(self.look()["due"])

    def text(self, selector: str) -> str:
        """The words of a part."""
        return re.sub(r"\s+", " ", self.page.locator(selector).inner_text()).strip()

    def named(self, role: Any, name: str | re.Pattern[str]) -> Locator:
        """What has this role and this name for who cannot see it."""
        return self.page.get_by_role(role, name=name)

    def until(self, condition: str) -> None:
        """Wait until something is so on the page."""
        self.page.wait_for_function(condition, timeout=WAIT)

    def until_due(self) -> None:
        """Wait for one's turn, or the end."""
        self.until(
            "() => !state.busy && (state.choices.decides || "
            "document.querySelector('[data-state=over]') !== null)"
        )

    # ------------------------------------------------------------ clicking

    def clicked(self, selector: str, number: int) -> int:
        """Click one of several; how many there are."""
        count: int = self.page.evaluate(CLICK, [selector, number])
        self.clicks += number < count
        return count

    def decide(self, chance: random.Random) -> None:
        """Click until a decision is made, each time one of what is offered."""
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
        """Put cards into a form until it can be sent, and send it."""
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
