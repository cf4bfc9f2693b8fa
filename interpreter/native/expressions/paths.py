"""C code for paths over a board and longest trails."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.algorithms.ways import links_around
from interpreter.core.dependencies import walk
from interpreter.core.facts import PLAYER
from interpreter.native.expressions.sets import table_row
from interpreter.native.writer import Anyhow, CWriter, Lists, Loop, Values
from interpreter.plan.specialise.terms import SCOPES
from rulebook import model as m


def starts(w: CWriter, e: m.Expr, name: str, body: str) -> str:
    """Return C code that runs *body* for each start space."""
    if isinstance(e.type, m.Member):
        return f"{{ num {name} = {w.value(e)}; {body} }}"
    return w.loop(e, name, body)


def steps(w: CWriter, e: m.Reach, far: str) -> str:
    """Return the C lines that fill an array with the number of steps to every space.

    Spaces that are not reached get -1. Spaces that are reached but do not meet the
    condition get -2.
    """
    size = w.facts.sizes[e.domain]
    edge, ends, begun, at, i = [w.file.new(x) for x in ("q", "n", "m", "c", "i")]
    most = "-1" if e.within is None else w.number(e.within)
    enter = (
        f"if ({begun} >= 0 && {far}[{begun}] == -1) "
        f"{{ {far}[{begun}] = 0; {edge}[{ends}++] = {begun}; }}"
    )
    fits = ""
    if not e.links and e.where is not None:
        with w.binding(e.slot, at):
            fits = f"if (!{w.value(e.where)}) {{ {far}[{at}] = -2; continue; }} "
    within = "" if e.within is None else f"if ({far}[{at}] >= {i}_w) continue; "
    through = ""
    if e.through is not None:
        with w.binding(e.through.slot, at):
            through = f"if ({far}[{at}] && !{w.value(e.through.value)}) continue; "
    limit = "" if e.within is None else f"num {i}_w = {most}; "
    return (
        f"num {edge}[{size}], {ends} = 0; {limit}"
        f"for (num {i} = 0; {i} < {size}; {i}++) {far}[{i}] = -1; "
        f"{starts(w, e.start, begun, enter)} "
        f"for (num {i} = 0; {i} < {ends}; {i}++) {{ num {at} = {edge}[{i}]; "
        f"{fits}{within}{through}{beside(w, e, at, far, edge, ends)} }}"
    )


def beside(w: CWriter, e: m.Reach, at: str, far: str, edge: str, ends: str) -> str:
    """Return the C lines that go from a space to its neighbours."""
    to = w.file.new("m")
    enter = (
        f"if ({far}[{to}] == -1) "
        f"{{ {far}[{to}] = {far}[{at}] + 1; {edge}[{ends}++] = {to}; }}"
    )
    if not e.links:
        loop = table_row(w, w.facts.relations[f"{e.domain}.neighbours"], at, to)
        return f"{{ {loop.before}{loop.head}{enter} }} }}"
    board = w.facts.model.board
    assert board is not None
    rows = links_around(board.link_ends, w.facts.sizes[e.domain])
    pair = w.file.new("p")
    ends_of = w.file.table([space for row in rows for _, space in row])
    flat: list[tuple[int, ...]] = []
    place = 0
    for row in rows:
        flat.append(tuple(range(place, place + len(row))))
        place += len(row)
    links = w.file.table([link for row in rows for link, _ in row])
    loop = table_row(w, flat, at, pair)
    holds = ""
    if e.where is not None:
        with w.binding(e.slot) as link:
            test = w.value(e.where)
            holds = f"VAR {link} = {links}[{pair}]; if (!{test}) continue; "
    step = f"{holds}num {to} = {ends_of}[{pair}]; {enter}"
    return f"{{ {loop.before}{loop.head}{step} }} }}"


def _reach(w: CWriter, e: m.Reach, array: str) -> str:
    far, i = w.file.new("d"), w.file.new("i")
    size = w.facts.sizes[e.domain]
    return (
        f"{{ num {far}[{size}]; {steps(w, e, far)} {array}[0] = 0; "
        f"for (num {i} = 0; {i} < {size}; {i}++) "
        f"if ({far}[{i}] >= 0) {array}[++{array}[0]] = {i}; }}"
    )


def _come_to(w: CWriter, e: m.Reach, name: str) -> Loop | None:
    """Return a loop over the reachable spaces in the order in which they are
    reached."""
    if e.links or e.within is not None or e.through is not None:
        return None
    size, to = w.facts.sizes[e.domain], w.file.new("m")
    edge, ends, begun, seen, i = [w.file.new(x) for x in ("q", "n", "m", "t", "i")]

    def enter(space: str) -> str:
        fits = "1"
        if e.where is not None:
            with w.binding(e.slot, space):
                fits = w.value(e.where)
        return (
            f"if (!{seen}[{space}]) {{ {seen}[{space}] = 1; "
            f"if ({fits}) {edge}[{ends}++] = (int){space}; }}"
        )

    first = starts(w, e.start, begun, f"if ({begun} >= 0) {{ {enter(begun)} }}")
    near = table_row(w, w.facts.relations[f"{e.domain}.neighbours"], name, to)
    return Loop(
        f"uint8_t {seen}[{size}] = {{0}}; int {edge}[{size} + 1], {ends} = 0; {first} ",
        f"for (int {i} = 0; {i} < {ends}; {i}++) {{ VAR {name} = {edge}[{i}]; "
        f"{{ {near.before}{near.head}{enter(to)} }} }} ",
    )


def _distance(w: CWriter, e: m.Distance) -> str:
    far, best, goal = w.file.new("d"), w.file.new("n"), w.file.new("m")
    size = w.facts.sizes[e.way.domain]
    nearer = (
        f"if ({goal} >= 0 && {far}[{goal}] >= 0 && {far}[{goal}] < {best}) "
        f"{best} = {far}[{goal}];"
    )
    return (
        f"({{ num {far}[{size}], {best} = {size}; {steps(w, e.way, far)} "
        f"{starts(w, e.goal, goal, nearer)} {best}; }})"
    )


# ---------------------------------------------------------------- trails


def _longest_trail(w: CWriter, e: m.LongestTrail) -> str:
    board = w.facts.model.board
    assert board is not None and board.link is not None
    if not board.link_ends:
        return "0"
    trail, place, i = w.file.new("t"), w.file.new("p"), w.file.new("i")
    lines = f"Trail {trail}; {trail}.links = 0; "
    lines += f"{trail}.joined = {int(e.joint is not None)}; "
    if e.also:
        lines += f"int {place}[{len(board.link_ends)}] = {{0}}; "
    for sort, links in enumerate((e.links, *e.also)):
        v = w.file.new("m")
        bit = 1 << sort if e.joint is not None else 1
        places = place if e.also else "0"
        add = f"trail_link(g, &{trail}, {places}, {v}, {bit});"
        lines += f"{w.loop(links, v, add)} "
    n = w.file.new("n")
    plain = e.weight is None and e.joint is None
    few = f"if ({n} > 1 && {n} >= {w.enough}) " if plain else ""
    lines += f"num {n} = {trail}.links; {few}{{ "
    lines += at_ends(w, trail, e, [end for ends in board.link_ends for end in ends])
    if e.weight is not None:
        with w.binding(e.weight.slot) as link:
            weight = w.value(e.weight.value)
            lines += (
                f"for (int {i} = 0; {i} < {trail}.links; {i}++) "
                f"{{ VAR {link} = (num)({trail}.asked[{i}] >> 32); "
                f"{trail}.weight[{i}] = {weight}; }} "
            )
    kept = "0" if e.weight is not None else kept_for(w, e)
    return f"({{ {lines}{n} = trail_longest(g, &{trail}, {kept}); }} {n}; }})"


def at_ends(w: CWriter, trail: str, e: m.LongestTrail, ends: list[int]) -> str:
    """Return the C lines that store the ends of each link, and the conditions
    at them.
    """
    table, flags = w.file.table(ends), ""
    i, j, now, corner = [w.file.new(x) for x in ("i", "i", "n", "m")]
    with w.binding(e.slot, corner):
        flags += f"{now} |= (uint64_t)({w.value(e.closed)} != 0) * CLOSED << {j}; "
    if e.joint is not None:
        with w.binding(e.joint.slot, corner):
            holds = w.value(e.joint.value)
            flags += f"{now} |= (uint64_t)({holds} != 0) * JOINT << {j}; "
    return (
        f"for (int {i} = 0; {i} < {trail}.links; {i}++) {{ "
        f"uint64_t {now} = {trail}.asked[{i}]; for (int {j} = 0; {j} < 2; {j}++) {{ "
        f"VAR {corner} = {table}[2 * ({trail}.asked[{i}] >> 32) + (uint64_t){j}]; "
        f"{trail}.end[2 * {i} + {j}] = (int){corner}; {flags}}} "
        f"{trail}.asked[{i}] = {now}; }} "
    )


def kept_for(w: CWriter, e: m.LongestTrail) -> str:
    """Return the C index of a cached trail: one for each seat if the trail depends on a
    seat.
    """
    first = w.file.trail() * w.facts.players
    own = {node.slot for node in walk(e) if type(node) in SCOPES}
    seats = [
        node
        for node in walk(e)
        if isinstance(node, m.Local) and node.slot not in own and is_seat(node.type)
    ]
    if not seats:
        return f"&g->kept[{first}]"
    return f"&g->kept[{first} + at_least_0({w.value(seats[0])})]"


def is_seat(kind: m.Type) -> bool:
    """Return whether a type is that of a seat."""
    return isinstance(kind, m.Member) and kind.domain == PLAYER


VALUES: Values = {m.Distance: _distance, m.LongestTrail: _longest_trail}
LISTS: Lists = {m.Reach: _reach}
UNORDERED: Mapping[type, Anyhow] = {m.Reach: _come_to}
