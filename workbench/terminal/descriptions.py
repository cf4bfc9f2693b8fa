"""Descriptions of single spaces, cards and other members, for `about NAME`."""

from collections.abc import Iterator, Mapping, Sequence

from rulebook import Address
from rulebook.model import Bag, Domain, DomainSort, Member, Model, Whole
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
