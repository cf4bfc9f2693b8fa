"""`rulebook economy`: what a board brings and what things cost, with no game played."""

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import attrs

from workbench.cli.frame.games import settings
from workbench.cli.frame.output import put, put_json, put_rows
from workbench.economy import Economy, document, drawn, examine
from workbench.economy.analysis import Begun, Fed, Wait
from workbench.economy.asked.blocking import Blocked
from workbench.economy.asked.income import Income
from workbench.economy.reckoned.never import Never
from workbench.economy.reckoned.prices import Price
from workbench.errors import Refused
from workbench.library.files import SVG, replace_text, spare
from workbench.library.loading import load
from workbench.localization.localizer import Wording, bare
from workbench.picture.tags import number

RICHEST = 12
"""So many spaces of a piece are listed, the richest, where not all are asked for."""


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook economy`."""
    _check(arguments)
    book = load(arguments.variant)
    if arguments.piece is not None and arguments.piece not in book.model.pieces:
        raise Refused(f"{book.name} has no piece {arguments.piece}")
    economy = examine(book, settings(arguments), arguments.setups)
    if arguments.out is not None:
        picture = drawn(economy, arguments.piece, arguments.language)
        replace_text(Path(arguments.out), picture)
    if arguments.json:
        put_json({**document(economy), "out": arguments.out})
        return 0
    titles = Wording.of(book, arguments.language)
    Shown(economy, titles, all=arguments.all).put()
    if arguments.out is not None:
        put(f"\n{arguments.out}: the map")
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse what cannot be, before anything is reckoned."""
    if arguments.setups < 1:
        raise Refused(f"--setups {arguments.setups} is less than 1")
    if arguments.out is None:
        if arguments.piece is not None:
            raise Refused("--piece says what --out shows", "add --out FILE.svg")
        return
    ending = Path(arguments.out).suffix
    if ending not in {"", ".svg"}:
        raise Refused(f"maps are SVG, not {ending}", "write --out NAME.svg")
    spare(arguments.out, SVG, "a picture")


@attrs.frozen
class Shown:
    """An economy as people read it."""

    economy: Economy
    titles: Wording
    all: bool

    def put(self) -> None:
        """Write all of it."""
        economy, fed = self.economy, self.economy.fed
        book, ground = economy.book, economy.ground
        put(f"{book.title}, {len(ground.seats)} players")
        if ground.deals:
            put(f"Of the board that is dealt with the seed {economy.settings.seed}.")
        if fed is None:
            put(f"\nWhat turns bring cannot be told: {economy.why}.")
        elif not fed.brings:
            put("\nNo turn brings anything by itself: what comes, players bring about.")
        else:
            self.income(fed)
        if not economy.prices:
            put("\nNothing has a price." if not economy.unsaid else "")
        elif fed is None or not fed.brings:
            self.prices()
        else:
            self.waits(fed)
        self.never()

    # ------------------------------------------------------------ income

    def income(self, fed: Fed) -> None:
        """What spaces and set-ups bring, and what is stopped of it."""
        whose = "whoever's turn it is" if fed.even else "over a round, a turn"
        put(f"Cards in {fed.per} turns, on average, {whose}.")
        if fed.nothing:
            put(f"\nWith no piece: {self.cards(fed.nothing, fed.per)}.")
        for piece, row in fed.spaces.items():
            self.spaces(piece, row, fed)
        for it in fed.blocked:
            self.stopped(it)
        self.setups(fed)

    def stopped(self, it: Blocked) -> None:
        """What a piece of nobody stops of all income."""
        begins = "" if it.begins is None else f"{percent(it.begins)} where it begins, "
        where = self.titles.joined([self.titles.title(name) for name in it.where])
        put(
            f"\n{self.titles.title(it.piece)} stops {begins}{percent(it.evenly)} of all"
            f" cards on average over {it.places} places, and {percent(it.most)} at the"
            f" worst ({where}). All else here is without it."
        )

    def spaces(self, piece: str, row: Mapping[str, Income], fed: Fed) -> None:
        """The spaces of a piece, the richest first."""
        ranked = sorted(row.items(), key=lambda pair: -total(pair[1]))
        ranked = [(name, income) for name, income in ranked if income]
        shown = ranked if self.all else ranked[:RICHEST]
        put(
            f"\n{self.titles.title(piece)}: {len(ranked)} of the {len(row)} spaces"
            " on which it may stand bring something"
        )
        kinds = self.kinds(it for _, it in ranked)
        self.table("space", [(self.titles.title(n), it) for n, it in shown], kinds, fed)
        if len(shown) < len(ranked):
            poorest = number(float(total(ranked[-1][1]) * fed.per))
            more = len(ranked) - len(shown)
            put(f"  … and {more} more, down to {poorest} (--all lists them)")

    def setups(self, fed: Fed) -> None:
        """The set-ups that are listed, with what they bring."""
        if not any(it.setup.pieces for it in fed.begun):
            return
        listed = [(self.label(it, n), it.income) for n, it in enumerate(fed.begun)]
        kinds = self.kinds(it for _, it in (*listed, ("", fed.setups.mean)))
        if fed.setups.chosen:
            put("\nSet-ups: players choose them")
            mean = (f"mean of {fed.setups.seen} by lot", fed.setups.mean)
            listed = [*listed, mean]
        else:
            put("\nSet-ups: they are dealt")
        self.table("set-up", listed, kinds, fed)
        for n, it in enumerate(fed.begun):
            spaces = [
                self.titles.title(space)
                for name, spaces in it.setup.pieces.items()
                if name in fed.spaces
                for space in spaces
            ]
            put(f"  {self.label(it, n)}: {', '.join(spaces)}")

    def kinds(self, incomes: Iterable[Income]) -> list[str]:
        """The kinds of some incomes: what pays first, in the order of the rules."""
        seen = {kind for income in incomes for kind in income}
        purse = self.economy.ground.purse
        ordered = () if purse is None else purse.kinds
        return [*(it for it in ordered if it in seen), *sorted(seen - set(ordered))]

    def label(self, begun: Begun, number: int) -> str:
        """What a set-up is called."""
        label = begun.setup.label
        return self.titles.title(label) if label else str(number + 1)

    def table(
        self,
        head: str,
        rows: Sequence[tuple[str, Income]],
        kinds: Sequence[str],
        fed: Fed,
    ) -> None:
        """Incomes below one another."""
        heads = [head, "cards", *(self.titles.title(kind) for kind in kinds)]
        zero = Fraction()
        cells = [
            [
                name,
                shown(total(income) * fed.per),
                *(shown(income.get(kind, zero) * fed.per) for kind in kinds),
            ]
            for name, income in rows
        ]
        put_rows(cells, heads=heads, right=range(1, len(heads)), indent=2)

    def cards(self, income: Income, per: int) -> str:
        """An income in words."""
        parts = [f"{shown(v * per)} {self.titles.title(k)}" for k, v in income.items()]
        return ", ".join(parts)

    # ------------------------------------------------------------ prices

    def prices(self) -> None:
        """What things cost."""
        put("\nPrices")
        rows = [(self.bought(it), self.cost(it.cost)) for it in self.economy.prices]
        put_rows(rows, indent=2)

    def bought(self, price: Price) -> str:
        """What is bought for a price: a card, or what an action says that it does."""
        return bare(self.titles.title(price.card or price.action))

    def cost(self, cost: Mapping[str, int]) -> str:
        """A price in words."""
        return ", ".join(f"{n} {self.titles.title(kind)}" for kind, n in cost.items())

    def waits(self, fed: Fed) -> None:
        """How long prices take, and what cards are worth."""
        exchanged = any(it.exchanges for it in fed.begun)
        bracket = ", without exchanges in brackets" if exchanged else ""
        put(
            "\nTurns until it can be paid, from nothing and saving for it alone"
            f"{bracket}"
        )
        labels = [self.label(it, n) for n, it in enumerate(fed.begun)]
        rows = [
            (
                self.bought(price),
                self.cost(price.cost),
                *(waited(it.waits[n], both=exchanged) for it in fed.begun),
            )
            for n, price in enumerate(self.economy.prices)
        ]
        last = range(2, 2 + len(labels))
        put_rows(rows, heads=("", "price", *labels), right=last, indent=2)
        put(f"\nShare of a purchase that one more card brings ({labels[0]})")
        kinds = self.economy.ground.purse.kinds if self.economy.ground.purse else ()
        first = fed.begun[0]
        table = [
            (
                self.bought(price),
                *(self.share(first.waits[n], kind) for kind in kinds),
            )
            for n, price in enumerate(self.economy.prices)
        ]
        heads = ("", *(self.titles.title(kind) for kind in kinds))
        put_rows(table, heads=heads, right=range(1, len(heads)), indent=2)

    def share(self, wait: Wait, kind: str) -> str:
        """What a card of a kind is worth, in hundredths of what is paid for."""
        value = wait.worth.cards.get(kind)
        return "-" if value is None else f"{value:.2f}"

    # ------------------------------------------------------------ never

    def never(self) -> None:
        """What never comes about."""
        economy = self.economy
        self.listed("Nobody can ever pay", economy.unaffordable)
        self.listed("Not by income and exchanges alone", economy.unfed)
        self.listed("Awards that nobody can reach", economy.awards)
        self.listed("Actions that can never be done", economy.actions)
        self.listed("Cards that can never be played", economy.cards)
        if economy.unsaid:
            names = ", ".join(self.titles.title(name) for name in economy.unsaid)
            put(f"\nThe price is reckoned in play: {names}")

    def listed(self, title: str, listed: Iterable[Never]) -> None:
        """Some of it, with reasons."""
        rows = [(it.name, it.reason) for it in listed]
        if rows:
            put(f"\n{title}")
            put_rows(rows, texts=[1], indent=2)


def total(income: Income) -> Fraction:
    """How many cards an income is, of whatever kind."""
    return sum(income.values(), Fraction())


def shown(value: Fraction) -> str:
    """A number of cards: whole, or with one digit."""
    return str(value) if value.denominator == 1 else f"{float(value):.1f}"


def percent(value: Fraction) -> str:
    """A share."""
    return f"{100 * float(value):.1f} %"


def waited(wait: Wait, *, both: bool) -> str:
    """A number of turns, with what it is without exchanges."""
    if not wait.known:
        return "?"
    first, second = (turns(it) for it in (wait.full, wait.without))
    return f"{first} ({second})" if both else first


def turns(value: float | None) -> str:
    """A mean number of turns."""
    return "never" if value is None else f"{value:.1f}"
