"""Declaration of teams: a kind, and attributes `team` and `partner` of players."""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.symbol_table import (
    PLAYER,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.model.value_types import NONE, Member, SetOf

TEAM = "team"
MEMBERS = "members"
PARTNER = "partner"
PAIR = 2


def declare_teams(world: SymbolTable) -> None:
    """Declare the teams of the header as a kind, with their members."""
    teams = world.header.teams
    if not teams:
        return
    names = tuple(team.name.text for team in teams)
    homes = _team_indices(world, teams)
    span = teams[0].span
    members = tuple(
        tuple(seat for seat, home in enumerate(homes) if home == number)
        for number in range(len(teams))
    )
    world.add_domain(
        m.Domain(
            name=TEAM,
            plural="teams",
            sort=m.DomainSort.TEAM,
            members=names,
            columns={MEMBERS: m.Column(MEMBERS, SetOf(PLAYER), members, span=span)},
            span=span,
        ),
        span,
    )
    of_player = world.domains[PLAYER].columns
    kind = Member(TEAM, optional=NONE in homes)
    of_player[TEAM] = m.Column(TEAM, kind, tuple(homes), span=span)
    partners = tuple(_partner(seat, members) for seat in range(len(homes)))
    mate = Member(PLAYER, optional=True)
    of_player[PARTNER] = m.Column(PARTNER, mate, partners, span=span)


def _team_indices(world: SymbolTable, teams: tuple[s.Team, ...]) -> list[int]:
    """Return the index of each seat's team, or `NONE` for a seat without a team."""
    homes = [NONE] * len(world.seats)
    seen: dict[str, s.Name] = {}
    for number, team in enumerate(teams):
        for name in (team.name, *team.members):
            if name.text in seen:
                raise mistake(
                    "RB102",
                    name.span,
                    f"`{name.text}` occurs twice in the teams",
                    related=((seen[name.text].span, "first here"),),
                )
            seen[name.text] = name
        for seat in team.members:
            if seat.text not in world.seats:
                raise unknown_name_error("seat", seat, world.seats)
            homes[world.seats.index(seat.text)] = number
    return homes


def _partner(seat: int, members: tuple[tuple[int, ...], ...]) -> int:
    """Return the index of the other seat in a seat's team of two, or `NONE`."""
    for team in members:
        if seat in team and len(team) == PAIR:
            return team[0] + team[1] - seat
    return NONE
