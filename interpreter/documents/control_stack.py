"""Conversion of the control stack to plain data and back."""

from __future__ import annotations

from typing import Any

from interpreter.documents.plain_data import PLAYER, Plain, get_object
from interpreter.errors import PositionError
from interpreter.plan.plan import Plan
from interpreter.plan.units import Unit
from interpreter.state.turn_loop import GAME


def write_frame(plan: Plan, frame: list[Any]) -> Plain:
    """Return a frame as plain data, with names instead of numbers."""
    unit = plan.units[frame[0]]
    values: Plain = {}
    for place, value in enumerate(frame[3:], 1):
        if value is not None:
            name = slot_name(unit, place)
            values[name] = local_to_plain(plan, unit, place, value)
    return {
        "clause": unit.name,
        "at": unit.step_names.get(frame[1], "the beginning"),
        "you": plan.values.to_plain(PLAYER, frame[2]),
        "values": values,
    }


def slot_name(unit: Unit, place: int) -> str:
    """Return a local variable's name, numbered if an earlier variable also has it."""
    name = unit.slots[place]
    same = unit.slots[:place].count(name)
    return name if not same else f"{name} {same + 1}"


def local_to_plain(plan: Plan, unit: Unit, place: int, value: Any) -> Any:
    """Return the value of a local variable as plain data."""
    kind = unit.types[place]
    if kind is None:
        return list(value) if isinstance(value, tuple) else value
    return plan.values.to_plain(kind, value)


def read_pending(plan: Plan, position: Plain) -> list[list[Any]]:
    """Read the control stack of a position."""
    pending = position.get("pending")
    if pending is None:
        frame = plan.units[0].frame(0)
        frame[1] = 2 if position.get("active") is not None else 0
        return [frame]
    if not isinstance(pending, list) or not pending:
        raise PositionError("pending", "expected a non-empty list")
    return [read_frame(plan, frame, n) for n, frame in enumerate(pending)]


def read_frame(plan: Plan, frame_data: Any, number: int) -> list[Any]:
    """Read frame *number* of the control stack."""
    path = f"pending.{number}"
    if not isinstance(frame_data, dict):
        raise PositionError(path, "expected an object")
    clause = frame_data.get("clause")
    names = {unit.name: unit for unit in plan.units}
    if not isinstance(clause, str) or clause not in names:
        raise PositionError(f"{path}.clause", f"there is no clause {clause!r}")
    if (clause == GAME) != (number == 0):
        raise PositionError(
            f"{path}.clause",
            f"the first clause must be {GAME}, and no other clause may be",
        )
    unit = names[clause]
    steps = {name: step for step, name in unit.step_names.items()}
    at = frame_data.get("at", "the beginning")
    if not isinstance(at, str) or not (at in steps or at == "the beginning"):
        raise PositionError(f"{path}.at", f"{clause} has no step {at!r}")
    you = plan.values.from_plain(PLAYER, frame_data.get("you"), f"{path}.you")
    frame = unit.frame(you)
    frame[1] = steps.get(at, 0)
    places = {slot_name(unit, n): n for n in range(1, len(unit.slots))}
    for name, value in get_object(frame_data, "values", f"{path}.").items():
        where = f"{path}.values.{name}"
        if name not in places:
            raise PositionError(where, f"{clause} has no value with this name")
        frame[places[name] + 2] = read_local(plan, unit, places[name], value, where)
    for place in sorted(unit.bound.get(frame[1], ())):
        if frame[place + 2] is None:
            where = f"{path}.values.{slot_name(unit, place)}"
            raise PositionError(where, f"{clause} needs a value with this name here")
    return frame


def read_local(plan: Plan, unit: Unit, place: int, value: Any, path: str) -> Any:
    """Read the value of a local variable."""
    kind = unit.types[place]
    if kind is None:
        return tuple(value) if isinstance(value, list) else value
    return plan.values.from_plain(kind, value, path)
