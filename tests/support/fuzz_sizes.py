"""Small complete games in which sizes are nested, multiplied and chained.

Each consists of a few clauses that are mostly valid alone. The check of sizes and the
budget of a run must cope with their combinations and nesting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

MANY = (
    *(0, 1, 2, 2, 3, 3, 4, 5, 9, 9, 30),
    *(100, 1_000, 10_000, 1_000_000, 1_000_000_000),
)
FEW = (1, 2, 3, 4, 6, 9)
FIELDS = ("count", "other", "third")


SIZES = ((1, 1), (2, 2), (3, 3), (3, 3), (5, 4), (8, 8), (63, 63))
SMALL = ((2, 2), (3, 2), (3, 3))


def head(numbers: Random, sizes: Sequence[tuple[int, int]] = SIZES) -> str:
    """Return the beginning of each game, with a board of one of the given sizes."""
    turns = numbers.choice((1, 5, 50, 50, 300, 1_000, 1_000_000_000))
    wide, high = numbers.choice(sizes)
    dice = numbers.randint(1, numbers.choice((1, 1, 2, 3, 40)))
    faces = numbers.choice((2, 6, 20))
    most = numbers.choice((9, 9, 99, 10_000, 1_000_000_000))
    names = ", ".join(f"d{n}" for n in range(dice))
    roll = " and ".join(f"d{n}" for n in range(dice))
    strides = numbers.choice(("(1, 0), (0, 1)", "(1, 0)", "(1, 1), (1, 0), (2, 1)"))
    so = numbers.choice(("", " so that d0 = 1", f" so that d{dice - 1} > 1"))
    return f"""rules language 1
rulebook sizes "Sizes"
  players 2 to {numbers.choice((2, 3, 6))}
  turns {turns}
kind good (goods): salt, silk, wool
spaces cell (cells) by column 1 to {wide}, row 1 to {high}
links way (ways) between cell by {strides}
dice {names}: 1 to {faces}
option size (1 to {numbers.choice(MANY)}): 1 "how large"
piece stone (stones): {numbers.choice((1, 4, 40))} for each player, stands on cell
piece rail (rails): {numbers.choice((1, 9, 60))} for each player, stands on way
piece road (roads): {numbers.choice((1, 9))} for each player, stands on way
game has
  count: 0 to {most}, seen by all
  other: 0 to 9, seen by all
  third: 0 to {most}, seen by all
  flag: yes/no, seen by all
  store: bag of good, seen by all, starts with {numbers.choice((0, 2, 99))} of each
each player has
  score: 0 to {most}, seen by all
  hand: bag of good, seen by owner
  rank(good): 0 to 9, seen by all
  pact(good, 1 to {numbers.choice((1, 3, 60))} step): 0 to {most}, seen by all
each cell has
  mark: 0 to 9, seen by all
  sign: omen or none, seen by all
cards omen (omens)
  omen | copies
  luck | {numbers.choice((1, 2, 9))}
  ruin | {numbers.choice((1, 3, 60))}
to throw
  roll {roll}{so}
"""


# ---------------------------------------------------------------- expressions


def number(numbers: Random, depth: int) -> str:
    """Return a nested numeric expression."""
    if depth <= 0:
        simple = (
            "1",
            "count",
            "other",
            "size",
            "your score",
            "d0",
            "deep1",
            "your far",
            "your rank(silk)",
            "your pact(wool, 1)",
        )
        return numbers.choice((*simple, str(numbers.choice(MANY))))
    inner = number(numbers, depth - 1)
    outer = number(numbers, depth - 2)
    test = condition(numbers, depth - 1)
    name = f"n{depth}"
    return numbers.choice(
        (
            f"(sum over cell of {inner})",
            f"(sum over cell c{depth} where {test} of {inner})",
            f"(sum over {name} in 1 to {outer} of {inner})",
            f"(sum over {name} in 1 to {outer} where {test} of {name} * {inner})",
            f"(number of cells where {test})",
            f"({inner} + {outer})",
            f"({inner} * {outer})",
            f"(larger of ({inner}, {outer}))",
            f"(half of {inner})",
            f"(number of cells in (reach from cell_1_1 over cell where {test}))",
            f"({ways(numbers, test, inner)})",
            f"(number of combinations of at most 2 goods in your hand where {test})",
            f"(sum over good g{depth} of (your rank(g{depth}) * {inner}))",
            "(number of your stones)",
            "(number of salt in your hand)",
        )
    )


def condition(numbers: Random, depth: int) -> str:
    """Return a nested condition."""
    if depth <= 0:
        simple = ("flag", "count = 1", "yes", "other > 2", "your hand is empty")
        return numbers.choice((*simple, "near1", "store has salt"))
    inner = condition(numbers, depth - 1)
    amount = number(numbers, depth - 1)
    name = f"m{depth}"
    return numbers.choice(
        (
            f"(some cell where {inner})",
            f"(no cell c{depth} where {inner})",
            f"(some player where {inner})",
            f"(some {name} in 1 to {numbers.choice(MANY)} where {inner})",
            f"(no {name} in 0 to {amount} where {inner})",
            f"({inner} and {amount} > 3)",
            f"({inner} or not {inner})",
            f"({amount} = count)",
            f"(cell_1_1 is in ({reach(numbers, inner)}))",
            f"(some good g{depth} where your pact(g{depth}, 1) = {amount})",
        )
    )


def reach(numbers: Random, test: str) -> str:
    """Return an expression for the spaces that can be reached."""
    start = numbers.choice(("cell_1_1", "every cell where cell has your stone"))
    over = numbers.choice(
        (
            f"cell by where {test}",
            "way",
            f"way where {test}",
            f"way through cell by where {test}",
            f"way where way has your rail through cell by where {test}",
        )
    )
    within = numbers.choice(("", "", " within 1 steps", " within 40 steps"))
    return f"reach from ({start}) over {over}{within}"


def ways(numbers: Random, test: str, inner: str) -> str:
    """Return the length of a trail, a number of steps, or the size of a reach."""
    both = "your rails and your roads"
    end = numbers.choice(("cell_2_2", "(every cell where cell has no stone)"))
    return numbers.choice(
        (
            "longest trail of your rails",
            f"longest trail of your rails by {inner}",
            f"longest trail of your rails by number of cells in way's ends + {inner}",
            f"longest trail of your rails broken at cell where {test}",
            f"longest trail of your rails by {inner} broken at cell where {test}",
            f"longest trail of {both} changing at cell where {test}",
            f"longest trail of {both} by {inner} broken at cell where {test}",
            "longest trail of (every way where way has no rail)",
            f"steps from cell_1_1 to {end} over cell by where {test}",
            f"steps from cell_1_1 to {end} over way where {test}",
            f"cheapest way from cell_1_1 to {end} over way where {test} by {inner}",
            f"steps from cell_1_1 to {end} over way through cell by where {test}",
            f"number of cells in ({reach(numbers, test)})",
        )
    )


# ---------------------------------------------------------------- statements


def indented(text: str) -> str:
    """Return a block indented by one level."""
    return "\n".join(f"  {line}" for line in text.split("\n"))


def write(numbers: Random) -> str:
    """Return a statement that changes the state and is valid anywhere."""
    field, other = numbers.choice(FIELDS), numbers.choice(FIELDS)
    return numbers.choice(
        (
            f"set {field} to {numbers.choice(FEW)}",
            f"set {field} to {number(numbers, numbers.randint(0, 2))}",
            f"if {field} < 9: increase {field} by 1\notherwise: set {field} to 0",
            f"if {field} > 0: decrease {field} by 1",
            f"set {field} to smaller of (9, {other})",
            f"set flag to {numbers.choice(('yes', 'no', 'not flag'))}",
            "each good: move up to 1 good from store to your hand",
            "move everything from your hand to store",
            "throw",
            "call1",
            f"if {condition(numbers, 1)}: stop",
            "you choose good in store\nmove 1 good from store to your hand",
            "you choose amount in 1 to other",
            (
                "if your rails_left > 0:\n  you may choose way where way has no rail:\n"
                "    if your rails_left > 0: place your rail on way"
            ),
            "chance chooses player lucky\nset lucky's score to 1",
            f"set your rank(salt) to {numbers.choice(FEW)}",
            f"set your pact(silk, 1) to {number(numbers, 1)}",
            "each good: if your rank(good) < 9: increase your rank(good) by 1",
            spread(numbers),
            (
                "if your stones_left > 0:\n"
                "  you may choose cell where cell has no stone:\n"
                "    if your stones_left > 0: place your stone on cell"
            ),
            (
                "at the same time each player:\n"
                "  player may choose good in player's hand:\n"
                "    move up to 1 good from player's hand to store"
            ),
            f"let it be {number(numbers, 1)}\nif it > 3: set other to 1",
        )
    )


def spread(numbers: Random) -> str:
    """Return a deal of cards over cells."""
    which = numbers.choice(("cell's sign is none", condition(numbers, 1)))
    neat = numbers.choice(
        (
            "",
            " so that cell_1_1's sign is not none",
            " so that no cell by where (by's sign is luck and by's mark > 0)",
            " so that (number of cell by where by's sign is ruin) < 3",
            f" so that {condition(numbers, 1)}",
        )
    )
    return f"chance spreads omen over cell where {which} as sign{neat}"


def block(numbers: Random, depth: int) -> str:
    """Return nested statements."""
    if depth <= 0:
        return write(numbers)
    inner = indented(block(numbers, depth - 1))
    rounds = number(numbers, numbers.randint(0, 1))
    name = f"k{depth}"
    whole = numbers.choice(
        (
            f"repeat {numbers.choice(MANY)} times:\n{inner}",
            f"repeat {rounds} times:\n{inner}",
            f"each cell c{depth}:\n{inner}",
            f"each cell c{depth} where {condition(numbers, 1)}:\n{inner}",
            f"each player:\n{inner}",
            f"each {name} in 1 to {rounds}:\n{inner}",
            f"if {condition(numbers, 2)}:\n{inner}",
            f"step s{depth}:\n{inner}",
        )
    )
    return whole + "\n" + write(numbers) if numbers.random() < 0.4 else whole


# ---------------------------------------------------------------- clauses


def chain(numbers: Random) -> str:
    """Return definitions and procedures that call one another once or twice."""
    length = numbers.choice((1, 1, 3, 3, 10, 30, 120, 400))
    times = numbers.choice((1, 1, 1, 2))
    lines = ["define deep0: 0 to 9 = 1"]
    for n in range(1, length + 1):
        calls = " + ".join([f"deep{n - 1}"] * times)
        lines.append(f"define deep{n}: 0 to 9 = smaller of (9, {calls})")
    lines[1:] = reversed(lines[1:]) if numbers.random() < 0.5 else lines[1:]
    if length > 1:
        lines.append(f"define near1: yes/no = deep{length} > 2")
    else:
        lines.append("define near1: yes/no = flag")
    for n in range(1, length + 1):
        body = [f"  call{n + 1}"] * times if n < length else ["  set other to 1"]
        lines.append("\n".join([f"to call{n}", *body]))
    return "\n".join(lines)


def rules(numbers: Random) -> str:
    """Return rules that trigger themselves and one another."""
    rules_written = []
    for n in range(numbers.randint(1, 5)):
        field = numbers.choice(FIELDS)
        if numbers.random() < 0.2:
            when = f"any player where player's score = {numbers.choice(FEW)}"
            body = f"set player's score to {numbers.choice(FEW)}"
        elif numbers.random() < 0.3:
            when, body = condition(numbers, 1), block(numbers, numbers.randint(0, 1))
            when = when.replace("your hand is empty", "store is empty")
        else:
            when = f"{field} {numbers.choice('=><')} {numbers.choice(FEW)}"
            body = f"set {numbers.choice(FIELDS)} to {numbers.choice(FEW)}"
        rules_written.append(
            f"rule r{n}\n  whenever {when}:\n{indented(indented(body))}"
        )
    return "\n".join(rules_written)


def awards(numbers: Random) -> str:
    """Return awards that may take one another away."""
    return f"""award first of player
  most {number(numbers, numbers.randint(0, 2)).replace("your", "player's")}
  only if second's holder is {numbers.choice(("none", "not player", "player"))}
  on a tie, {numbers.choice(("nobody has it", "holder keeps it"))}
  when gained: pay(player)
award second of player
  most player's score
  only if first's holder is {numbers.choice(("none", "player"))}
  on a tie, nobody has it
to pay(player)
  set player's score to {numbers.choice(FEW)}"""


def brackets(numbers: Random) -> str:
    """Return a definition with nested brackets."""
    deep = numbers.choice((5, 20, 30, 45, 60, 99))
    word, right = numbers.choice((("(", " + 1)"), ("half of (", ")"), ("(1 * ", ")")))
    return f"define far2: 0 to 9 = smaller of (9, {word * deep}1{right * deep})"


def counted(numbers: Random) -> str:
    """Return points, hints or invariants with nested sizes."""
    what = number(numbers, numbers.randint(1, 4)).replace("your", "player's")
    return numbers.choice(
        (
            f"points of player\n  some: {what}",
            f"hint value of player\n  some: {what}",
            f'invariant "it holds"\n  require {condition(numbers, 2)}',
        )
    ).replace("your hand", "store")


def action(numbers: Random) -> str:
    """Return the action of the game, with parameters that have many combinations."""
    kinds = ("cell", "good", "player", "0 to 9 amount", "1 to 1000 much", "cell target")
    given = numbers.sample(kinds, numbers.choice((0, 0, 1, 1, 2, 3)))
    parameters = f"({', '.join(given)})" if given else ""
    needs = "".join(
        f'\n  needs a{n}: {condition(numbers, numbers.randint(0, 3))} "not now"'
        for n in range(numbers.choice((0, 0, 1, 2)))
    )
    body = indented(block(numbers, numbers.randint(0, 4)))
    return f"action act{parameters}{needs}\n{body}"


TURNS = (
    "turn\n  phase play\n    you do act",
    "turn\n  phase play\n    you may, until done_here:\n      act",
    "turn\n  phase play\n    you may do act\n  phase next\n    throw",
    "turn\n  phase play\n    throw",
    "turn\n  phase play\n    set count to 1\n  phase ask\n    if flag: you do act",
)


def from_sizes(numbers: Random) -> str:
    """Return a game of sizes; occasionally one clause is missing."""
    parts = [
        head(numbers),
        chain(numbers),
        "define player's far: 0 to 9 = smaller of (9, player's score)",
        action(numbers),
        numbers.choice(TURNS),
    ]
    more: tuple[Callable[[Random], str], ...] = (rules, awards, brackets, counted)
    parts += [clause(numbers) for clause in more if numbers.random() < 0.4]
    if numbers.random() < 0.3:
        parts.append("setup\n" + indented(block(numbers, numbers.randint(0, 3))))
    if numbers.random() < 0.05:
        parts.pop(numbers.randrange(len(parts)))
    return "\n".join(parts) + "\n"


WAYS = """define near1: yes/no = flag
define deep1: 0 to 9 = other
define player's far: 0 to 9 = smaller of (9, player's score)
to call1
  set other to 1
action act(cell)
  needs one: {condition} "not now"
  {write}
action lay(way)
  needs left: your rails_left > 0 "none is left"
  needs free: way has no rail "it is taken"
  place your rail on way
action pave(way)
  needs left: your roads_left > 0 "none is left"
  needs free: way has no road "it is taken"
  place your road on way
points of player
  some: {points}
invariant "it can be told"
  require no player where ({points}) < 0
turn
  phase play
    you may do act, lay, pave
"""


def from_ways(numbers: Random) -> str:
    """Return a small game of trails, ways, spreads and values of pairs."""
    test, inner = condition(numbers, 0), number(numbers, 0)
    points = ways(numbers, test, inner).replace("your", "player's")
    asked = f"({ways(numbers, test, inner)}) > {numbers.choice((0, 1, 3))}"
    last = numbers.choice((asked, f"cell is in ({reach(numbers, test)})"))
    length = f"set other to smaller of (9, {ways(numbers, test, inner)})"
    body = numbers.choice((spread(numbers), write(numbers), length))
    return head(numbers, SMALL) + WAYS.format(
        condition=last,
        write=indented(body).lstrip(),
        points=points,
    )
