"""Interpretation of typed lines."""

import pytest

from interpreter import Action
from workbench.presentation.narration.selection import action_texts

LEGAL = tuple(
    Action(
        seat="north", name=name, arguments=(thing,), text=f"{name}({thing})", index=n
    )
    for n, (name, thing) in enumerate(
        [("toss", "white"), ("toss", "black"), ("go", "A-B")]
    )
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2", ("toss(black)",)),
        ("0", ("0",)),
        ("4", ("4",)),
        ("toss(white)", ("toss(white)",)),
        ("toss white", ("toss(white)",)),
        ("toss 2 white, 1 black", ("toss(white)", "toss(white)", "toss(black)")),
        ("toss white, black", ("toss(white)", "toss(black)")),
        ("go A-B", ("go(A-B)",)),
        ("fly 2 white", ("fly 2 white",)),
        ("toss 2 white,", ("toss 2 white,",)),
    ],
)
def test_lines(line: str, expected: tuple[str, ...]) -> None:
    actions = action_texts(line, LEGAL)

    assert actions == expected
