"""Trees: nodes that become several, and the node at each place."""

from rulebook import syntax as s
from rulebook.source.spans import Span
from rulebook.traversal import replaceable_places, rewrite

HERE = Span("a.rules", 1, 1, 1, 1)


def name(text: str) -> s.Name:
    return s.Name(text, span=HERE)


def step(text: str, *body: s.Stmt) -> s.StepStatement:
    return s.StepStatement(name(text), body, span=HERE)


STOP = s.StopStatement(span=HERE)
TREE = step("outer", step("first", STOP), step("second"))


def test_a_node_in_a_sequence_can_become_several_or_none() -> None:
    def change(node: object) -> object:
        if isinstance(node, s.StepStatement) and node.name.text == "second":
            return ()
        return (STOP, node) if isinstance(node, s.StopStatement) else node

    assert rewrite(TREE, change) == step("outer", step("first", STOP, STOP))


def test_an_unchanged_tree_is_the_same_object() -> None:
    assert rewrite(TREE, lambda node: node) is TREE


def test_yields_each_place_once_outermost_first() -> None:
    there = [place for place, _ in replaceable_places(TREE) if place]

    assert there[0] is TREE
    assert there[2] is TREE.body
    assert [place for place in there if isinstance(place, s.StepStatement)] == [
        TREE,
        *TREE.body,
    ]
    assert sum(place is STOP for place in there) == 1


def test_replacing_at_a_place_keeps_the_rest() -> None:
    made = [put(()) for place, put in replaceable_places(TREE) if place == (STOP,)]

    assert made == [step("outer", step("first"), step("second"))]
