"""Screen of a decision: board, seats, cards, costs, events, question and answers.

The parts have variants of different heights. Those that fit the screen are chosen in
the order of their importance; commands show what is left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import attrs
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from interpreter import Action, Game
from rulebook import printable_line
from rulebook.model import Bag, Domain, DomainSort, Stack
from workbench.presentation.cards.costs import costs_of
from workbench.presentation.cards.hand import hand_of
from workbench.presentation.cards.rows import CardGroup, row_of
from workbench.presentation.cards.tableaus import tableaus_of
from workbench.presentation.cards.text_tables import group_lines
from workbench.presentation.console.streams import wrap_text
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.questions import decision_question
from workbench.presentation.narration.selection import action_title
from workbench.presentation.narration.view_text import (
    decision_line,
    turn_lines,
    view_lines,
)
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.text.board_lines import board_lines, field_codes
from workbench.presentation.picture.text.canvas import DIM
from workbench.presentation.picture.text.compact import compact_board_lines, kind_codes
from workbench.terminal.menu import menu_lines, numbers_by_argument, short_menu_lines

SIDE_WIDTH = 18
"""Minimum width of the column beside the board."""
OWN_LINES = 1
"""Number of lines for the seats below tables of cards."""
HIGH_BOARD = 8
"""Number of lines of a board beside which seats may be cut."""
SIDE_GAP = 2
MIN_LIST_WIDTH = 50
UNWRAPPED = 200
"""Width at which no line of a table is wrapped."""
LEAST_ANSWER_LINES, ANSWER_LINES = 3, 4
"""Numbers of lines for answers that are more important than a high board, and than
tables of the cards in the hand."""
LOG_LINES = 6
QUESTION_LINES = 2
AFFORDABLE = "✓ "
BETWEEN = " · "

BOLD = Style(bold=True)

Lines = Sequence[Text]


@attrs.frozen
class FrameData:
    """Position of a game at a decision of a seat, as its frame shows it.

    `remaining` is the number of choices that remain, and `events` are lines about the
    latest events.
    """

    game: Game
    seat: str
    view: Mapping[str, Any]
    choices: Sequence[Action]
    localizer: Localizer
    remaining: int = 0
    events: Sequence[str] = ()


@attrs.frozen
class _Layout:
    """Board of a frame, and the lines beside it, or None if they are below it."""

    board: Lines
    side: Lines | None


def frame_lines(
    data: FrameData, width: int, height: int, *, use_unicode: bool = True
) -> list[Text]:
    """Return the screen of a decision in at most *height* lines of *width* cells."""
    return _Frame(data, width, height, use_unicode).lines()


def whole_board_lines(
    scene: Scene,
    width: int,
    height: int,
    marks: Mapping[str, str],
    *,
    use_unicode: bool = True,
) -> list[Text]:
    """Return the drawing of a board, in few lines if it is higher than *height*."""
    drawings = board_variants(scene, width, marks, use_unicode=use_unicode)
    fitting = (lines for lines in reversed(drawings) if len(lines) <= height)
    return next(fitting, drawings[0] if drawings else [])


def board_variants(
    scene: Scene, width: int, marks: Mapping[str, str], *, use_unicode: bool
) -> list[list[Text]]:
    """Return the drawings of a board, the lowest first; none without a board."""
    drawings = [
        list(draw(scene, width, use_unicode=use_unicode, marks=marks))
        for draw in (board_lines, compact_board_lines)
    ]
    return sorted(filter(None, drawings), key=len)


def card_lines(data: FrameData, width: int) -> Iterator[str]:
    """Yield all cards on the table and in the hand of a seat, as tables."""
    game, words = data.game, data.localizer
    has_board = scene_of(game, data.seat, words.language).plane is not None
    for tableau in tableaus_of(game, data.seat, data.view, words, has_board=has_board):
        yield from [words.title(tableau.seat)] if tableau.seat is not None else []
        for group in tableau.rows:
            yield from group_lines(group, words, width)
    hand = hand_of(game, data.seat, data.view, words)
    yield from [words.title(data.seat)] if hand.groups else []
    for group in hand.groups:
        yield from group_lines(group, words, width)


@attrs.frozen
class _Frame:
    """Frame of a decision on a screen of a size."""

    data: FrameData
    width: int
    height: int
    use_unicode: bool

    def lines(self) -> list[Text]:
        """Return the lines of the frame."""
        data, words = self.data, self.data.localizer
        head = self._texts(turn_lines(data.view, words), 1)
        question = self._texts([self._question()], QUESTION_LINES)
        hint = self._texts([self._hint()], 1)
        for lines, style in ((question, BOLD), (hint, DIM)):
            for line in lines:
                line.stylize(style)
        tail = [*self._costs(), *question]
        free = self.height - len(head) - len(tail) - len(hint)
        answers = self._answers(min(ANSWER_LINES, free))
        layout = self._layout(free - min(len(answers), LEAST_ANSWER_LINES))
        used = len(layout.board)
        below: list[Text] = []
        if layout.side is None:
            room = max(free - LEAST_ANSWER_LINES - used, 0)
            below = self._seats(self.width)
            if len(below) > room:
                below = self._seats(self.width, own_first=True)[:room]
        free -= used + len(below)
        answers = self._answers(min(ANSWER_LINES, free))
        for group in self._own_tables():
            table = self._texts(group_lines(group, words, self.width))
            if len(table) <= free - len(answers):
                below += table
                free -= len(table)
        answers = self._answers(free)
        free -= len(answers)
        if layout.side is None:
            below += self._events(self.width, min(free, LOG_LINES))
        board = _side_by_side(layout.board, layout.side or (), self.width)
        lines = [*head, *board, *below, *tail, *answers, *hint]
        return [Text()] * (self.height - len(lines)) + lines

    # ------------------------------------------------------------ parts

    @property
    def _scene(self) -> Scene:
        """Board and pieces as the seat sees them."""
        data = self.data
        return scene_of(data.game, data.seat, data.localizer.language)

    def _texts(self, lines: Iterable[str], most: int | None = None) -> list[Text]:
        """Return wrapped lines of text, at most *most* of them."""
        return _wrapped(lines, self.width)[:most]

    def _question(self) -> str:
        data = self.data
        question = decision_question(data.game, data.seat, data.view, data.localizer)
        model = data.game.book.model
        return decision_line(
            data.view, data.seat, model, data.localizer, data.remaining, question
        )

    def _answers(self, height: int) -> list[Text]:
        """Return the answers in at most *height* lines."""
        data = self.data
        whole = self._texts(menu_lines(data.choices, data.localizer, self.width))
        if len(whole) <= height:
            return whole
        return self._texts(
            short_menu_lines(data.choices, data.localizer, self.width, height)
        )

    def _hint(self) -> str:
        """Return the names of the commands that show more."""
        words = self.data.localizer
        names = ("list", "board", "cards", "costs", "log")
        return BETWEEN.join(
            [
                words.phrase("hint_help"),
                *(words.phrase(f"type_{name}") for name in names),
            ]
        )

    def _costs(self) -> list[Text]:
        """Return the costs of actions; a sign marks those that the seat can pay."""
        data, words = self.data, self.data.localizer
        texts = []
        for cost in costs_of(data.game, data.seat, data.view):
            sign = AFFORDABLE if cost.is_affordable else ""
            price = words.holding_text(dict(cost.price))
            texts.append(f"{sign}{action_title(cost.action, words)} ({price})")
        return self._texts([BETWEEN.join(texts)] if texts else [])

    def _seats(self, width: int, *, own_first: bool = False) -> list[Text]:
        """Return lines with the points and holdings of the seats."""
        data = self.data
        view = _without_columns(data)
        seats = list(data.game.seats)
        if own_first:
            seats.sort(key=lambda seat: seat != data.seat)
        lines = view_lines(view, seats, data.localizer)
        return _wrapped((line.strip() for line in lines), width)

    def _own_tables(self) -> Iterator[CardGroup]:
        """Yield the cards with columns that the seat holds."""
        data = self.data
        hand = hand_of(data.game, data.seat, data.view, data.localizer)
        for group in hand.groups:
            if any(face.columns for face in group.faces):
                yield group

    # ------------------------------------------------------------ board

    def _layout(self, free: int) -> _Layout:
        """Return the highest board within *free* lines, with the seats."""
        boards = self._boards()
        below = len(self._seats(self.width))
        has_board = self._scene.plane is not None
        for lines in reversed(boards):
            width = self.width - _width_of(lines) - SIDE_GAP
            fits = width >= SIDE_WIDTH and len(lines) <= free
            if fits and min(len(self._seats(width)), HIGH_BOARD) <= len(lines):
                return _Layout(lines, self._side(width, len(lines)))
            if len(lines) + (below if has_board else min(below, OWN_LINES)) <= free:
                return _Layout(lines, None)
        if not boards:
            return _Layout((), None)
        lines = crop_lines(boards[0], free)
        width = self.width - _width_of(lines) - SIDE_GAP
        if width >= SIDE_WIDTH:
            return _Layout(lines, self._side(width, len(lines)))
        return _Layout(crop_lines(boards[0], max(free - below, free // 2)), None)

    def _side(self, width: int, height: int) -> list[Text]:
        """Return the seats and the latest events for the column beside the board."""
        seats = self._seats(width)
        if len(seats) > height:
            seats = self._seats(width, own_first=True)[:height]
        free = height - len(seats) - 1
        legend = _wrapped([self._legend()], width)
        if 0 < len(legend) <= free:
            seats += [Text(), *legend]
            free -= len(legend) + 1
        events = self._events(width, free)
        return [*seats, Text(), *events] if events else seats

    def _events(self, width: int, height: int) -> list[Text]:
        """Return the latest events that fit into *height* lines."""
        latest: list[Text] = []
        for event in reversed(self.data.events):
            lines = _wrapped([event.strip()], width)
            if len(latest) + len(lines) > height:
                break
            latest = [*lines, *latest]
        return latest

    def _legend(self) -> str:
        """Return the short texts on the board with their titles."""
        scene = self._scene
        kinds = {
            code: scene.titles.value(kind) for kind, code in kind_codes(scene).items()
        }
        fields = {code: title for title, code in field_codes(scene).items()}
        return ", ".join(
            f"{code} {title}" for code, title in {**kinds, **fields}.items()
        )

    def _boards(self) -> list[list[Text]]:
        """Return the drawings of the board, or the cards on the table, lowest first."""
        data, scene = self.data, self._scene
        if scene.plane is not None:
            marks = numbers_by_argument(data.choices)
            boards = board_variants(
                scene, self.width, marks, use_unicode=self.use_unicode
            )
        else:
            boards = [[]]
        tables = list(self._table_variants(has_board=scene.plane is not None))
        return sorted(([*b, *t] for b in boards for t in tables), key=len)

    def _table_variants(self, *, has_board: bool) -> Iterator[list[Text]]:
        """Yield the common cards with some of their tables, and the others as lists."""
        data, words = self.data, self.data.localizer
        tableaus = tableaus_of(
            data.game, data.seat, data.view, words, has_board=has_board
        )
        rows = [row for each in tableaus if each.seat is None for row in each.rows]
        closed = [row for row in rows if not row.faces]
        rest = [f"{row.title} ({row.count})" for row in closed]
        rows = [row for row in rows if row.faces]
        for tables in range(len(rows) + 1):
            lines = [
                line
                for r in rows[:tables]
                for line in group_lines(r, words, UNWRAPPED, gap=" ")
            ]
            width = max([*map(cell_len, lines), MIN_LIST_WIDTH])
            lists = BETWEEN.join([*map(self._list_text, rows[tables:]), *rest])
            yield _wrapped([*lines, *filter(None, [lists])], min(width, self.width))

    def _list_text(self, row: CardGroup) -> str:
        """Return a row of cards as a list of their titles."""
        texts = [f"{f.count} {f.title}" if f.is_counted else f.title for f in row.faces]
        return f"{row.title}: {', '.join(texts)}"


def crop_lines(lines: Lines, height: int) -> list[Text]:
    """Return the *height* consecutive lines of a drawing that contain the most.

    `…` marks the ends at which lines are left out.
    """
    if len(lines) <= height:
        return list(lines)

    def end_is_cut(start: int) -> bool:
        return start + height < len(lines)

    def content(start: int) -> int:
        part = lines[start : start + height]
        return sum(letter not in " ·│" for line in part for letter in line.plain)

    start = max(range(len(lines) - height + 1), key=content)
    part = [line.copy() for line in lines[start : start + height]]
    for line in (part[:1] if start else []) + (part[-1:] if end_is_cut(start) else []):
        line.append(" …")
    return part


def _without_columns(data: FrameData) -> Mapping[str, Any]:
    """Return the view with only the number of cards for kinds that tables show.

    These are kinds with columns. The seat's own cards are kept if their titles do not
    contain columns.
    """
    model = data.game.book.model
    kinds = {
        domain.name: domain.members
        for domain in model.domains.values()
        if domain.sort is DomainSort.CARDS and domain.columns.keys() - _axes(domain)
    }
    bags = {
        field.name: kinds[field.type.domain]
        for field in model.fields.values()
        if isinstance(field.type, Bag | Stack) and field.type.domain in kinds
    }

    def is_counted(seat: str, name: str) -> bool:
        titles = data.localizer.member_templates
        return name in bags and (seat != data.seat or bags[name][0] in titles)

    players = {
        seat: {
            name: {"count": row_of(value, bags[name]).count}
            if is_counted(seat, name)
            else value
            for name, value in values.items()
        }
        for seat, values in data.view.get("player", {}).items()
    }
    return {**data.view, "player": players}


def _axes(domain: Domain) -> set[str]:
    return {axis.name for axis in domain.axes}


def _wrapped(lines: Iterable[str], width: int) -> list[Text]:
    """Return lines of text wrapped to a width, with a hanging indent."""
    return [
        Text(part)
        for line in map(printable_line, lines)
        for part in wrap_text(line, width, " " * (len(line) - len(line.lstrip()) + 2))
    ]


def _width_of(lines: Lines) -> int:
    return max((line.cell_len for line in lines), default=0)


def _side_by_side(board: Lines, side: Lines, width: int) -> Iterator[Text]:
    """Yield the lines of a board with other lines to their right."""
    if not side:
        yield from board
        return
    left = _width_of(board) + SIDE_GAP
    for line, beside in zip_longest(board, side, fillvalue=Text()):
        yield Text.assemble(line, " " * (left - line.cell_len), beside)
