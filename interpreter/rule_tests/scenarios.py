"""Execution of scenarios: set up a position, apply actions, and check the results.

`given` describes the position. Every field has its start value, set-up does not run,
and awards and rules wait until the position is complete. Then a player is to move in a
phase, or set-up starts if no phase is named. Chance has the outcomes that the scenario
states. Deals during set-up, and chance events before a named event, are drawn at
random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any

import rulebook as rb
from interpreter.core.action_index import (
    PASS_NAME,
    PlannedAction,
    action_text,
    argument_text,
)
from interpreter.core.layout import ACTIVE, STARTER, TURN
from interpreter.core.order import set_usual_order, turns_in_round
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.explain.require_messages import RequireMessages
from interpreter.explanation import Explanation
from interpreter.game import CHANCE, Game
from interpreter.phrases import card_counts
from interpreter.plan.options import plain_value
from interpreter.planning import plan_for
from interpreter.rule_tests.verdict import VerdictStatus
from interpreter.rule_tests.views import ValueReader, last_event, value_text
from interpreter.source.failures import RequireFailed
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, AskStep, Decision
from rulebook import model as m
from rulebook.secrecy import HiddenReadFinder
from rulebook.signatures import effects_within

GIVEN, WHEN, THEN = m.StepWord
SPECIAL = (
    *(m.Given, m.SetOption, m.SetRound, m.SetHolder),
    *(m.NextChance, m.Does, m.Expect, m.ExpectView),
)
MAX_LISTED_OUTCOMES = 8


class ScenarioFailure(Exception):
    """Raised if a scenario fails at a node; `status` is the status of the verdict."""

    def __init__(
        self,
        node: m.Part,
        message: str,
        status: VerdictStatus = VerdictStatus.FAILED,
    ) -> None:
        super().__init__(message)
        self.node = node
        self.message = message
        self.status = status


def required_settings(
    book: rb.Rulebook, scenario: m.Scenario
) -> tuple[int, dict[str, Any]]:
    """Return the number of players and the options that a scenario requires."""
    options = {}
    for _, statements in scenario.steps:
        for node in statements:
            if isinstance(node, m.SetOption):
                if not m.is_constant(node.value):
                    raise ScenarioFailure(
                        node,
                        "the value of an option must be a constant",
                        VerdictStatus.ERROR,
                    )
                option = book.options[node.option]
                options[node.option] = plain_value(option, node.value.value)
    return scenario.players or book.players[1], options


class ScenarioRun:
    """Execution of one scenario."""

    def __init__(
        self,
        book: rb.Rulebook,
        scenario: m.Scenario,
        default_options: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        players, own = required_settings(book, scenario)
        options = {**default_options, **own}
        self.scenario = scenario
        self.plan = plan_for(book, players, options)
        self.words = RequireMessages(self.plan)
        self.state = State(self.plan, 0, chance_given=True)
        self.state.s = list(self.plan.start_cells)
        self.game = Game(self.plan, self.state)
        self.bottom = self.plan.units[0].frame(0)
        self.locals: list[Any] = [None] * len(scenario.slots)
        self.queue: list[tuple[m.NextChance, Any]] = []
        self.parts = 0
        self.begun = False
        nodes = [(word, node) for word, part in scenario.steps for node in part]
        self.placed = any(
            word == GIVEN and not isinstance(node, SPECIAL) for word, node in nodes
        )
        self.to_move = any(isinstance(node, m.Given) for _, node in nodes)

    # ------------------------------------------------------------ execution

    def play(self) -> None:
        """Run all steps of the scenario; raise `ScenarioFailure` if it fails."""
        if not self.placed and not self.to_move:
            self.begin(0)
            self.draw_setup_deals()
        for word, statements in self.scenario.steps:
            if word == GIVEN:
                self.set_up_position(statements)
            else:
                if word == WHEN and not self.begun:
                    self.begin(0)
                self.run_steps(word, statements)
        if self.queue:
            node, outcome = self.queue[0]
            raise ScenarioFailure(
                node,
                f"no chance event with the outcome {outcome} occurred",
                VerdictStatus.ERROR,
            )

    def set_up_position(self, statements: Sequence[Any]) -> None:
        """Set up the position, then start the game from there."""
        start: int | None = None
        for node in statements:
            if isinstance(node, m.NextChance):
                self.expect_chance(node)
            elif isinstance(node, m.Given):
                start = self.place_player(node)
        self.write([node for node in statements if not isinstance(node, SPECIAL)])
        for node in statements:
            if isinstance(node, m.SetRound):
                self.set_round(node)
            elif isinstance(node, m.SetHolder):
                cell = self.plan.layout.awards[node.award]
                self.state.s[cell] = self.value(node.player)
        if start is not None:
            self.begin(start)
        elif not self.begun:
            self.settle()

    def run_steps(self, keyword: str, statements: Sequence[Any]) -> None:
        """Execute the statements under `when` or `then`."""
        plain: list[Any] = []
        for node in statements:
            if not isinstance(node, SPECIAL):
                plain.append(node)
                continue
            self.run_statements(keyword, plain)
            plain = []
            match node:
                case m.NextChance():
                    self.expect_chance(node)
                case m.Does():
                    self.apply_chance()
                    self.apply_action(node)
                case m.Expect():
                    self.apply_chance()
                    self.check_legality(node)
                case m.ExpectView():
                    self.apply_chance()
                    self.check_view(node)
                case _:
                    raise ScenarioFailure(
                        node,
                        "this line is only allowed under `given`",
                        VerdictStatus.ERROR,
                    )
        self.run_statements(keyword, plain)
        self.apply_chance()

    def run_statements(self, keyword: str, statements: list[Any]) -> None:
        """Execute ordinary statements, then the awards, rules and events they cause."""
        if not statements:
            return
        self.apply_chance()
        if keyword == THEN or not self.begun:
            self.run_to_end(statements)
            return
        self.write(statements)
        self.state.waiting = self.state.legal = None
        self.state.run()

    # ------------------------------------------------------------ the position

    def place_player(self, node: m.Given) -> int:
        """Make a player the active one; return the number of the phase's step."""
        s, players = self.state.s, self.plan.players
        turns = turns_in_round(self.plan.model, players)
        s[ACTIVE] = self.seat(node.player)
        s[STARTER] = s[ACTIVE] if s[STARTER] < 0 else s[STARTER]
        s[TURN] = max(s[TURN], 1 + (s[ACTIVE] - s[STARTER]) % players % turns)
        set_usual_order(s, players, turns)
        return 2 + self.plan.model.phases.index(node.phase)

    def set_round(self, node: m.SetRound) -> None:
        """Set the round, so that the player to move has a turn in it."""
        s, players = self.state.s, self.plan.players
        turns = turns_in_round(self.plan.model, players)
        number: int = self.value(node.value)
        before = (number - 1) * turns
        turn = before + 1 + (s[ACTIVE] - s[STARTER]) % players % turns
        if s[ACTIVE] < 0 or number < 1 or turn > self.plan.model.turns:
            most = self.plan.model.turns // turns
            message = f"a round must be from 1 to {most}, with a line `… is to move`"
            raise ScenarioFailure(node, message, VerdictStatus.ERROR)
        s[TURN] = turn
        set_usual_order(s, players, turns)

    def begin(self, step: int) -> None:
        """Start the game at a step of its bottom unit, and run until it waits."""
        state = self.state
        self.bottom[1] = step
        state.frames = [self.bottom]
        state.waiting = state.legal = None
        if self.placed or self.to_move:
            state.triggers = self.plan.all_triggers
            self.game.restart_record()
            state.settle(self.bottom, step)
        self.begun = True
        state.run()
        self.apply_chance()

    def settle(self) -> None:
        """Evaluate awards and rules while no player is to move."""
        state = self.state
        state.triggers = self.plan.all_triggers
        state.frames = [self.bottom]
        while not state.is_over and state.settle(self.bottom, 0) and not state.is_over:
            state.run(1)
            if state.waiting is not None:
                raise ScenarioFailure(
                    self.scenario,
                    "a rule asks for a decision before the position is complete",
                    VerdictStatus.ERROR,
                )

    def write(self, statements: list[Any]) -> None:
        """Execute statements that change the position, but no awards or rules."""
        if not statements:
            return
        state = self.state
        frames, split = state.frames, state.split
        state.split = tuple(state.s)
        try:
            self.run_to_end(statements)
        finally:
            state.split = split
        state.frames = frames

    def run_to_end(self, statements: list[Any]) -> None:
        """Execute ordinary statements to their end."""
        state = self.state
        self.parts += 1
        line, title = self.scenario.span.line, self.scenario.title
        name = f"scenario {line} {title} {self.parts}"
        unit = self.plan.test_unit(name, tuple(statements), self.scenario.slots)
        self.locals[m.YOU] = state.s[ACTIVE]
        frame = unit.frame(*self.locals)
        frames, waiting, legal = state.frames, state.waiting, state.legal
        state.frames, state.waiting, state.legal = [frame], None, None
        try:
            state.run()
            while self.game.to_act == CHANCE:
                self.apply_due_event(statements[0])
        except RequireFailed as failure:
            state.frames, state.waiting, state.legal = frames, waiting, legal
            message = self.words.sentence(failure) + self.open_choice_text()
            raise ScenarioFailure(failure.node, message) from None
        if state.frames:
            raise ScenarioFailure(
                statements[0],
                "a player would have to decide within this statement",
                VerdictStatus.ERROR,
            )
        self.locals = frame[2 : 2 + len(self.locals)]
        state.frames, state.waiting, state.legal = frames, waiting, legal

    def open_choice_text(self) -> str:
        """Return a line about a choice that is still open, or an empty string."""
        waiting = self.state.waiting
        if not isinstance(waiting, Decision):
            return ""
        active = waiting.seat(self.state) == self.state.s[ACTIVE]
        if isinstance(waiting, AskStep) and active:
            return ""
        return f"\n  {self.pending()}"

    def pending(self) -> str | None:
        """Return a sentence that names the seat to decide and its choices, or None."""
        return pending_sentence(self.game) if self.begun else None

    # ------------------------------------------------------------ values

    def value(self, e: m.Expr) -> Any:
        """Return the value of an expression."""
        if m.is_constant(e):
            return e.value
        frame = [0, 0, *self.locals]
        return ExpressionEvaluator(self.plan, self.state.s, frame).value(e)

    def seat(self, player: m.Expr) -> int:
        """Return the number of a seat; raise `ScenarioFailure` if it is not in play."""
        number: int = self.value(player)
        if not 0 <= number < self.plan.players:
            seats = ", ".join(self.game.seats)
            raise ScenarioFailure(
                player, f"players in this game are {seats}", VerdictStatus.ERROR
            )
        return number

    # ------------------------------------------------------------ chance

    def expect_chance(self, node: m.NextChance) -> None:
        """Add the next outcome of chance to the queue."""
        plain = [
            self.plan.values.to_plain(value.type, self.value(value))
            for value in node.values
        ]
        for outcome in [plain] if node.dice else plain:
            self.queue.append((node, outcome))
        if self.begun:
            self.apply_chance()

    def apply_chance(self) -> None:
        """Apply the expected outcomes to the pending chance events."""
        while self.queue and self.game.to_act == CHANCE:
            self.apply_due_event(self.scenario)

    def draw_setup_deals(self) -> None:
        """Draw the deals of set-up if the scenario only checks their results."""
        words = [word for word, _ in self.scenario.steps if word != GIVEN]
        while words[:1] == [THEN] and self.game.to_act == CHANCE:
            if self.state.s[TURN]:
                return
            self.apply_due_event(self.scenario)

    def apply_due_event(self, node: m.Part) -> None:
        """Apply the expected outcome to the pending chance event.

        The outcome is drawn instead if the event is part of set-up, or if the expected
        outcome is for another event.
        """
        due = self.game.legal_actions()
        name = due[0].name
        if not self.uses_expected_outcome(name):
            self.game.apply(draw_outcome(due, self.game.steps))
            return
        if not self.queue:
            say = "state its outcome with `chance gives …`"
            raise ScenarioFailure(
                node,
                f"the next event is the chance event `{name}`: {say}",
                VerdictStatus.ERROR,
            )
        node, wanted = self.queue.pop(0)
        for chance in due:
            if chance.outcome in (wanted, [wanted]):
                self.game.apply(chance)
                return
        known = ", ".join(str(chance.outcome) for chance in due[:MAX_LISTED_OUTCOMES])
        more = ", …" if len(due) > MAX_LISTED_OUTCOMES else ""
        cure = "" if node.event else "; for another event, write `chance EVENT gives …`"
        message = f"`{name}` cannot give {wanted}, but {known}{more}{cure}"
        raise ScenarioFailure(node, message, VerdictStatus.ERROR)

    def uses_expected_outcome(self, name: str) -> bool:
        """Return whether the pending event must use an expected outcome."""
        if not self.queue:
            return self.game.turn > 0
        node, _ = self.queue[0]
        if node.event is not None:
            return name == node.event
        return self.game.turn > 0 or not node.dice or name in self.dice_event_names

    @cached_property
    def dice_event_names(self) -> frozenset[str]:
        """Names of the chance events that are rolls of dice."""
        code = effects_within(self.plan.model.procedures, self.plan.model.actions)
        return frozenset(each.event for each in code if each.event and each.dice)

    # ------------------------------------------------------------ decisions

    def advance_to_decision(self, node: m.Part) -> None:
        """Apply chance events until a decision is due.

        Raise `ScenarioFailure` if the game has not started.
        """
        while self.game.to_act == CHANCE:
            self.apply_due_event(node)
        if not self.begun:
            raise ScenarioFailure(
                node,
                "no player is to move: add `PLAYER is to move in PHASE` under `given`",
                VerdictStatus.ERROR,
            )

    def apply_action(self, node: m.Does) -> None:
        """Apply an action of a player; raise `ScenarioFailure` if it is not legal."""
        self.advance_to_decision(node)
        seat = self.game.seats[self.seat(node.player)]
        call = ActionCall(self, node)
        if self.game.to_act != seat:
            who = self.game.to_act or "nobody: the game is over"
            message = f"{call.text}: {who} must decide, not {seat}"
            raise ScenarioFailure(node, message + self.open_choice_text())
        if call.index is None or not call.is_legal:
            raise ScenarioFailure(
                node, explanation_text(call.explain(seat)) + self.open_choice_text()
            )
        self.game.apply(self.plan.actions.action(self.seat(node.player), call.index))

    def check_legality(self, node: m.Expect) -> None:
        """Raise `ScenarioFailure` unless an action is legal or illegal as expected."""
        self.advance_to_decision(node)
        number = self.seat(node.player)
        seat = self.game.seats[number]
        if node.price is not None:
            self.check_price(node, node.price, number)
            return
        call = ActionCall(self, node)
        legal = self.game.to_act == seat and call.is_legal
        if legal != node.legal:
            reason = (
                f"{call.text} is legal"
                if legal
                else explanation_text(call.explain(seat))
            )
            raise ScenarioFailure(node, reason + self.open_choice_text())
        if node.because is None:
            return
        explanation = call.explain(seat)
        label = explanation.requirement or call.failing_label(number)
        if label != node.because:
            because = f"because of {label}" if label else explanation_text(explanation)
            message = f"{call.text} is illegal {because}, not because of {node.because}"
            raise ScenarioFailure(node, message)

    def check_price(self, node: m.Expect, price: Sequence[int], number: int) -> None:
        """Raise `ScenarioFailure` unless an action costs exactly these cards.

        The action must be legal for a seat that has only these cards, and illegal if
        any one of them is missing.
        """
        seat = self.game.seats[number]
        for missing in (None, *[card for card, count in enumerate(price) if count]):
            cards = [count - (card == missing) for card, count in enumerate(price)]
            with self.cards_to_pay(node, number, cards) as named:
                call = ActionCall(self, node)
                legal = self.game.to_act == seat and call.is_legal
                if legal != (missing is None):
                    held = ", ".join(card_counts(named)) or "nothing"
                    reason = (
                        f"{call.text} is legal"
                        if legal
                        else explanation_text(call.explain(seat))
                    )
                    message = f"with exactly {held}: {reason}"
                    raise ScenarioFailure(node, message + self.open_choice_text())

    @contextmanager
    def cards_to_pay(
        self, node: m.Expect, number: int, cards: list[int]
    ) -> Iterator[dict[str, int]]:
        """Let a seat have only these cards to pay for an action; yield them by name."""
        needs = self.plan.actions.by_name[node.action].action.requirements
        holder = next(x.holder for x in needs if x.sort is m.RequirementSort.PAYS)
        assert m.is_field(holder)
        owner = holder.owner
        frame = [0, 0, number]
        index = (
            0
            if owner is None
            else ExpressionEvaluator(self.plan, self.state.s, frame).value(owner)
        )
        block, state = self.plan.layout.fields[holder.field], self.state
        row = block.row(index)
        before = state.s
        state.s, state.legal = list(before), None
        state.s[row : row + block.size] = cards
        try:
            yield self.plan.values.cards(holder.type, cards)
        finally:
            state.s, state.legal = before, None

    def check_view(self, node: m.ExpectView) -> None:
        """Raise `ScenarioFailure` unless a value or event is visible as expected."""
        for name, seat in self.viewers(node.viewer):
            value, reason = (
                self.seen_event(node, seat)
                if node.value is None
                else self.seen_value(node.value, seat)
            )
            if (reason is None) != node.visible:
                message = (
                    f"{name} sees {node.text}: {value}"
                    if reason is None
                    else f"{name} does not see {node.text}: {reason}"
                )
                raise ScenarioFailure(node, message + self.open_choice_text())

    def viewers(self, viewer: m.Expr | m.Viewers) -> list[tuple[str, int | None]]:
        """Return the names and seats of viewers; the seat of a spectator is None."""
        if isinstance(viewer, m.Viewers):
            every = enumerate(self.game.seats if viewer is m.Viewers.ALL else ())
            return [*[(name, seat) for seat, name in every], ("a spectator", None)]
        seat = self.seat(viewer)
        return [(self.game.seats[seat], seat)]

    def seen_value(self, value: m.Expr, seat: int | None) -> tuple[str, str | None]:
        """Return the text of a value, and why a seat does not see it, or None."""
        self.locals[m.YOU] = self.state.s[ACTIVE]
        reader = ValueReader(self.state, self.hidden_reads)
        plain, cells = reader.value_and_reads(value, [0, 0, *self.locals])
        reason = next(reader.hidden_reasons(value, cells, seat), None)
        return value_text(plain), reason

    def seen_event(
        self, node: m.ExpectView, seat: int | None
    ) -> tuple[str, str | None]:
        """Return the text of an event, and why a seat does not see it, or None."""
        number = last_event(self.game, node.text)
        if number is None:
            message = f"no event `{node.text}` has occurred"
            raise ScenarioFailure(node, message, VerdictStatus.ERROR)
        event = self.game.events[number]
        known = self.game.log(None if seat is None else self.game.seats[seat])
        text = argument_text(event.get("action", event.get("outcome")))
        hidden = known[number] != event
        return text, "the log hides it" if hidden else None

    @cached_property
    def hidden_reads(self) -> HiddenReadFinder:
        """Finder of the hidden fields that an expression may read."""
        return HiddenReadFinder(self.plan.model)

    @property
    def record(self) -> str:
        """Record of the game so far; it has a position if set-up was skipped."""
        return self.game.record


def pending_sentence(game: Game) -> str | None:
    """Return a sentence that names the seat to decide and its choices, or None."""
    if game.to_act in {None, CHANCE}:
        return None
    names = dict.fromkeys(action.name for action in game.legal_actions())
    return f"{game.to_act} must still decide: {' or '.join(names)}"


def draw_outcome(due_event: Sequence[Any], seed: int) -> Any:
    """Return a pseudorandom outcome of the pending event, determined by *seed*."""
    return Random(seed).choices(
        due_event, [float(chance.probability) for chance in due_event]
    )[0]


def explanation_text(explanation: Explanation) -> str:
    """Return an explanation followed by the values it compares."""
    lines = [explanation.sentence]
    lines += [
        f"  {name} = {argument_text(value)}"
        for name, value in explanation.values.items()
    ]
    return "\n".join(lines)


class ActionCall:
    """Action that a scenario names, with its arguments."""

    def __init__(self, run: ScenarioRun, node: m.Does | m.Expect) -> None:
        self.stage = run
        self.name = node.action
        self.values = [run.value(argument) for argument in node.arguments]
        types = [argument.type for argument in node.arguments]
        to_plain = run.plan.values.to_plain
        self.plain = tuple(map(to_plain, types, self.values))
        bags = (value for value in self.plain if isinstance(value, dict))
        self.picks = [pick for bag in bags for pick in card_counts(bag)]
        self.text = self.action_text(self.plain)
        self.open: list[Any] = []
        self.index = None if self.picks else self.find_index()

    @property
    def planned_action(self) -> PlannedAction:
        """Planned action that the call names."""
        return self.stage.plan.actions.by_name[self.name]

    @property
    def has_fixed_arguments(self) -> bool:
        """Whether offers fix some of the arguments."""
        return self.name != PASS_NAME and bool(self.planned_action.fixed_parameters)

    def find_index(self) -> int | None:
        """Return the index of the action, or None if an argument is out of range."""
        if self.name == PASS_NAME:
            return PASS
        places = self.planned_action.places
        self.open = self.values[len(self.values) - len(places) :]
        for place, value in zip(places, self.open, strict=True):
            if not 0 <= value - place.low < place.size:
                return None
        return self.stage.plan.actions.encode(self.planned_action, tuple(self.open))

    def action_text(self, arguments: Sequence[Any]) -> str:
        """Return the text of the action with these arguments, or with its picks."""
        if self.picks:
            return f"{self.name}({', '.join(self.picks)})"
        return action_text(self.name, tuple(arguments))

    @property
    def is_legal(self) -> bool:
        """Whether the seat may take the action with exactly these arguments."""
        state = self.stage.state
        if self.picks:
            return self.stage.game.why(self.text).legal
        if not isinstance(state.waiting, Decision):
            return False
        if self.index not in self.stage.game.legal_indices():
            return False
        if len(self.open) == len(self.values) and not self.has_fixed_arguments:
            return True
        assert isinstance(state.waiting, AskStep)
        frame = state.waiting.action_frame(state, self.index)
        return self.arguments_in(frame) == self.values

    def arguments_in(self, frame: list[Any]) -> list[Any]:
        """Return the action's arguments, read from its frame."""
        return [frame[p.slot + 2] for p in self.planned_action.action.parameters]

    def explain(self, seat: str) -> Explanation:
        """Return the explanation of whether a seat may take the action."""
        plain = self.plain[len(self.plain) - len(self.open) :]
        return self.stage.game.why(self.action_text(plain), seat)

    def failing_label(self, seat: int) -> str | None:
        """Return the label of the first requirement that is not met, or None."""
        if self.name == PASS_NAME or self.picks:
            return None
        frame = self.stage.plan.units[self.planned_action.unit].frame(seat, False)
        for parameter, value in zip(
            self.planned_action.action.parameters, self.values, strict=True
        ):
            frame[parameter.slot + 2] = value
        failing = self.planned_action.failing_requirement(self.stage.state.s, frame)
        return None if failing is None else failing.label
