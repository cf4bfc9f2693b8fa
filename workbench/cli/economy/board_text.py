"""Report on the economy of one board, for people."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import attrs

from workbench.analysis.economy import Economy
from workbench.analysis.economy.board_samples import by_kind
from workbench.analysis.economy.examination import Begun, SupplyReport, Wait
from workbench.analysis.economy.probes.blockers import Blocked
from workbench.analysis.economy.probes.income import Income
from workbench.analysis.economy.valuation.unreachable import Unreachable
from workbench.cli.economy.words import (
    amount_text,
    blocks,
    bought,
    counted,
    percent,
    split_labels,
    total,
    waited,
)
from workbench.cli.frame.output import put, put_rows, put_sentence
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.picture.tags import number

RICHEST = 12
"""Maximum number of spaces listed per piece, the richest first, without `--all`."""


@attrs.frozen
class BoardText:
    """Report on the economy of one board."""

    economy: Economy
    titles: Wording
    all: bool

    def put(self) -> None:
        """Write the whole report."""
        economy, fed = self.economy, self.economy.fed
        book, ground = economy.book, economy.ground
        put(f"{book.title}, {len(ground.seats)} players")
        if ground.deals:
            put(f"Board dealt with seed {economy.settings.seed}.")
        if fed is None:
            put(f"\nThe income of turns is unknown: {economy.why}.")
        elif not fed.brings:
            put(
                "\nNo turn yields income automatically: players gain cards only by"
                " their actions."
            )
        else:
            self.income(fed)
        if not economy.prices:
            put("\nNothing has a cost." if not economy.unsaid else "")
        elif fed is None or not fed.brings:
            self.prices()
        else:
            self.prices()
            self.exchanges(fed)
            self.waits(fed)
        self.never()

    # ------------------------------------------------------------ income

    def income(self, fed: SupplyReport) -> None:
        """Write the income of spaces and set-ups, and the blocked share."""
        whose = "whoever is to move" if fed.even else "averaged over a round"
        put(f"Average number of cards in {fed.per} turns, {whose}.")
        at, other = self.economy.ground.round, self.economy.otherwise
        if other is not None:
            put_sentence(
                f"Turns of round {at}; the income in round {other} differs"
                f" (see --round {other})."
            )
        elif at > 1:
            put(f"Turns of round {at}.")
        if fed.nothing:
            put(f"\nWith no piece: {self.cards(fed.nothing, fed.per)}.")
        for piece, row in fed.spaces.items():
            self.spaces(piece, row, fed)
        for it in fed.blocked:
            self.stopped(it)
        self.setups(fed)

    def stopped(self, it: Blocked) -> None:
        """Write the share of all income that a piece without an owner blocks."""
        begins = (
            "" if it.begins is None else f"{percent(it.begins)} on its starting space, "
        )
        where = self.titles.joined([self.titles.value(name) for name in it.where])
        put_sentence(
            f"\n{self.titles.title(it.piece)} blocks"
            f" {begins}{percent(it.evenly)} of all cards on average over"
            f" {it.places} spaces, and {percent(it.most)} on the worst"
            f" ({where}). All other figures ignore it."
        )

    def spaces(self, piece: str, row: Mapping[str, Income], fed: SupplyReport) -> None:
        """Write the spaces of a piece, the richest first."""
        ranked = sorted(row.items(), key=lambda pair: -total(pair[1]))
        ranked = [(name, income) for name, income in ranked if income]
        shown = ranked if self.all else ranked[:RICHEST]
        put(
            f"\n{self.titles.title(piece)}: {len(ranked)} of its {len(row)}"
            " possible spaces yield income"
        )
        kinds = self.kinds(it for _, it in ranked)
        rows = [(self.titles.value(n), it) for n, it in shown]
        every = by_kind(it for _, it in ranked)
        self.table("space", [*rows, (f"all {len(ranked)}", every)], kinds, fed)
        if len(shown) < len(ranked):
            poorest = number(float(total(ranked[-1][1]) * fed.per))
            more = len(ranked) - len(shown)
            put(f"  … and {more} more, down to {poorest} (--all lists them)")

    def setups(self, fed: SupplyReport) -> None:
        """Write the listed set-ups, with their income."""
        if not any(it.setup.pieces for it in fed.begun):
            return
        listed = [(self.label(it, n), it.income) for n, it in enumerate(fed.begun)]
        kinds = self.kinds(it for _, it in (*listed, ("", fed.setups.mean)))
        if fed.setups.chosen:
            put("\nSet-ups: players choose them")
            mean = (f"mean of {fed.setups.seen} random", fed.setups.mean)
            listed = [*listed, mean]
        else:
            put("\nSet-ups: they are dealt")
        self.table("set-up", listed, kinds, fed)
        for n, it in enumerate(fed.begun):
            spaces = [
                self.titles.value(space)
                for name, spaces in it.setup.pieces.items()
                if name in fed.spaces
                for space in spaces
            ]
            cards = counted(it.setup.cards, self.titles)
            put(f"  {self.label(it, n)}: {', '.join(spaces)}{cards and '; ' + cards}")

    def kinds(self, incomes: Iterable[Income]) -> list[str]:
        """Return the kinds in some incomes: those that pay first, in rules order."""
        seen = {kind for income in incomes for kind in income}
        purse = self.economy.ground.purse
        ordered = () if purse is None else purse.kinds
        return [*(it for it in ordered if it in seen), *sorted(seen - set(ordered))]

    def label(self, begun: Begun, number: int) -> str:
        """Return the label of a set-up."""
        label = begun.setup.label
        return self.titles.title(label) if label else str(number + 1)

    def table(
        self,
        head: str,
        rows: Sequence[tuple[str, Income]],
        kinds: Sequence[str],
        fed: SupplyReport,
    ) -> None:
        """Write incomes as a table."""
        heads = [head, "cards", *(self.titles.value(kind) for kind in kinds)]
        zero = Fraction()
        cells = [
            [
                name,
                amount_text(total(income) * fed.per),
                *(amount_text(income.get(kind, zero) * fed.per) for kind in kinds),
            ]
            for name, income in rows
        ]
        put_rows(cells, heads=heads, right=range(1, len(heads)), indent=2)

    def cards(self, income: Income, per: int) -> str:
        """Return an income in words."""
        parts = [
            f"{amount_text(v * per)} {self.titles.value(k)}" for k, v in income.items()
        ]
        return ", ".join(parts)

    # ------------------------------------------------------------ prices

    def prices(self) -> None:
        """Write the prices."""
        put("\nPrices")
        rows = [
            (bought(it, self.titles), counted(it.cost, self.titles))
            for it in self.economy.prices
        ]
        put_rows(rows, indent=2)

    def exchanges(self, fed: SupplyReport) -> None:
        """Write the possible exchanges, by set-up if they differ."""
        offered = [
            (self.label(it, n), self.offered(it)) for n, it in enumerate(fed.begun)
        ]
        if not any(rows for _, rows in offered):
            return
        put("\nExchanges available at any time, without another player")
        first = offered[0][1]
        if all(rows == first for _, rows in offered):
            put_rows(first, texts=[1], indent=2)
            return
        put_rows(
            [(label, *row) for label, rows in offered for row in rows],
            texts=[2],
            indent=2,
        )

    def offered(self, begun: Begun) -> list[tuple[str, str]]:
        """Return the exchanges of a set-up: the action, and the cards on both sides."""
        purse = self.economy.ground.purse
        kinds = () if purse is None else purse.kinds
        rates: dict[tuple[str, int, int], tuple[set[str], set[str]]] = {}
        for it in begun.exchanges:
            gives, gets = rates.setdefault(
                (it.action, it.gives, it.gets), (set(), set())
            )
            gives.add(it.give)
            gets.add(it.get)
        rows = []
        for (action, n, k), (gives, gets) in rates.items():
            given = self.either(gives, kinds, "of a kind")
            got = self.either(gets, kinds, "other")
            rows.append((action, f"{n} {given} for {k} {got}"))
        return rows

    def either(self, some: set[str], kinds: Sequence[str], every: str) -> str:
        """Return some kinds in words, or `every` if they are all kinds."""
        if some == set(kinds):
            return every
        names = [self.titles.value(kind) for kind in kinds if kind in some]
        return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)

    def waits(self, fed: SupplyReport) -> None:
        """Write the saving time of prices, and the value of cards."""
        exchanged = any(it.exchanges for it in fed.begun)
        bracket = "; without exchanges in parentheses" if exchanged else ""
        put_sentence(
            "\nTurns until affordable, starting with nothing and saving for it"
            f" alone{bracket}"
        )
        names = [bought(price, self.titles) for price in self.economy.prices]
        shared, labels = split_labels(
            [self.label(it, n) for n, it in enumerate(fed.begun)]
        )
        columns = [
            [waited(it.waits[n], both=exchanged) for it in fed.begun]
            for n in range(len(self.economy.prices))
        ]
        blocks(shared, names, labels, columns)
        put(f"\nValue of one more card, as a share of a purchase ({shared}{labels[0]})")
        kinds = self.economy.ground.purse.kinds if self.economy.ground.purse else ()
        first = fed.begun[0]
        heads = [self.titles.value(kind) for kind in kinds]
        shares = [[self.share(wait, kind) for kind in kinds] for wait in first.waits]
        blocks("", names, heads, shares)

    def share(self, wait: Wait, kind: str) -> str:
        """Return the value of a card of a kind, as a share of a purchase."""
        value = wait.worth.cards.get(kind)
        return "-" if value is None else f"{value:.2f}"

    # ------------------------------------------------------------ never

    def never(self) -> None:
        """Write everything that can never happen."""
        economy = self.economy
        self.listed("Costs that can never be paid", economy.unaffordable)
        self.listed("Costs that income and exchanges alone cannot pay", economy.unfed)
        self.listed("Awards that can never be won", economy.awards)
        self.listed("Actions that can never be done", economy.actions)
        self.listed("Cards that can never be played", economy.cards)
        if economy.unsaid:
            names = ", ".join(self.titles.title(name) for name in economy.unsaid)
            put(f"\nCost computed during play: {names}")

    def listed(self, title: str, listed: Iterable[Unreachable]) -> None:
        """Write unreachable things with reasons, below a title."""
        rows = [(it.name, it.reason) for it in listed]
        if rows:
            put(f"\n{title}")
            put_rows(rows, texts=[1], indent=2)
