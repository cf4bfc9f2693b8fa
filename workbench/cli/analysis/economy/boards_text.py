"""Text report on the economy of many boards."""

import attrs

from workbench.analysis.economy import BoardsEconomy
from workbench.analysis.economy.board_samples import BlockedShare, BoardSpread
from workbench.cli.analysis.economy.board_text import MAX_LISTED_SPACES, BoardText
from workbench.cli.analysis.economy.formatting import purchase_name, write_blocks
from workbench.cli.frame.output import write_line, write_sentence, write_table
from workbench.presentation.localization.localizer import Localizer


@attrs.frozen
class BoardsText:
    """Text report on the economy of many boards."""

    boards: BoardsEconomy
    localizer: Localizer
    show_all: bool

    def write(self) -> None:
        """Write the whole report."""
        boards, income_report, first = (
            self.boards,
            self.boards.income_report,
            self.boards.first,
        )
        seed = first.settings.seed or 0
        write_line(f"{first.book.title}, {len(first.baseline.seats)} players")
        turn_text = (
            "whoever is to move" if income_report.is_even else "averaged over a round"
        )
        write_sentence(
            f"Mean of {boards.board_count} boards, dealt with seeds {seed} to"
            f" {seed + boards.board_count - 1}, ± half of its 95 % interval;"
            " smallest and largest values in parentheses. Average number of"
            f" cards in {income_report.turns} turns, {turn_text}."
        )
        for piece in boards.spaces:
            self.write_spaces(piece)
        for it in boards.blocked_shares:
            self.write_blocked_share(it)
        self.write_setups()
        board_text = BoardText(first, self.localizer, show_all=self.show_all)
        if first.prices:
            board_text.write_prices()
            self.write_saving_times()
        board_text.write_unreachable()

    def write_spaces(self, piece: str) -> None:
        """Write the mean income of the spaces possible for a piece, richest first."""
        boards, per = self.boards, self.boards.income_report.turns
        spreads = boards.spaces[piece]
        ranked = sorted(spreads.items(), key=lambda pair: -pair[1].mean)
        top = ranked if self.show_all else ranked[:MAX_LISTED_SPACES]
        write_line(f"\n{self.localizer.title(piece)}: cards in {per} turns")
        rows = [
            ("the richest space of a board", rate_text(boards.richest[piece], per)),
            *(
                (
                    f"{self.localizer.value(kind)}, all spaces together",
                    rate_text(it, per),
                )
                for kind, it in boards.kinds[piece].items()
            ),
            *((self.localizer.value(space), rate_text(it, per)) for space, it in top),
        ]
        write_table(rows, indent=2)
        if len(top) < len(ranked):
            poorest = f"{ranked[-1][1].mean * per:.1f}"
            omitted = len(ranked) - len(top)
            write_line(f"  … and {omitted} more, down to {poorest} (--all lists them)")

    def write_blocked_share(self, blocked: BlockedShare) -> None:
        """Write the share of all income that a piece without an owner blocks."""
        initial_text = ""
        if blocked.initial is not None:
            initial_text = f"{share_text(blocked.initial)} on its starting space, "
        write_sentence(
            f"\n{self.localizer.title(blocked.piece)} blocks {initial_text}"
            f"{share_text(blocked.mean)} of all cards on average over its spaces,"
            f" and {share_text(blocked.worst)} on the worst of them. All other figures"
            " ignore it."
        )

    def write_setups(self) -> None:
        """Write the mean income of set-ups, by label."""
        turns = self.boards.income_report.turns
        write_line(f"\nSet-ups: cards in {turns} turns")
        rows = [
            (self.localizer.title(label) or "any", rate_text(it, turns))
            for label, it in self.boards.setups.items()
        ]
        write_table(rows, indent=2)

    def write_saving_times(self) -> None:
        """Write the mean saving time of each price, by set-up."""
        saving_times = self.boards.saving_times
        write_line(
            "\nTurns until affordable, starting with nothing and saving for it alone"
        )
        heads = [self.localizer.title(label) or "any" for label in saving_times]
        columns = list(saving_times.values())
        names = [purchase_name(price, self.localizer) for price, _ in columns[0]]
        cells = [
            [turns_text(column[n][1]) for column in columns] for n in range(len(names))
        ]
        write_blocks("", names, heads, cells)


def rate_text(spread: BoardSpread, turns: int) -> str:
    """Return a mean number of cards in *turns* turns, with its precision and range."""
    mean, half_width, lowest, highest = (
        value * turns
        for value in (spread.mean, spread.half_width, spread.lowest, spread.highest)
    )
    return f"{mean:.1f} ± {half_width:.1f} ({lowest:.0f} to {highest:.0f})"


def share_text(spread: BoardSpread) -> str:
    """Return a mean share as a percentage, with its precision and range."""
    mean = f"{spread.mean:.1%} ± {spread.half_width:.1%}"
    return f"{mean} ({spread.lowest:.1%} to {spread.highest:.1%})"


def turns_text(spread: BoardSpread | None) -> str:
    """Return mean turns (`never` for None) and the number of boards with `never`."""
    if spread is None:
        return "never"
    never = f", never on {spread.missing_count}" if spread.missing_count else ""
    return f"{spread.mean:.1f} ± {spread.half_width:.1f}{never}"
