"""Check of all clause bodies in merged order, and creation of the model.

The order determines the order of the actions, and therefore their indices.
"""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.component_declarations import apply_limits
from rulebook.check.bodies.endings import END_PROCEDURE
from rulebook.check.bodies.legality import legality_definitions
from rulebook.check.bodies.scenarios import check_invariant, check_scenarios
from rulebook.check.bodies.turn_order import (
    SKIP_DEFINITION,
    check_skip,
    round_procedure_name,
)
from rulebook.check.bodies.units import (
    check_action,
    check_award,
    check_body,
    check_card_text,
    check_measure,
    check_phase,
    check_points,
    check_rule,
)
from rulebook.check.declare.signatures import signature_of
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.facts.loops import simplify_loops
from rulebook.check.typing.definitions import check_define

TURNS = 1_000


def check_bodies(world: SymbolTable) -> None:
    """Check all bodies and create the model."""
    checker = BodyChecker(world)
    for clause in world.clauses.values():
        with world.collect_errors():
            checker.check_clause(clause)
    apply_limits(world)
    for clause in world.clauses.values():
        with world.collect_errors():
            if isinstance(clause, s.ScenarioClause):
                checker.scenarios += check_scenarios(world, clause)
            elif isinstance(clause, s.InvariantClause):
                checker.invariants.append(check_invariant(world, clause))
    world.model = simplify_loops(checker.build_model())


def turn_limit(world: SymbolTable) -> int:
    """Return the maximum number of turns of a game, from the header or by default."""
    rounds = world.header.rounds or 0
    return world.header.turns or max(TURNS, rounds * world.players[1])


class BodyChecker:
    """Checker of all bodies; stores the checked parts of the model."""

    def __init__(self, world: SymbolTable) -> None:
        self.world = world
        self.defines: dict[str, m.Define] = {}
        self.procedures: dict[str, m.Procedure] = {}
        self.awards: dict[str, m.Award] = {}
        self.rules: dict[str, m.Rule] = {}
        self.points = check_points(world, None)
        self.values = self.points
        self.scenarios: list[m.Scenario] = []
        self.invariants: list[m.Invariant] = []
        self.hints: list[m.Hint] = []
        self.measures: dict[str, m.GameMeasure] = {}

    def check_clause(self, clause: s.Clause) -> None:  # noqa: C901, PLR0912  (one case per clause)
        """Check the body of one clause and store the result."""
        world = self.world
        match clause:
            case s.DefineClause():
                signature = signature_of(world, clause.signature, clause.signature.name)
                for define in check_define(world, clause, signature):
                    self.defines[define.name] = define
            case s.ActionClause():
                if clause.name.text in world.action_signatures:
                    check_action(world, clause)
            case s.ProcedureClause(name=name, body=body):
                if name.text in world.procedure_parameters:
                    given = world.procedure_parameters[name.text]
                    procedure = check_body(world, name.text, body, clause, given)
                    self.procedures[name.text] = procedure
            case s.CardTextClause():
                card_text = check_card_text(world, clause)
                if card_text is not None:
                    self.procedures[card_text.name] = card_text
            case s.SetupClause(body=body):
                self.procedures["setup"] = check_body(world, "setup", body, clause)
            case s.EndClause(body=body):
                self.check_round_body(END_PROCEDURE, clause, body)
            case s.RoundClause(body=body):
                self.check_round_body(round_procedure_name(clause), clause, body)
            case s.SkipClause():
                self.defines[SKIP_DEFINITION] = check_skip(world, clause)
            case s.Phase():
                for procedure in check_phase(world, clause):
                    self.procedures[procedure.name] = procedure
            case s.PointsClause():
                self.points = check_points(world, clause)
            case s.HintValueClause():
                self.values = check_points(world, clause)
            case s.MeasureClause(name=name):
                self.measures[name.text] = check_measure(world, clause)
            case s.AwardClause(name=name):
                self.awards[name.text] = check_award(world, clause, self.procedures)
            case s.RuleClause(name=name):
                self.rules[name.text] = check_rule(world, clause, self.procedures)
            case s.HintClause(word=word, name=name):
                text = world.looks.get((word.text, name.text))
                if text is not None:
                    hint = m.Hint(word.text, name.text, text, span=clause.span)
                    self.hints.append(hint)

    def check_round_body(
        self, name: str, clause: s.Clause, body: tuple[s.Stmt, ...]
    ) -> None:
        """Check a body that runs automatically: `end`, or before or after each round.

        No procedure may have the same name as such a body.
        """
        for other in self.world.clauses.values():
            if isinstance(other, s.ProcedureClause) and other.name.text == name:
                raise mistake(
                    "RB102",
                    other.name.span,
                    f"`{name}` is the name of a clause that runs automatically",
                    related=((clause.span, "this clause"),),
                )
        self.procedures[name] = check_body(self.world, name, body, clause)

    def build_model(self) -> m.Model:
        """Return the model with all declarations and checked bodies."""
        world = self.world
        legal = {define.name: define for define in legality_definitions(world)}
        return m.Model(
            domains=world.domains,
            relations={
                f"{source}.{name}": relation
                for (source, name), relation in world.relations.items()
            },
            board=world.board,
            fields=world.fields,
            pieces=world.pieces,
            options=world.options,
            costs={name: m.constant_value(bag) for name, bag in world.costs.items()},
            defines=self.defines | legal,
            actions=world.actions,
            procedures=self.procedures,
            phases=world.phases,
            phases_each_round=world.phases_each_round,
            points=self.points,
            values=self.values,
            awards=self.awards,
            rules=self.rules,
            limits=world.limits,
            turns=turn_limit(world),
            rounds=world.header.rounds,
            scenarios=tuple(self.scenarios),
            invariants=tuple(self.invariants),
            hints=tuple(self.hints),
            drawings=dict(world.drawings),
            measures=self.measures,
        )
