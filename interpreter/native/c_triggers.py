"""C code of awards and rules, which are evaluated when the state has settled."""

from __future__ import annotations

from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import operations as k
from interpreter.native.c_layout import FrameOffsets
from interpreter.native.c_writer import CWriter
from interpreter.plan.plan import Plan
from rulebook import model as m
from rulebook.model import Tie

TRIGGERS_MAX = 31


def award_functions(
    plan: Plan, number: int, w: CWriter, frame_offsets: dict[int, FrameOffsets]
) -> list[str]:
    """Return two C functions of an award: a player's measure, and the update."""
    planned = plan.awards[number]
    a = plan.model.awards[planned.award.name]
    inner = w.with_variables()
    measure = [f"static int measure{number}(Game *g, VAR v1, num *n) {{", "(void)g;"]
    if a.only_if is not None:
        measure.append(f"if (!{inner.code(a.only_if)}) return 0;")
    if isinstance(a.measure, m.LongestTrail) and m.is_constant(a.at_least):
        inner.enough = inner.code(a.at_least)
    measure.append(f"*n = {inner.code(a.measure)};")
    inner.enough = "2"
    if a.at_least is not None:
        measure.append(f"if (*n < {inner.code(a.at_least)}) return 0;")
    measure += ["return 1;", "}"]
    keeps = ""
    if a.tie is Tie.HOLDER:
        keeps = (
            "if (before >= 0 && competes[before] && n[before] == most) now = before;"
        )
    settle = [
        f"static int award{number}(Game *g) {{",
        "num n[PLAYERS], most = 0, now = -1, leaders = 0;",
        "int competes[PLAYERS], any = 0;",
        f"num before = g->s[{planned.cell}];",
        "for (int seat = 0; seat < PLAYERS; seat++) {",
        f"competes[seat] = measure{number}(g, seat, &n[seat]);",
        "if (competes[seat] && (!any || n[seat] > most)) most = n[seat];",
        "any |= competes[seat];",
        "}",
        "for (int seat = 0; seat < PLAYERS; seat++)",
        "if (competes[seat] && n[seat] == most) { leaders++; now = seat; }",
        "if (leaders != 1) now = -1;",
        keeps,
        "if (now == before) return 0;",
        "begins(g);",
        f"g->s[{planned.cell}] = (cell)now; {w.file.kept.changed(k.Int(planned.cell))}",
        f"g->triggers |= {planned.mask}u;",
        "int pushed = 0;",
        *call_lines(planned.on_gaining, "now", frame_offsets),
        *call_lines(planned.on_losing, "before", frame_offsets),
        "return pushed;",
        "}",
    ]
    return measure + [line for line in settle if line]


def call_lines(
    unit: int | None, player: str, frame_offsets: dict[int, FrameOffsets]
) -> list[str]:
    """Return the lines that push an award's procedure for a player, if there is one."""
    if unit is None:
        return []
    slots = frame_offsets[unit].slots
    return [
        f"if ({player} >= 0) {{ num *f = push(g, {unit}); pushed = 1;",
        f"f[{FIRST_LOCAL}] = larger(g->s[ACTIVE], 0); f[{slots[1]}] = {player}; }}",
    ]


def rule_function(
    plan: Plan, number: int, w: CWriter, frame_offsets: dict[int, FrameOffsets]
) -> list[str]:
    """Return the C function that pushes the procedure of a rule if it applies."""
    planned = plan.rules[number]
    r, unit = plan.model.rules[planned.rule.name], planned.procedure
    lines = [f"static int rule{number}(Game *g) {{"]
    if planned.reads_you:
        lines.append("if (g->s[ACTIVE] < 0) return 0;")
    lines.append(f"if (same_unit_runs(g, {unit})) return 0;")
    lines.append("num f[3] = {0, 0, larger(g->s[ACTIVE], 0)}, m = -1; (void)f;")
    if r.slot is None or r.set is None:
        lines.append(f"if ({w.code(r.condition)}) m = 0;")
        more = ""
    else:
        with w.binding(r.slot) as v:
            condition = r.condition
            lines.append(w.loop(r.set, r.slot, f"m = {v}; break;", condition))
        more = f"n[{frame_offsets[unit].slots[1]}] = m;"
    lines += ["if (m < 0) return 0;", "begins(g);", f"num *n = push(g, {unit});"]
    return [*lines, f"n[{FIRST_LOCAL}] = f[2]; {more}", "return 1;", "}"]


def settle_function(plan: Plan) -> list[str]:
    """Return the C function that updates awards and runs rules."""
    awards = [
        f"case {n}: if (award{n}(g)) {{ f[1] = step; return 1; }} break;"
        for n in range(len(plan.awards))
    ]
    first = len(plan.awards)
    rules = [
        f"case {first + n}: "
        f"if (!closing && rule{n}(g)) {{ f[1] = step; return 1; }} break;"
        for n in range(len(plan.rules))
    ]
    return [
        "static UNUSED int settle(Game *g, num *f, num step) {",
        "if (g->split) return 0;",
        "while (g->triggers) {",
        "int bit_ = __builtin_ctzll(g->triggers);",
        "g->triggers &= g->triggers - 1;",
        "num *bottom = g->frame[0];",
        "int ends = bottom[1] == CLOSING || bottom[1] == CLOSING + 1;",
        "int closing = bottom[0] == 0 && ends;",
        "(void)closing, (void)step, (void)f;",
        "switch (bit_) {",
        *awards,
        *rules,
        "default: break;",
        "}",
        "if (g->s[STATUS] != RUNNING) return 1;",
        "}",
        "return 0;",
        "}",
    ]
