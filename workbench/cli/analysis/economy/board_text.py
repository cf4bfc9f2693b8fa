"""Text report on the economy of one board."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import attrs

from workbench.analysis.economy import Economy
from workbench.analysis.economy.board_samples import sum_by_kind
from workbench.analysis.economy.examination import (
    ExaminedSetUp,
    IncomeReport,
    SavingTime,
)
from workbench.analysis.economy.probes.blockers import Blocker
from workbench.analysis.economy.probes.income_probe import Income
from workbench.analysis.economy.valuation.unreachable import Unreachable
from workbench.cli.analysis.economy.formatting import (
    amount_text,
    cards_text,
    percent_text,
    purchase_name,
    split_labels,
    total_cards,
    wait_text,
    write_blocks,
)
from workbench.cli.frame.output import write_line, write_sentence, write_table
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.picture.tags import format_number

MAX_LISTED_SPACES = 12
"""Maximum number of spaces listed for each piece without `--all`."""


@attrs.frozen
class BoardText:
    """Text report on the economy of one board."""

    economy: Economy
    localizer: Localizer
    show_all: bool

    def write(self) -> None:
        """Write the whole report."""
        economy, income_report = self.economy, self.economy.income_report
        book, baseline = economy.book, economy.baseline
        write_line(f"{book.title}, {len(baseline.seats)} players")
        if baseline.deals_board:
            write_line(f"Board dealt with seed {economy.settings.seed}.")
        if income_report is None:
            write_line(f"\nThe income of turns is unknown: {economy.unknown_reason}.")
        elif not income_report.has_income:
            write_line(
                "\nNo turn yields income automatically: players gain cards only by"
                " their actions."
            )
        else:
            self.write_income(income_report)
        if not economy.prices:
            write_line("\nNothing has a cost." if not economy.unknown_prices else "")
        elif income_report is None or not income_report.has_income:
            self.write_prices()
        else:
            self.write_prices()
            self.write_exchanges(income_report)
            self.write_saving_times(income_report)
        self.write_unreachable()

    # ------------------------------------------------------------ income

    def write_income(self, report: IncomeReport) -> None:
        """Write the income of spaces and set-ups, and the share that pieces block."""
        turn_text = "whoever is to move" if report.is_even else "averaged over a round"
        write_line(f"Average number of cards in {report.turns} turns, {turn_text}.")
        current, later = self.economy.baseline.round, self.economy.later_round
        if later is not None:
            write_sentence(
                f"Turns of round {current}; the income in round {later} differs"
                f" (see --round {later})."
            )
        elif current > 1:
            write_line(f"Turns of round {current}.")
        if report.base_income:
            write_line(
                "\nWith no piece: "
                f"{self.income_text(report.base_income, report.turns)}."
            )
        for piece, incomes in report.spaces.items():
            self.write_spaces(piece, incomes, report)
        for it in report.blockers:
            self.write_blocked_share(it)
        self.write_setups(report)

    def write_blocked_share(self, blocked: Blocker) -> None:
        """Write the share of all income that a piece without an owner blocks."""
        initial = (
            ""
            if blocked.initial_share is None
            else f"{percent_text(blocked.initial_share)} on its starting space, "
        )
        worst_spaces = self.localizer.list_text(
            [self.localizer.value(name) for name in blocked.worst_place]
        )
        write_sentence(
            f"\n{self.localizer.title(blocked.piece)} blocks"
            f" {initial}{percent_text(blocked.mean_share)} of all cards on average over"
            f" {blocked.places} spaces, and "
            f"{percent_text(blocked.worst_share)} on the worst"
            f" ({worst_spaces}). All other figures ignore it."
        )

    def write_spaces(
        self, piece: str, incomes: Mapping[str, Income], report: IncomeReport
    ) -> None:
        """Write the income of the spaces where a piece can be placed, richest first."""
        ranked = sorted(incomes.items(), key=lambda pair: -total_cards(pair[1]))
        ranked = [(name, income) for name, income in ranked if income]
        listed = ranked if self.show_all else ranked[:MAX_LISTED_SPACES]
        write_line(
            f"\n{self.localizer.title(piece)}: {len(ranked)} of its {len(incomes)}"
            " possible spaces yield income"
        )
        kinds = self.ordered_kinds(it for _, it in ranked)
        rows = [(self.localizer.value(n), it) for n, it in listed]
        total = sum_by_kind(it for _, it in ranked)
        self.write_incomes(
            "space", [*rows, (f"all {len(ranked)}", total)], kinds, report
        )
        if len(listed) < len(ranked):
            poorest = format_number(float(total_cards(ranked[-1][1]) * report.turns))
            omitted = len(ranked) - len(listed)
            write_line(f"  … and {omitted} more, down to {poorest} (--all lists them)")

    def write_setups(self, report: IncomeReport) -> None:
        """Write the income of each examined set-up, then its spaces and cards."""
        if not any(it.setup.pieces for it in report.examined_setups):
            return
        listed = [
            (self.setup_label(it, n), it.income)
            for n, it in enumerate(report.examined_setups)
        ]
        kinds = self.ordered_kinds(it for _, it in (*listed, ("", report.setups.mean)))
        if report.setups.chosen_by_players:
            write_line("\nSet-ups: players choose them")
            mean = (f"mean of {report.setups.sample_size} random", report.setups.mean)
            listed = [*listed, mean]
        else:
            write_line("\nSet-ups: they are dealt")
        self.write_incomes("set-up", listed, kinds, report)
        for n, it in enumerate(report.examined_setups):
            spaces = [
                self.localizer.value(space)
                for name, spaces in it.setup.pieces.items()
                if name in report.spaces
                for space in spaces
            ]
            cards = cards_text(it.setup.cards, self.localizer)
            contents = f"{', '.join(spaces)}{cards and '; ' + cards}"
            write_line(f"  {self.setup_label(it, n)}: {contents}")

    def ordered_kinds(self, incomes: Iterable[Income]) -> list[str]:
        """Return the kinds of cards in *incomes*, first those that can pay costs."""
        kinds = {kind for income in incomes for kind in income}
        payments = self.economy.baseline.payments
        ordered = () if payments is None else payments.kinds
        return [*(it for it in ordered if it in kinds), *sorted(kinds - set(ordered))]

    def setup_label(self, examined: ExaminedSetUp, index: int) -> str:
        """Return the label of the set-up at *index*, or its number if it has none."""
        label = examined.setup.label
        return self.localizer.title(label) if label else str(index + 1)

    def write_incomes(
        self,
        name_heading: str,
        rows: Sequence[tuple[str, Income]],
        kinds: Sequence[str],
        report: IncomeReport,
    ) -> None:
        """Write a table of cards, in all and by kind, with a row for each income."""
        heads = [name_heading, "cards", *(self.localizer.value(kind) for kind in kinds)]
        zero = Fraction()
        cells = [
            [
                name,
                amount_text(total_cards(income) * report.turns),
                *(amount_text(income.get(kind, zero) * report.turns) for kind in kinds),
            ]
            for name, income in rows
        ]
        write_table(cells, headings=heads, right_aligned=range(1, len(heads)), indent=2)

    def income_text(self, income: Income, turns: int) -> str:
        """Return the cards that an income yields in *turns* turns, in words."""
        parts = [
            f"{amount_text(v * turns)} {self.localizer.value(k)}"
            for k, v in income.items()
        ]
        return ", ".join(parts)

    # ------------------------------------------------------------ prices

    def write_prices(self) -> None:
        """Write each purchase with the cards that it costs."""
        write_line("\nPrices")
        rows = [
            (purchase_name(it, self.localizer), cards_text(it.cost, self.localizer))
            for it in self.economy.prices
        ]
        write_table(rows, indent=2)

    def write_exchanges(self, report: IncomeReport) -> None:
        """Write the possible exchanges, by set-up if they differ."""
        rows_by_setup = [
            (self.setup_label(it, n), self.exchange_rows(it))
            for n, it in enumerate(report.examined_setups)
        ]
        if not any(rows for _, rows in rows_by_setup):
            return
        write_line("\nExchanges available at any time, without another player")
        first = rows_by_setup[0][1]
        if all(rows == first for _, rows in rows_by_setup):
            write_table(first, wrapping=[1], indent=2)
            return
        write_table(
            [(label, *row) for label, rows in rows_by_setup for row in rows],
            wrapping=[2],
            indent=2,
        )

    def exchange_rows(self, examined: ExaminedSetUp) -> list[tuple[str, str]]:
        """Return (action, cards given and received) for each exchange of a set-up."""
        payments = self.economy.baseline.payments
        kinds = () if payments is None else payments.kinds
        rates: dict[tuple[str, int, int], tuple[set[str], set[str]]] = {}
        for it in examined.exchanges:
            gives, gets = rates.setdefault(
                (it.action, it.give_count, it.get_count), (set(), set())
            )
            gives.add(it.give)
            gets.add(it.get)
        rows = []
        for (action, n, k), (gives, gets) in rates.items():
            given_text = self.kinds_text(gives, kinds, "of a kind")
            received_text = self.kinds_text(gets, kinds, "other")
            rows.append((action, f"{n} {given_text} for {k} {received_text}"))
        return rows

    def kinds_text(
        self, selected: set[str], kinds: Sequence[str], all_text: str
    ) -> str:
        """Return the selected kinds in words, or `all_text` if these are all kinds."""
        if selected == set(kinds):
            return all_text
        names = [self.localizer.value(kind) for kind in kinds if kind in selected]
        return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)

    def write_saving_times(self, report: IncomeReport) -> None:
        """Write the saving time of each price, and the value of one more card."""
        has_exchanges = any(it.exchanges for it in report.examined_setups)
        exchange_note = "; without exchanges in parentheses" if has_exchanges else ""
        write_sentence(
            "\nTurns until affordable, starting with nothing and saving for it"
            f" alone{exchange_note}"
        )
        names = [purchase_name(price, self.localizer) for price in self.economy.prices]
        shared, labels = split_labels(
            [self.setup_label(it, n) for n, it in enumerate(report.examined_setups)]
        )
        cells = [
            [
                wait_text(it.saving_times[n], show_both=has_exchanges)
                for it in report.examined_setups
            ]
            for n in range(len(self.economy.prices))
        ]
        write_blocks(shared, names, labels, cells)
        write_line(
            f"\nValue of one more card, as a share of a purchase ({shared}{labels[0]})"
        )
        kinds = (
            self.economy.baseline.payments.kinds
            if self.economy.baseline.payments
            else ()
        )
        first_setup = report.examined_setups[0]
        heads = [self.localizer.value(kind) for kind in kinds]
        shares = [
            [self.card_share(wait, kind) for kind in kinds]
            for wait in first_setup.saving_times
        ]
        write_blocks("", names, heads, shares)

    def card_share(self, wait: SavingTime, kind: str) -> str:
        """Return one more card's value as a fraction of a purchase; `-` means none."""
        value = wait.purchase_value.cards.get(kind)
        return "-" if value is None else f"{value:.2f}"

    # ------------------------------------------------------------ unreachable content

    def write_unreachable(self) -> None:
        """Write the costs, awards, actions and cards that are out of reach."""
        economy = self.economy
        self.write_list("Costs that can never be paid", economy.unaffordable)
        self.write_list(
            "Costs that income and exchanges alone cannot pay", economy.unpayable
        )
        self.write_list("Awards that can never be won", economy.awards)
        self.write_list("Actions that can never be done", economy.actions)
        self.write_list("Cards that can never be played", economy.cards)
        if economy.unknown_prices:
            names = ", ".join(
                self.localizer.title(name) for name in economy.unknown_prices
            )
            write_line(f"\nCost computed during play: {names}")

    def write_list(self, title: str, unreachable: Iterable[Unreachable]) -> None:
        """Write a title, then each unreachable part of the rules with its reason."""
        rows = [(it.name, it.reason) for it in unreachable]
        if rows:
            write_line(f"\n{title}")
            write_table(rows, wrapping=[1], indent=2)
