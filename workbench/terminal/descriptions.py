"""Descriptions of single spaces, cards and other members, for `about NAME`."""

from collections.abc import Iterator, Mapping, Sequence

from rulebook import Address
from rulebook.model import Bag, Board, Domain, DomainSort, Member, Model, Whole
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.selection import find_by_name, typed_names
from workbench.presentation.picture import Scene
from workbench.presentation.picture.captions import space_caption
from workbench.presentation.picture.scene import bag_text
from workbench.presentation.picture.text.board_lines import corner_names


def description_lines(
    typed_name: str, scene: Scene, localizer: Localizer
) -> Iterator[str]:
    """Yield lines that describe a named space, card or other member.

    Raise `RequestError` if the name is ambiguous.
    """
    name = find_by_name(typed_name, _all_typed_names(scene, localizer), localizer)
    if name is None:
        yield "  " + localizer.phrase("nothing_called", text=typed_name)
        return
    for space in scene.spaces:
        if space.name == name:
            yield f"  {space_caption(scene, space)}"
            yield from _adjacent_lines(name, scene, localizer)
            return
    for domain in scene.book.model.domains.values():
        if name in domain.members:
            parts = list(_attribute_lines(scene.book.model, domain, name, localizer))
            kind = localizer.title(domain.name)
            yield f"  {localizer.value(name)} ({kind})" + "".join(
                f"; {p}" for p in parts
            )
    clause = scene.book.clauses.get(str(Address("card", name)))
    text = getattr(clause and clause.node, "text", None)
    if text:
        yield f"  {localizer.sentence(f'card.{name}', text)}"


def _all_typed_names(scene: Scene, localizer: Localizer) -> Mapping[str, Sequence[str]]:
    """Return the names that a player may type for each space or member, by name."""
    short = corner_names(scene)
    names = [space.name for space in scene.spaces]
    names += [
        name
        for domain in scene.book.model.domains.values()
        if not domain.each_player and domain.sort is not DomainSort.PAIR
        for name in domain.members
    ]
    return {name: typed_names(name, localizer, short) for name in names}


def _attribute_lines(
    model: Model, domain: Domain, name: str, localizer: Localizer
) -> Iterator[str]:
    """Yield the title and value of each non-empty attribute of a member."""
    number = domain.members.index(name)
    for column in domain.columns.values():
        value, title = column.values[number], localizer.field(domain.name, column.name)
        match column.type:
            case Member(domain=other) if value >= 0:
                yield f"{title} {localizer.value(model.domains[other].members[value])}"
            case Whole() if value:
                yield f"{title} {value}"
            case Bag(domain=other) if any(value):
                bag = dict(zip(model.domains[other].members, value, strict=True))
                yield f"{title} {bag_text(bag, localizer)}"


def _adjacent_lines(name: str, scene: Scene, localizer: Localizer) -> Iterator[str]:
    """Yield the drawn hexes, corners and links that touch a place, a line for each.

    Those of a hex are in clockwise order. A cell of a grid has no such lines.
    """
    model = scene.book.model
    board = model.board
    drawn = {space.name for space in scene.spaces}
    if board is None or model.domains[board.corner].axes:
        return
    is_hex = name in _members(model, board.face)
    for domain_name, members in _adjacent_places(name, model, board):
        domain = model.domains[domain_name]
        titles = [
            localizer.value(domain.members[number])
            for number in members
            if domain.members[number] in drawn
        ]
        if titles:
            text = localizer.plural(domain.name, domain.plural)
            if is_hex:
                text = localizer.phrase("clockwise", names=text)
            yield f"    {text}: {', '.join(titles)}"


def _adjacent_places(
    name: str, model: Model, board: Board
) -> Iterator[tuple[str, list[int]]]:
    """Yield each kind of places that touch a place, with their indices."""
    faces, corners, links = (
        _members(model, kind) for kind in (board.face, board.corner, board.link)
    )
    ends = [set(pair) for pair in board.link_ends]
    if name in faces and board.face is not None:
        around = board.face_corners[faces.index(name)]
        sides = [{a, b} for a, b in zip(around, (*around[1:], around[0]), strict=True)]
        yield board.corner, list(around)
        if board.link is not None:
            yield board.link, [ends.index(side) for side in sides if side in ends]
        return
    if name in corners:
        own = {corners.index(name)}
    elif name in links:
        own = ends[links.index(name)]
    else:
        return
    if board.face is not None:
        touching = enumerate(board.face_corners)
        yield board.face, [n for n, around in touching if own <= set(around)]
    if name in links:
        yield board.corner, sorted(own)
    elif board.link is not None:
        yield board.link, [n for n, pair in enumerate(ends) if own <= pair]


def _members(model: Model, kind: str | None) -> Sequence[str]:
    """Return the members of a kind, or none without a kind."""
    return () if kind is None else model.domains[kind].members
