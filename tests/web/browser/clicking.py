"""Player at a table in a browser, who only clicks what the page offers."""

import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import attrs
from playwright.sync_api import Locator, Page, expect

from workbench.web.views.choices import argument_texts

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

WAYS = """([name, given]) => {
  const { pick } = state, narrowed = Boolean(pick.act || pick.things.length);
  const left = candidates(pick), rest = [...given ?? []];
  for (const thing of pick.things) rest.splice(rest.indexOf(thing), 1);
  const free = (selector) => [...document.querySelectorAll(selector)].filter(each =>
    !each.disabled && !each.closest('[hidden]') && each.getClientRects().length);
  const offers = (thing) => !pick.things.includes(thing)
    && candidates({ act: pick.act, things: [...pick.things, thing] }).length;
  const leads = (thing) => name ? rest.includes(thing) && offers(thing) : offers(thing);
  const same = ({ dataset }) => dataset.atOnce === name
    && dataset.arguments === JSON.stringify(given);
  const buttons = free('#c-buttons button:not(#c-no)');
  const entry = left.length === 1 && left[0];
  const answers = !narrowed ? [] : !name || count(left) === 1 ? buttons
    : buttons.filter((_, n) => entry ? rest.includes(values(entry)[n])
      : left[n].action.name === name);
  return {
    board: free('.place:not(.off):not([aria-pressed=true])')
      .filter(({ dataset }) => !name || leads(dataset.place)),
    card: free('.card[data-thing]').filter(({ dataset }) => leads(dataset.thing)),
    list: [
      ...narrowed ? [] : free('[data-at-once]').filter(each => !name || same(each)),
      ...narrowed ? [] : free('.act[data-act]').filter(({ dataset }) =>
        !name || dataset.act === name),
      ...narrowed ? free('.option').filter(({ dataset }) => leads(dataset.option)) : [],
      ...answers,
    ],
  };
}"""
"""JavaScript function that returns the elements of each kind with which a person can
choose next. With an action, only those that lead to it.
"""

COUNTS = f"""(wanted) => Object.fromEntries(Object.entries(({WAYS})(wanted)).map(
  ([kind, ways]) => [kind, ways.length]))"""
"""JavaScript function that returns the number of elements of each kind."""

PRESS = f"""([wanted, kind, number]) => {{ ({WAYS})(wanted)[kind][number].click(); }}"""
"""JavaScript function that clicks an element."""

AIM = f"""([wanted, kind, number]) => {{
  const element = ({WAYS})(wanted)[kind][number], {{ place, thing }} = element.dataset;
  element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
  const box = (element.querySelector('.hit') ?? element).getBoundingClientRect();
  const centre = [box.x + box.width / 2, box.y + box.height / 2];
  return [...centre, place ?? thing ?? null, state.version];
}}"""
"""JavaScript function that scrolls to an element; it returns its centre, what a click
on it chooses if it is on the board or a card, and the version of the page.
"""

LISTED = """([name, given]) => state.choices.actions.some(action => action.name === name
  && action.options.some(option => option.join() === given.join()))"""
"""JavaScript function that returns whether an action is listed, not made in a form."""

FAR = 10_000
"""Number of an element that no page has."""

KINDS = {"board": 6, "card": 3, "list": 1}
"""Preference of people for each kind of element."""


@attrs.define(slots=False)
class Sitter:
    """Page of a table; `wrong` collects its errors."""

    page: Page
    wrong: list[str] = attrs.field(factory=list)
    clicks: Counter[str] = attrs.field(factory=Counter)

    @classmethod
    def at(cls, page: Page, link: str) -> "Sitter":
        """Open the link of a seat in a page."""
        sitter = cls(page)
        sitter.open(link)
        return sitter

    def __attrs_post_init__(self) -> None:
        """Collect the errors of the page."""
        self.page.set_default_timeout(WAIT)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._said)
        self.page.on("response", self._answered)

    def open(self, link: str) -> None:
        """Open the link of a seat."""
        self.page.goto(link)
        self.until("() => typeof state !== 'undefined'")

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
        return count

    def decide(self, chance: random.Random, action: str | None = None) -> None:
        """Make an action, or a random one, by clicks on what the page offers.

        Clicks on the board and on cards are those of a mouse at the centre of an
        element. An action that is chosen in a form becomes a random choice.
        """
        wanted = self._arguments(action)
        before = self.look()["done"]
        for _ in range(40):
            now = self.look()
            if now["done"] != before or not now["due"]:
                return
            ways = self.page.evaluate(COUNTS, wanted)
            kinds = [kind for kind, count in ways.items() if count]
            is_form = wanted[0] is None and now["form"]
            is_short = not now["narrowed"] and chance.random() < 0.3
            if is_form and (is_short or not kinds):
                self._gather(chance)
                continue
            if not kinds:
                raise AssertionError(f"no way to {action}: {self.text('main')}")
            (kind,) = chance.choices(kinds, [KINDS[kind] for kind in kinds])
            self._choose(wanted, kind, chance.randrange(ways[kind]))
        raise AssertionError(f"no decision after many clicks: {self.text('main')}")

    def _arguments(self, action: str | None) -> tuple[str | None, list[str]]:
        """Return the name and arguments of an action if it is not made in a form."""
        if action is None:
            return None, []
        name = action.partition("(")[0]
        given = argument_texts(action)
        return (
            (name, given) if self.page.evaluate(LISTED, [name, given]) else (None, [])
        )

    def _choose(self, wanted: Any, kind: str, number: int) -> None:
        """Click an element of a kind, and check that the page chooses it."""
        x, y, thing, version = self.page.evaluate(AIM, [wanted, kind, number])
        if thing is None:
            self.page.evaluate(PRESS, [wanted, kind, number])
        else:
            self.page.mouse.click(x, y)
            self.page.mouse.move(0, 0)
            chosen, seen = self.page.evaluate(
                "() => [state.pick.things, state.version]"
            )
            if seen != version:  # the page changed under the pointer
                self.page.keyboard.press("Escape")
                return
            assert chosen[-1:] == [thing], f"{kind} at {x}, {y}"
        self.clicks[kind] += 1
        self.until("() => !state.busy")

    def _gather(self, chance: random.Random) -> None:
        """Add cards to a form until it can be submitted, and submit it."""
        for _ in range(60):
            ready = self.clicked("form.gather [type=submit]", FAR)
            more = self.clicked("form.gather [data-step='1']", FAR)
            if ready and (chance.random() < 0.5 or not more):
                self.clicked("form.gather [type=submit]", 0)
                self.clicks["form"] += 1
                self.until("() => !state.busy")
                return
            if not more:
                break
            self.clicked("form.gather [data-step='1']", chance.randrange(more))
        for _ in range(60):
            if not self.clicked("form.gather [data-step='-1']", 0):
                return
