"""C code of the bottom unit of the control stack: set-up, then turn after turn."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.core.order import AFTER, BEFORE, SKIPPED
from interpreter.kernel import operations as k
from interpreter.native.c_file import CFile, NotTranslatable
from interpreter.plan.plan import Plan
from interpreter.state.turn_loop import END, SETUP, phase_procedure
from rulebook import model as m
from rulebook import tooling

ORDER = """\
static num next_seat(Game *g) { /* -1: all are skipped; -2: the round is over */
  if (g->s[NEXT] >= 0) return g->s[NEXT];
  num step = g->s[BACKWARDS] ? PLAYERS - 1 : 1;
  if (g->s[HAD] == 0 && SKIPS) {
    int skipped = 0;
    for (num seat = 0; seat < PLAYERS; seat++) skipped += SKIPPED(g, seat) != 0;
    if (skipped == PLAYERS) return -1;
  }
  if (g->s[PLACE] < 0)
    g->s[PLACE] = (cell)((larger(g->s[STARTER], 0) + PLAYERS - step) % PLAYERS);
  for (int i = 0; i < PLAYERS; i++) {
    num seat = (g->s[PLACE] + step) % PLAYERS;
    if (!(g->s[MISSING] >> seat & 1) && !(SKIPS && SKIPPED(g, seat))) return seat;
    g->s[MISSING] = (cell)(g->s[MISSING] & ~(1 << seat));
    g->s[PLACE] = (cell)seat;
    g->s[HAD] = (cell)(g->s[HAD] | 1 << seat);
    if (g->s[HAD] == EVERYBODY) return -2;
  }
  return -2;
}
"""


class CTurnLoop:
    """Writer of the C code of a plan's bottom unit."""

    def __init__(
        self, plan: Plan, numbers: Mapping[str, int], reason: int, file: CFile
    ) -> None:
        self.plan = plan
        self.model = plan.model
        self.numbers = numbers
        self.reason = reason
        self.amounts = file.amounts
        self.kept = file.kept
        self.phases = len(plan.model.phases)

    @property
    def closing_step(self) -> int:
        """Number of the step that determines the winner."""
        return self.plan.closing_step

    @property
    def after_round_step(self) -> int:
        """Number of the step after the clause at the end of a round."""
        return self.phases + 5

    def order(self, defines: Mapping[str, str]) -> str:
        """Return the C function for the next seat, given the C names of definitions."""
        skips = SKIPPED in defines
        name = defines[SKIPPED] if skips else "no_skip"
        none = (
            ""
            if skips
            else "static num no_skip(Game *g, num v) { (void)g; return v - v; }\n"
        )
        head = f"enum {{ SKIPS = {int(skips)} }};\n#define SKIPPED {name}\n"
        return none + head + ORDER

    def call(self, name: str, next_step: int, you: str, *lines: str) -> list[str]:
        """Return *lines*, then lines that call a clause and continue at a step."""
        unit = self.numbers[name]
        pushed = ["begins(g);", f"push(g, {unit})[2] = {you};", "return SWITCH;"]
        return [f"f[1] = {next_step};", *lines, *pushed]

    def settle(self, step: int) -> str:
        """Return the line that evaluates triggers at a step."""
        return f"if (g->triggers && settle(g, f, {step})) return SWITCH;"

    def call_around_round(self, name: str, next_step: int) -> list[str]:
        """Return the lines that call a clause before or after a round, if it exists."""
        if name not in self.numbers:
            return []
        you = "g->s[ACTIVE] < 0 ? larger(g->s[STARTER], 0) : g->s[ACTIVE]"
        return self.call(
            name, next_step, you, f"g->triggers |= {self.woken_triggers}u;"
        )

    @property
    def woken_triggers(self) -> int:
        """Triggers that a new turn wakes, as bits."""
        masks = self.plan.facts.masks
        return masks.get(tooling.StatePart(tooling.PartSort.ACTIVE), 0) | masks.get(
            tooling.StatePart(tooling.PartSort.TURN), 0
        )

    def reset(self, keys: list[str]) -> list[str]:
        """Return the lines that reset fields to their start values."""
        lines = []
        for key in keys:
            block = self.plan.layout.fields[key]
            if isinstance(block.field.type, m.Stack):
                raise NotTranslatable("a stack that is reset every turn")
            cells = block.count * block.stride
            lines.append(
                f"memcpy(g->s + {block.base}, START + {block.base}, "
                f"{cells} * sizeof(cell)); {self.kept.changed(k.Int(block.base))}"
            )
            mask = self.plan.facts.masks.get(tooling.StatePart.field(key), 0)
            if mask:
                lines.append(f"g->triggers |= {mask}u;")
        return lines

    def phase(self, number: int, name: str) -> list[str]:
        """Return the lines of the step that calls a phase."""
        called = phase_procedure(self.model.procedures, name)
        return [
            f"p{number}: UNUSED;",
            *self.call(called, number + 1, "g->s[ACTIVE]"),
        ]

    def lines(self) -> list[str]:
        """Return the body of the C function."""
        cases = [f"case {n}: goto p{n};" for n in range(1, self.after_round_step + 2)]
        lines = ["switch (f[1]) {", *cases, "default: break;", "}", "f[1] = 1;"]
        if SETUP in self.numbers:
            lines += self.call(SETUP, 1, "0")
        else:
            lines.append("return SWITCH;")
        lines += self.next_turn()
        for number, name in enumerate(self.model.phases, 2):
            lines += self.phase(number, name)
        lines += self.last_steps()
        return lines

    def next_turn(self) -> list[str]:
        """Return the C code of the steps from the end of one turn to the next turn."""
        fields, rounds = self.model.fields.items(), self.model.rounds
        last = []
        if rounds is not None:
            most = self.amounts.number(rounds, "rounds", "rounds")
            last = [f"if (g->s[ROUND] >= {most}) goto stop;"]
        turns = self.amounts.number(self.model.turns, "turns", "turns")
        after = self.call_around_round(AFTER, self.after_round_step)
        calls = ["if (g->s[ROUND]) {", *after, "}"] if after else []
        had = "EVERYBODY" if self.model.phases_each_round else "1 << seat"
        return [
            "p1: UNUSED;",
            self.settle(1),
            "if (g->s[TURN]) trace_turn(g);",
            f"if (g->s[TURN] >= {turns}) goto stop;",
            "if (g->s[TURN] >= g->turns) return close_game(g, UNFINISHED);",
            "go_on: UNUSED;",
            "if (g->s[ROUND] && g->s[HAD] != EVERYBODY) goto begin_turn;",
            *calls,
            "next_round: UNUSED;",
            *last,
            "if (g->s[ROUND] >= CELL_MAX) fail(g, BEYOND);",
            "g->s[ROUND]++, g->s[HAD] = 0;",
            *self.reset([key for key, field in fields if field.resets_round]),
            *self.call_around_round(BEFORE, self.after_round_step + 1),
            "begin_turn: UNUSED;",
            "{ num seat = next_seat(g);",
            "if (seat == -2) goto go_on;",
            "if (seat < 0) goto stop;",
            "g->s[ACTIVE] = g->s[PLACE] = (cell)seat;",
            "g->s[STARTER] = (cell)(g->s[TURN] ? larger(g->s[STARTER], 0) : seat);",
            "g->s[NEXT] = -1;",
            f"g->s[HAD] = (cell)(g->s[HAD] | {had}); }}",
            "g->s[TURN]++;",
            f"g->triggers |= {self.woken_triggers}u;",
            *self.reset([key for key, field in fields if field.resets]),
            "goto p2;",
        ]

    def last_steps(self) -> list[str]:
        """Return the C code of the last steps of a turn, of a round and of the game."""
        again, closing = self.phases + 2, self.closing_step
        stop = "return game_ends(g);" if END in self.numbers else ""
        lines = [f"p{again}: UNUSED;", self.settle(again), "goto p1;"]
        lines += ["stop: UNUSED;", stop or "return close_game(g, UNFINISHED);"]
        lines.append(f"p{closing}: UNUSED;")
        if END in self.numbers:
            lines.append(self.settle(closing))
            lines += self.call(END, closing + 1, "larger(g->s[ACTIVE], 0)")
        lines.append(f"p{closing + 1}: UNUSED;")
        lines.append(
            f"{{ num ranks[1] = {{0}}; return finish(g, ranks, 0, {self.reason}); }}"
        )
        lines += [
            f"p{self.after_round_step}: UNUSED;",
            self.settle(self.after_round_step),
        ]
        lines += ["goto next_round;"]
        lines += [
            f"p{self.after_round_step + 1}: UNUSED;",
            self.settle(self.after_round_step + 1),
        ]
        return [*lines, "goto begin_turn;"]
