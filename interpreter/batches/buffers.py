"""Memory of the arrays of a batch, which the caller or the batch owns."""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import prod
from typing import Any

import attrs

from interpreter.batches.step import Number
from interpreter.errors import UsageError

TYPE_NAMES = {
    Number.BOOL: "bool",
    Number.BYTE: "uint8",
    Number.INT32: "int32",
    Number.INT64: "int64",
    Number.UINT64: "uint64",
    Number.FLOAT64: "float64",
}
BOOL_TYPES = ("bool", "uint8", "int8")
"""Types of arrays that may contain the numbers 0 and 1 for no and yes."""

FORMATS = {
    "?": "bool",
    **dict.fromkeys("bhilqn", "int"),
    **dict.fromkeys("efd", "float"),
}
FORMATS |= dict.fromkeys("BHILQN", "uint")
"""Letters of `struct` for the types of numbers, without their sizes."""

FOREIGN_ORDER = "<" if struct.pack("=H", 1) == struct.pack(">H", 1) else ">!"


@attrs.frozen(eq=False)
class Buffer:
    """Memory of an array: its address and size in bytes, and the array itself.

    `held` is the object that keeps the memory at its address. `is_given` is true for
    an array of the caller, who may change it.
    """

    address: int
    size: int
    array: Any
    held: Any
    is_given: bool = False


def new_memory(size: int) -> mmap.mmap:
    """Return memory of zeros, in large pages if the system has them."""
    memory = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def new_buffer(number: Number, shape: tuple[int, ...], numpy: Any) -> Buffer:
    """Return memory of zeros, as a read-only numpy array or memoryview."""
    size = struct.calcsize(number) * prod(shape)
    memory = new_memory(size)
    held = ctypes.c_char.from_buffer(memory)
    cast: Callable[..., memoryview] = memoryview(memory).cast
    view = cast(number, shape).toreadonly()
    array = view if numpy is None else numpy.asarray(view)
    return Buffer(ctypes.addressof(held), size, array, held)


def given_buffer(
    name: str, given: Any, number: Number, shape: tuple[int, ...]
) -> Buffer:
    """Return the memory of the caller's array, or raise `UsageError`."""
    try:
        view = memoryview(given)
    except TypeError:
        raise _unsuitable(
            name, f"{type(given).__name__} has no buffer; pass a numpy array"
        ) from None
    wanted = TYPE_NAMES[number]
    allowed = BOOL_TYPES if number is Number.BOOL else (wanted,)
    got = _type_name(view)
    if got not in allowed:
        raise _unsuitable(name, f"it contains {got}, not {wanted}")
    if view.shape != shape:
        raise _unsuitable(name, f"its shape is {view.shape}, not {shape}")
    if view.readonly:
        raise _unsuitable(name, "it is read-only")
    if not view.c_contiguous:
        raise _unsuitable(
            name, "its rows are not contiguous; pass an array in C order, not a part"
        )
    held = ctypes.c_char.from_buffer(given)
    return Buffer(ctypes.addressof(held), view.nbytes, given, held, is_given=True)


def check_apart(buffers: Mapping[str, Buffer]) -> None:
    """Raise `UsageError` if two arrays share memory."""
    placed = sorted((each.address, each.size, name) for name, each in buffers.items())
    for (address, size, name), (start, _, other) in pairwise(placed):
        if address + size > start:
            raise UsageError(
                f"the arrays `{name}` and `{other}` share memory; pass separate arrays",
                arrays=[name, other],
            )


def _type_name(view: memoryview) -> str:
    """Return the type of the numbers of a buffer, as numpy calls it."""
    letter = view.format[-1:]
    if view.format[:1] in FOREIGN_ORDER or len(view.format.lstrip("@=<>!")) != 1:
        return f"numbers of the format {view.format}"
    kind = FORMATS.get(letter, f"numbers of the format {view.format}")
    return (
        kind if kind not in ("int", "uint", "float") else f"{kind}{8 * view.itemsize}"
    )


def _unsuitable(name: str, reason: str) -> UsageError:
    return UsageError(f"the array `{name}` cannot be used: {reason}", array=name)
