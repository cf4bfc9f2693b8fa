"""Simple expressions: their builders and readers."""

from rulebook import model as m
from rulebook.source.spans import Span

HERE = Span("a.rules", 1, 1, 1, 1)
ROBBER = m.variable(1, "robber", m.Member("player", optional=True))
GOLD = m.field_value("gold", m.you(), m.Whole(0, 9))


def test_a_number_has_a_type_that_contains_only_it() -> None:
    assert m.number(3) == m.Const(3, type=m.Whole(3, 3))


def test_a_number_as_an_operand_is_a_constant() -> None:
    assert m.at_least(GOLD, 2).right == m.number(2)
    assert m.add(GOLD, 1, GOLD.type).right == m.number(1)


def test_builders_store_the_place() -> None:
    assert m.equal(GOLD, 2, HERE).span == m.you(HERE).span == HERE
    assert m.negation(m.equal(GOLD, 2, HERE)).span == HERE


def test_a_single_part_needs_no_conjunction() -> None:
    poor, rich = m.at_most(GOLD, 1), m.at_least(GOLD, 7)
    assert m.conjunction((poor,)) is m.disjunction((poor,)) is poor
    assert m.is_truth(m.conjunction(()), True)
    assert m.is_truth(m.disjunction(()), False)
    assert m.disjunction((poor, rich)) == m.Or((poor, rich), type=m.Truth())


def test_conjuncts_of_conjunctions_are_listed_in_order() -> None:
    first, second, third = (m.equal(GOLD, number) for number in (1, 2, 3))
    both = m.conjunction((first, m.conjunction((second, third))))
    assert [*m.conjuncts(both)] == [first, second, third]
    assert m.and_parts(both) == (first, m.conjunction((second, third)))
    assert m.or_parts(m.disjunction((first, second))) == (first, second)
    assert m.and_parts(first) == m.or_parts(first) == (first,)


def test_the_negation_of_a_comparison_is_the_contrary_comparison() -> None:
    poor, free = m.at_most(GOLD, 1), m.variable(m.FREE, "free", m.Truth())
    assert m.simplified_negation(poor) == m.compare(m.Comparison.MORE, GOLD, 1)
    assert m.simplified_negation(m.negation(free)) == free
    assert m.negated_condition(m.simplified_negation(free)) == free
    assert m.negated_condition(free) is None


def test_the_negation_of_a_disjunction_has_several_parts() -> None:
    poor, free = m.at_most(GOLD, 1), m.variable(m.FREE, "free", m.Truth())
    either = m.disjunction((poor, m.negation(free)))
    assert [*m.negated_conjuncts(either)] == [m.simplified_negation(poor), free]


def test_only_constants_have_a_constant_value() -> None:
    assert m.constant_value(m.truth(False)) is False
    assert m.constant_value(GOLD) is None
    assert m.is_none(m.no_value(ROBBER.type))
    assert not m.is_none(m.number(0))
    assert not m.is_truth(m.number(1), True)


def test_variables_are_known_by_their_slots() -> None:
    assert m.is_you(m.you())
    assert m.is_variable(ROBBER) and m.is_variable(ROBBER, 1)
    assert not m.is_variable(ROBBER, 2)
    assert not m.is_variable(GOLD)
    assert m.variables_read(m.equal(ROBBER, m.you())) == {0, 1}
    assert m.reads_variable(GOLD, m.YOU) and not m.reads_variable(GOLD, 1)


def test_fields_are_known_by_their_keys() -> None:
    assert m.field_key(GOLD) == "gold"
    assert m.field_key(ROBBER) is None
    assert m.fields_read(m.equal(GOLD, 1)) == {"gold"}


def test_logical_operators_have_parts() -> None:
    poor, rich = m.at_most(GOLD, 1), m.at_least(GOLD, 7)
    assert m.logical_parts(m.disjunction((poor, rich))) == (poor, rich)
    assert m.logical_parts(m.negation(poor)) == (poor,)
    assert m.logical_parts(poor) is None


def test_payment_is_known_by_its_variable() -> None:
    assert m.is_payment_condition(m.payment_condition())
    assert not m.is_payment_condition(m.negated_condition(m.payment_condition()))


def test_operands_are_those_of_a_comparison() -> None:
    assert m.operands(m.unequal(ROBBER, m.you())) == (ROBBER, m.you())
    assert m.operands(GOLD) is None
