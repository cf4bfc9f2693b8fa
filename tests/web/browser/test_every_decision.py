"""Every kind of decision of every game fits on the screen, and reads well.

Each game is played at a table with random actions, and its pages are looked at where
a decision of a new kind is due. The quick form looks at one small game.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

import variants
from rulebook import Rulebook
from tests.web.browser.clicking import Sitter
from tests.web.browser.decisions import Decision, Play, plays, scenes
from tests.web.browser.test_accessibility import violations
from workbench.files.library.loading import load
from workbench.presentation.localization.languages import phrase_table
from workbench.presentation.localization.localizer import Localizer

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted(
    str(path)
    for path in ROOT.glob("examples/*/*.rules")
    if path.name.count(".") == 1 and path.parent.name in {"games", "tiny", "learning"}
)
FILES = [*variants.names(), *EXAMPLES]
QUICK = (str(ROOT / "examples" / "tiny" / "dare.rules"),)
GAMES, STEPS = 4, 300
LOOK = (Path(__file__).parent / "decision.js").read_text(encoding="utf-8")
SIZES = {"1400": (1400, 900), "1024": (1024, 768), "390": (390, 844)}
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
"""JavaScript function that waits until the page is drawn."""
PHONE = {"has_touch": True, "is_mobile": True}


@attrs.define
class Report:
    """Faults of a game, with the first decision of each, and the pages seen by axe."""

    faults: dict[str, str] = attrs.field(factory=dict)
    seen: set[str] = attrs.field(factory=set)

    def add(self, where: str, fault: str) -> None:
        """Add a fault, unless it is known."""
        self.faults.setdefault(fault, where)

    def lines(self) -> list[str]:
        """Return the faults as lines."""
        return [f"{fault}   [{where}]" for fault, where in self.faults.items()]


@attrs.frozen
class Theatre:
    """Tables of a rule file, whose pages are looked at.

    A phone and a desktop in each language stay open, and keep the page's files.
    """

    server: Any
    chromium: Any
    variant: str
    book: Rulebook
    report: Report = attrs.field(factory=Report)
    sitters: dict[tuple[str, bool], Sitter] = attrs.field(factory=dict)

    def show(self, play: Play, looked_at: set[int]) -> None:
        """Play a game at a table, and look at some of its decisions."""
        people = dict.fromkeys(play.seats, "person")
        made = self.server.table(self.variant, people, seed=play.seed)
        is_ending = play.is_over and "end" not in self.report.seen
        last = len(play.decisions) - 1 if is_ending else max(looked_at, default=-1)
        for step, decision in enumerate(play.decisions[: last + 1]):
            if step in looked_at:
                self.look(made, decision)
            else:
                self.decide(made, decision)
        if is_ending:
            for size in SIZES:
                with self.page(made.links[play.seats[0]], size=size) as sitter:
                    sitter.page.locator("#summary .ranking").wait_for()
                    self.check_access(sitter, size)
            self.report.seen.add("end")

    def check_access(self, sitter: Sitter, size: str) -> None:
        """Let axe look at a page."""
        for fault in violations(sitter.page):
            self.report.add(size, fault)

    def decide(self, made: Any, decision: Decision) -> None:
        """Make a decision without a page."""

        def change(table: Any) -> None:
            table.decide(decision.seat, decision.actions, table.version)

        changed = self.server.host.change_table(made.table.id, change)
        asyncio.run_coroutine_threadsafe(changed, self.server.loop).result(60)

    @contextmanager
    def page(
        self, link: str, language: str = "en", size: str = "1400"
    ) -> Iterator[Sitter]:
        """Open a link in a size; the page belongs to no other seat."""
        is_phone = size == "390"
        if (language, is_phone) not in self.sitters:
            more = PHONE if is_phone else {}
            context = self.chromium.new_context(locale=language, **more)
            self.sitters[language, is_phone] = Sitter(context.new_page())
        sitter = self.sitters[language, is_phone]
        self.resize(sitter, size)
        sitter.page.context.clear_cookies()
        sitter.open(link)
        sitter.page.evaluate(LOOK)
        yield sitter
        for error in sitter.wrong:
            self.report.add(link, error)
        sitter.wrong.clear()
        sitter.page.evaluate("news.close()")  # costs no time while others decide

    def resize(self, sitter: Sitter, size: str) -> None:
        """Give the window of a page another size."""
        width, height = SIZES[size]
        sitter.page.set_viewport_size({"width": width, "height": height})
        sitter.page.evaluate(DRAWN)

    def close(self) -> None:
        """Close all pages."""
        for sitter in self.sitters.values():
            sitter.page.context.close()

    def look(self, made: Any, decision: Decision) -> None:
        """Look at a decision on its pages, and make it on the last."""
        where, link = str(decision.answer), made.links[decision.seat]
        is_first = "decision" not in self.report.seen
        self.report.seen.add("decision")
        with self.page(link, size="390") as sitter:
            self.measure(sitter, where, "390", with_axe=is_first)
        if "de" in self.book.words:
            with self.page(link, "de") as sitter:
                self.read(sitter, where, "de")
        with self.page(link, size="1024") as sitter:
            self.measure(sitter, where, "1024", with_axe=is_first)
            self.resize(sitter, "1400")
            self.measure(sitter, where, "1400", with_axe=is_first)
            self.read(sitter, where, "en")
            sitter.page.evaluate("texts => act(texts)", decision.typed)
            sitter.until("() => !state.busy && !refreshing")
            if sitter.look()["done"] != 1:
                self.report.add(where, f"refused: {sitter.text('#why-text')}")
                self.decide(made, decision)
                return
            self.read(sitter, where, "en")
            live = sitter.page.evaluate("sight.lines()")
            sitter.page.reload()
            sitter.until("() => typeof state !== 'undefined'")
            sitter.page.evaluate(LOOK)
            for fault in sitter.page.evaluate("sight.newest()"):
                self.report.add(where, f"1400 reloaded: {fault}")
            if sitter.page.evaluate("sight.lines()") != live:
                self.report.add(where, f"log after reload differs from {live[-3:]}")

    def measure(self, sitter: Sitter, where: str, size: str, *, with_axe: bool) -> None:
        """Look for hidden parts of a page, and perhaps let axe look at it."""
        for fault in sitter.page.evaluate("sight.layout()"):
            self.report.add(where, f"{size} {fault}")
        if with_axe:
            self.check_access(sitter, size)

    def read(self, sitter: Sitter, where: str, language: str) -> None:
        """Read all texts of a page."""
        texts = sitter.page.evaluate("sight.texts()")
        identifiers = identifiers_of(self.book, language)
        for kind in ("headings", "buttons"):
            for text in texts[kind]:
                for fault in text_faults(text, identifiers):
                    self.report.add(where, f"{language} {kind}: {fault}: {text}")
        for line in texts["lines"]:
            for fault in line_faults(line, identifiers):
                self.report.add(where, f"{language} log: {fault}: {line['text']}")


# ---------------------------------------------------------------- texts

HANGING = re.compile(
    r"\b(at|for|to|of|in|on|by|with|from|into|onto|as|than|für|von|bei|gegen|ohne)[?.:]*$"
)
IDENTIFIER = re.compile(r"\w_\w|[{}]|\b(undefined|null|None|NaN)\b")
EMPTY = re.compile(
    r"\(\s*\)| [,.;:?!](\s|$)|, ?,|“”|\b(for|of|with|für|von|mit) ?[,;.·]"
)


ADVERBS = ("Zoom in",)
"""Buttons that end in an adverb that looks like a preposition."""


def text_faults(text: str, identifiers: frozenset[str]) -> Iterator[str]:
    """Yield the faults of a heading or a button."""
    if HANGING.search(text) and text not in ADVERBS:
        yield "ends in a preposition"
    yield from content_faults(text, identifiers)


def content_faults(text: str, identifiers: frozenset[str]) -> Iterator[str]:
    """Yield the faults inside any text."""
    if IDENTIFIER.search(text) or identifiers.intersection(re.findall(r"\w+", text)):
        yield "has an identifier"
    if EMPTY.search(text):
        yield "has an empty argument"


def line_faults(line: Mapping[str, str], identifiers: frozenset[str]) -> Iterator[str]:
    """Yield the faults of a line of the log."""
    effects = line["effects"].split(" · ") if line["effects"] else []
    sentence = line["text"].removesuffix(line["effects"])
    if len(set(effects)) < len(effects) or any(each in sentence for each in effects):
        yield "repeats an effect"
    if HANGING.search(sentence.strip()):
        yield "ends in a preposition"
    yield from content_faults(line["text"], identifiers)


def identifiers_of(book: Rulebook, language: str) -> frozenset[str]:
    """Return the declared names that are no words of the texts in a language.

    A name with a capital is a proper name, and its own title in every language.
    """
    model = book.model
    names = {*model.domains, *model.actions, *model.fields, *model.procedures}
    names |= {member for domain in model.domains.values() for member in domain.members}
    localizer = Localizer(language, book)
    tables = (localizer.words, localizer.questions, localizer.reports)
    texts = [text for table in tables for several in table.values() for text in several]
    for section in ("phrases", "changes"):
        texts += phrase_table(language, section).values()
    known = set(re.findall(r"\w+", " ".join(texts)))
    known |= {word for name in names for word in titled(name, localizer)}
    return frozenset(name for name in names - known if name == name.lower())


def titled(name: str, localizer: Localizer) -> list[str]:
    """Return the words of a title; outside English, only of one in the rules."""
    if localizer.language != "en" and name not in localizer.words:
        return []
    return re.findall(r"\w+", localizer.title(name))


# ---------------------------------------------------------------- tests


@pytest.mark.parametrize("variant", FILES, ids=lambda name: Path(name).stem)
def test_every_kind_of_decision_fits_and_reads_well(
    variant: str, serve: Callable[..., Any], chromium: Any, *, deep: bool
) -> None:
    """Question, answers, hand and log are in sight at three sizes of the screen."""
    if not deep and variant not in QUICK:
        pytest.skip("the decisions of this game are among the long checks: --deep")
    book = load(variant)
    played = plays(book, GAMES if deep else 1, STEPS if deep else 20)
    chosen = scenes(played)
    games = (variant,) if variant.endswith(".rules") else ()
    server = serve(games=games, away=3600.0)
    with closing(Theatre(server, chromium, variant, book)) as theatre:
        for number, play in enumerate(played):
            theatre.show(play, {step for game, step in chosen if game == number})
    assert chosen
    assert not theatre.report.faults, "\n".join(theatre.report.lines())


MARKET = """rules language 1
rulebook market "Market"
  players 2
  seats red, blue
  turns 50
  source ours "A game for a test"
kind sort (sorts): money, house
cards item (items)
  item    | copies | sort  | price | coins
  penny   |     20 | money |     0 |     1
  crown   |     20 | money |     3 |     2
  pound   |     20 | money |     6 |     3
  cottage |     20 | house |     2 |     0
  manor   |     20 | house |     5 |     0
  palace  |     20 | house |     8 |     0
  porch   |     20 | house |     4 |     0
  fence   |     20 | house |     1 |     0
  garden  |     20 | house |     3 |     0
  wall    |     20 | house |     3 |     0
game has
  supply: bag of item, seen by all, starts with every item
each player has
  hand:    bag of item, seen by owner
  reserve: bag of item, seen by all
setup
  each player:
    move 4 penny from supply to player's hand
    move 3 crown from supply to player's hand
    move 3 manor from supply to player's reserve
  red starts
turn
  phase market
    you may, until stop:
      buy
action buy(item)
  needs stock: supply has item "the supply has none"
  move 1 item from supply to your reserve
words en
  buy = "buy a card"
"""


def test_a_long_list_of_choices_leaves_room_for_the_hand(
    serve: Callable[..., Any], chromium: Any, tmp_path: Path
) -> None:
    """On a phone, with cards in columns, and a decision that can be undone."""
    file = tmp_path / "market.rules"
    file.write_text(MARKET, encoding="utf-8")
    made = serve(games=(str(file),)).table(str(file), 2, seed=1)
    with closing(Theatre(made.server, chromium, str(file), load(str(file)))) as theatre:
        theatre.decide(made, Decision(("", "", True), "red", 1, ["buy(penny)"]))
        with theatre.page(made.links["red"], size="390") as sitter:
            assert sitter.named("button", re.compile("undo")).is_visible()
            assert not sitter.page.evaluate("sight.layout()")


def test_the_log_stays_at_its_newest_line_in_a_window_of_another_size(
    serve: Callable[..., Any], chromium: Any
) -> None:
    """It stays where it is if the reader has scrolled away."""
    book = load("germany")
    (play,) = plays(book, 1, 40)
    *before, now = play.decisions
    made = serve(away=3600.0).table(
        "germany", dict.fromkeys(play.seats, "person"), seed=0
    )
    with closing(Theatre(made.server, chromium, "germany", book)) as theatre:
        for decision in before:
            theatre.decide(made, decision)
        with theatre.page(made.links[now.seat], size="1400") as sitter:
            for size in ("1024", "1400", "1024"):
                assert not sitter.page.evaluate("sight.layout()"), size
                theatre.resize(sitter, size)
            sitter.page.evaluate("$('log').scrollTop = 0")
            theatre.resize(sitter, "1400")
            assert sitter.page.evaluate("$('log').scrollTop") == 0
