"""C code of the bots of one plan: the tables they read, followed by `bots.h`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files

from interpreter.core.chance import name_words
from interpreter.native.bots.c_hints import HintFunction, cache_tables
from interpreter.native.bots.frames import FrameWriter
from interpreter.native.bots.hidden import hidden_tables, number_array
from interpreter.native.c_file import NotTranslatable
from interpreter.native.c_layout import Cells, FrameOffsets
from interpreter.native.c_writer import CWriter
from interpreter.plan.plan import Plan

SEARCH_MACRO = "SEARCHED"
"""Name of the C macro that enables tree search."""

LEAN_MACRO = "LEAN"
"""Name of the C macro that omits the bot `greedy`, which speeds up compilation."""

RULES = "/* ---- code generated from the rules ---- */\n"
GREEDY = "/* ---- code of greedy.h ---- */\n"


def action_tables(plan: Plan) -> list[str]:
    """Return the C tables of actions: action by index; unit and secrecy by action."""
    space, name_of = plan.actions, [0]
    for number, action in enumerate(space.listed, 1):
        name_of += [number] * action.size
    units = [0, *[action.unit for action in space.listed]]
    return [
        f"enum {{ NAMES = {len(units)} }};",
        number_array("int16_t", "NAME_OF", name_of),
        number_array("int16_t", "UNIT_OF", units),
        number_array(
            "int8_t",
            "SECRET",
            [0, *[int(action.observers is not None) for action in space.listed]],
        ),
    ]


def stream_macros(macro: str, name: str) -> list[str]:
    """Return C macros for the two words that encode the name of a random stream."""
    words = name_words(name)
    return [f"#define {macro}_{place} {word}u" for place, word in enumerate(words)]


def greedy_tables(
    plan: Plan,
    cells: Cells,
    frame_offsets: Mapping[int, FrameOffsets],
    writer: Callable[[int], CWriter],
    hint_functions: list[HintFunction],
) -> list[str]:
    """Return the C tables that the bot `greedy` reads.

    Raise `NotTranslatable` if a part cannot be translated.
    """
    frames, hidden = FrameWriter(plan, frame_offsets, writer), plan.hidden
    values = bool(plan.model.points.lines or plan.model.values.lines)
    acting = {action.unit for action in plan.actions.listed}
    return [
        f"enum {{ VALUED = {int(values)} }};",
        number_array(
            "int8_t", "IS_ACTION", [int(n in acting) for n in range(len(plan.units))]
        ),
        *cache_tables(hint_functions),
        *hidden_tables(plan, cells.stacks, cells.stack_cards),
        *frames.slot_table(),
        number_array("int8_t", "GRADE", hidden.grades),
        f"#define WOKEN_GRADE {hidden.trigger_grade}",
        f"#define VALUE_GRADE {hidden.value_grade}",
        *stream_macros("SAMPLE", "sample"),
        *stream_macros("SEARCH", "search"),
        *stream_macros("PAIRS", "pairs"),
        *stream_macros("THOUGHTS", "thoughts"),
        "static UNUSED int due_add(Game *g, Due *due, int held, int first, Due more);",
        "static UNUSED int is_due(const Due *due, int held, const num *f, int place);",
        *frames.find_promised_cards(),
        *frames.redraw_variables(),
        *frames.current_block(),
    ]


def bot_code(
    plan: Plan,
    cells: Cells,
    frame_offsets: Mapping[int, FrameOffsets],
    writer: Callable[[int], CWriter],
    hint_functions: list[HintFunction],
    missing_reason: str | None,
) -> tuple[list[str], str | None]:
    """Return the C code of the bots, and the reason if it lacks `greedy`, else None.

    `hint_functions` are the C functions of the heuristic. `missing_reason` is the
    reason why another part that `greedy` needs cannot be translated, or None.
    """
    written_by_hand = files("interpreter.native.bots")
    bots, greedy, search = [
        written_by_hand.joinpath(name).read_text("utf-8")
        for name in ("bots.h", "greedy.h", "search.h")
    ]
    head, rest = bots.replace(GREEDY, greedy).split(RULES)
    rest += search
    split = int(any(unit.simultaneous_blocks for unit in plan.rule_units))
    read: list[str] = []
    if missing_reason is None:
        try:
            read = greedy_tables(plan, cells, frame_offsets, writer, hint_functions)
        except NotTranslatable as error:
            missing_reason = str(error)
    sizes = [
        *(f"#ifdef {LEAN_MACRO}", "#define GREEDY 0", "#else"),
        *(
            f"#define GREEDY {int(missing_reason is None)}",
            "#endif",
            f"#define SPLIT {split}",
        ),
    ]
    return [*sizes, *action_tables(plan), head, *read, rest], missing_reason
