"""Checks of colours and drawings: known names, and numbers within bounds.

A path is parsed and written again, so no text of a file is copied into a picture. It
must stay within its frame, -10 to 10 in each direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.symbol_table import (
    SymbolTable,
    did_you_mean,
    mistake,
    unknown_name_error,
)
from rulebook.model.predefined_looks import FIGURES, PALETTE, PATTERNS
from rulebook.source.spans import Span

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
NAME = re.compile(r"[^\W\d_]\w*")

PATHS_MAX = 8
"""Maximum number of paths in one drawing."""

PATH_MAX = 600
"""Maximum length of a path's text, in characters."""

DRAWINGS_MAX = 100
"""Maximum number of drawings, and also of colours, in a game and its themes."""

FRAME_HALF_WIDTH = 10
"""Distance from the middle of a drawing to each edge of its frame, in path units."""

OWN_COLOURS = ("own", "ink")
"""Names of colours that depend on the drawn object: its own, and one legible on it."""

OTHER_NAME_HELP = "give the colour another name"

COLUMNS = ("path", "fill", "line", "width")

VALUES_PER_COMMAND = {
    "M": 2,
    "L": 2,
    "H": 1,
    "V": 1,
    "C": 6,
    "S": 4,
    "Q": 4,
    "T": 2,
    "A": 7,
    "Z": 0,
}
"""Number of arguments that each path command takes, by its upper-case letter."""

TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+(?:\.\d+)?|\.\d+)|[\s,]+")
LINE_WIDTH = re.compile(r"\d(\.\d+)?")


# ---------------------------------------------------------------- colours


def is_theme_missing(world: SymbolTable) -> bool:
    """Return whether a theme is missing, which might declare unknown names."""
    return bool(world.header.lacks)


def named_colours(world: SymbolTable) -> dict[str, str]:
    """Return all named colours, from name to `#` and six hexadecimal digits."""
    named = (c for c in world.clauses.values() if isinstance(c, s.ColourClause))
    return PALETTE | {clause.name.text: clause.text for clause in named}


def resolve_colour(world: SymbolTable, word: s.Name) -> str | None:
    """Return a colour as `#` and six digits; None if a missing theme may define it."""
    if COLOUR.fullmatch(word.text):
        return word.text
    known = named_colours(world)
    if word.text in known:
        return known[word.text]
    if not NAME.fullmatch(word.text):
        raise _unknown_colour_error(word.text, word.span)
    if is_theme_missing(world):
        return None
    raise unknown_name_error("colour", word, known)


def _unknown_colour_error(text: str, place: Span) -> Exception:
    cure = 'write the name of a colour, or `#` and six digits, as in `"#2e7d32"`'
    return mistake("RB148", place, f"“{text}” is not a colour", cure)


def unknown_choice_error(noun: str, name: s.Name, names: Iterable[str]) -> Exception:
    """Return the error for a name that is not among a few allowed names."""
    few = list(names)
    listed = f"there are {', '.join(f'`{word}`' for word in few)}"
    help = did_you_mean(name.text, few) or listed
    return unknown_name_error(noun, name, few, help=help)


def check_drawings(world: SymbolTable) -> None:
    """Check all declared colours and drawings."""
    seen: dict[type[s.Clause], int] = {}
    for clause in world.clauses.values():
        if isinstance(clause, s.ColourClause | s.DrawingClause):
            sort = type(clause)
            seen[sort] = seen.get(sort, 0) + 1
            with world.collect_errors():
                _check_count(seen[sort], clause)
                if isinstance(clause, s.DrawingClause):
                    world.drawings[clause.name.text] = _drawing(world, clause)
                elif clause.name.text in OWN_COLOURS:
                    message = f"`{clause.name.text}` is a reserved colour word"
                    raise mistake("RB102", clause.name.span, message, OTHER_NAME_HELP)
                elif not COLOUR.fullmatch(clause.text):
                    cure = 'write `#` and six digits, as in `"#2e7d32"`'
                    message = f"“{clause.text}” is not a colour"
                    raise mistake("RB148", clause.place, message, cure)


def _check_count(count: int, clause: s.ColourClause | s.DrawingClause) -> None:
    if count > DRAWINGS_MAX:
        what = "colours" if isinstance(clause, s.ColourClause) else "drawings"
        message = f"there are more than {DRAWINGS_MAX} {what}"
        raise mistake("RB148", clause.name.span, message, "remove some of them")


# ---------------------------------------------------------------- drawings


def _drawing(world: SymbolTable, clause: s.DrawingClause) -> m.Drawing:
    name, table = clause.name, clause.table
    if name.text in (*FIGURES, *PATTERNS):
        message = f"`{name.text}` is a built-in figure"
        raise mistake("RB102", name.span, message, "give the drawing another name")
    for column in table.columns:
        if column.text not in COLUMNS:
            raise unknown_choice_error("column of a drawing", column, COLUMNS)
    if not table.rows:
        message = f"the drawing `{name.text}` has no path"
        raise mistake("RB148", name.span, message, "add a row with a path")
    if len(table.rows) > PATHS_MAX:
        message = f"a drawing has at most {PATHS_MAX} paths"
        place = table.rows[PATHS_MAX].span
        raise mistake("RB148", place, message, "join paths of one colour into one")
    strokes = tuple(_stroke(world, table, row) for row in table.rows)
    return m.Drawing(name.text, strokes)


def _stroke(world: SymbolTable, table: s.Table, row: s.Row) -> m.Stroke:
    cells = {
        column.text: cell for column, cell in zip(table.columns, row.cells, strict=True)
    }
    path = cells.get("path")
    if path is None or path.form is not s.CellForm.TEXT:
        place = row.span if path is None else path.span
        cure = 'as in `"M-6 0 L6 0"`, a horizontal line of length 12'
        raise mistake("RB148", place, "this row has no path", cure)
    fill = _paint(world, cells.get("fill"))
    line = _paint(world, cells.get("line"))
    if fill is None and line is None and not is_theme_missing(world):
        cure = (
            "give it a colour in the column `fill` or `line`, such as `ink`, "
            "`own` or `red`"
        )
        raise mistake("RB148", row.span, "this path has no colour", cure)
    width = _line_width(cells.get("width"))
    return m.Stroke(check_path(str(path.value), path.span), fill, line, width)


def _paint(world: SymbolTable, cell: s.Cell | None) -> str | None:
    if cell is None or cell.form is s.CellForm.EMPTY:
        return None
    if cell.form is s.CellForm.NAME:
        word: s.Name = cell.value
        return word.text if word.text in OWN_COLOURS else resolve_colour(world, word)
    text = str(cell.value)
    if cell.form is not s.CellForm.TEXT or not COLOUR.fullmatch(text):
        raise _unknown_colour_error(text, cell.span)
    return text


def _line_width(cell: s.Cell | None) -> str | None:
    if cell is None or cell.form is s.CellForm.EMPTY:
        return None
    text = str(cell.value)
    if cell.form not in (
        s.CellForm.TEXT,
        s.CellForm.NUMBER,
    ) or not LINE_WIDTH.fullmatch(text):
        cure = 'write a number below 10, as in `"1.5"`'
        raise mistake("RB148", cell.span, f"“{text}” is not a line width", cure)
    return _number_text(float(text))


# ---------------------------------------------------------------- paths


@attrs.define
class _Pen:
    """Current point of a path, and the start of its current subpath."""

    x: float = 0.0
    y: float = 0.0
    start: tuple[float, float] = (0.0, 0.0)

    def points(
        self, letter: str, numbers: list[float]
    ) -> Iterator[tuple[float, float]]:
        """Apply a path command; yield its points, with the end point last."""
        dx, dy = (self.x, self.y) if letter.islower() else (0.0, 0.0)
        match letter.upper():
            case "Z":
                points = [self.start]
            case "H":
                points = [(dx + numbers[0], self.y)]
            case "V":
                points = [(self.x, dy + numbers[0])]
            case "A":
                points = [(dx + numbers[5], dy + numbers[6])]
                yield from ((number, number) for number in numbers[:2])
            case _:
                pairs = zip(numbers[::2], numbers[1::2], strict=True)
                points = [(dx + x, dy + y) for x, y in pairs]
        yield from points
        self.x, self.y = points[-1]
        if letter.upper() == "M":
            self.start = points[-1]


def check_path(text: str, place: Span) -> str:
    """Return a path as normalised commands and numbers; raise `Mistake` if invalid."""
    if len(text) > PATH_MAX:
        message = f"this path has {len(text):,} characters, but the limit is {PATH_MAX}"
        raise mistake("RB148", place, message, "draw it with fewer points")
    pen, written = _Pen(), []
    for letter, numbers in _path_commands(text, place):
        count = VALUES_PER_COMMAND[letter.upper()]
        if count == 0 if numbers else count:
            wanted = f"{count} numbers" if count != 1 else "a number"
            message = f"`{letter}` takes {wanted} each time"
            raise _invalid_path_error(place, message)
        if count and len(numbers) % count:
            message = f"`{letter}` takes {count} numbers each time"
            raise _invalid_path_error(place, message)
        if letter.upper() == "A" and any(
            flag not in (0, 1) for n in (3, 4) for flag in numbers[n::7]
        ):
            raise _invalid_path_error(
                place, f"the fourth and fifth number of `{letter}` must be 0 or 1"
            )
        for first in range(0, max(len(numbers), 1), count or 1):
            _check_within_frame(pen, letter, numbers[first : first + count], place)
        written.append(letter + " ".join(map(_number_text, numbers)))
    if not written or written[0][0] not in "Mm":
        raise _invalid_path_error(place, "a path begins with `M` and a point")
    return "".join(written)


def _path_commands(text: str, place: Span) -> Iterator[tuple[str, list[float]]]:
    """Yield each command of a path with its numbers."""
    letter, numbers, read = "", list[float](), 0
    for token in TOKEN.finditer(text):
        if token.start() != read:
            break
        read, word = token.end(), token[0]
        if word.isalpha():
            if letter:
                yield letter, numbers
            if word.upper() not in VALUES_PER_COMMAND:
                raise _invalid_path_error(place, f"`{word}` is not a path command")
            letter, numbers = word, []
        elif word.strip(" \t,"):
            if not letter:
                raise _invalid_path_error(place, "a path begins with `M` and a point")
            numbers.append(float(word))
    if read != len(text):
        raise _invalid_path_error(place, f"“{text[read]}” is not allowed in a path")
    if letter:
        yield letter, numbers


def _check_within_frame(
    pen: _Pen, letter: str, numbers: list[float], place: Span
) -> None:
    for x, y in pen.points(letter, numbers):
        if max(abs(x), abs(y)) > FRAME_HALF_WIDTH:
            cure = (
                f"draw it around 0 0, from -{FRAME_HALF_WIDTH} to {FRAME_HALF_WIDTH} "
                "in each direction"
            )
            message = (
                f"this path leaves its frame at {_number_text(x)} {_number_text(y)}"
            )
            raise mistake("RB148", place, message, cure)


def _invalid_path_error(place: Span, message: str) -> Exception:
    cure = "use the letters M L H V C S Q T A Z with their numbers, as in SVG"
    return mistake("RB148", place, message, cure)


def _number_text(value: float) -> str:
    """Return a number as text with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
