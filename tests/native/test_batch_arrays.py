"""Arrays of the caller receive the results of a batch; unsuitable ones are rejected."""

from __future__ import annotations

import sys
from array import array
from random import Random
from typing import Any

import attrs
import pytest

from interpreter import UsageError
from interpreter.batches.step import COLUMNS
from interpreter.c_engine import Batch, Step
from tests.native.compilers import NEEDS_C
from workbench import load

np = pytest.importorskip("numpy")

REVERSI = "examples/tiny/reversi.rules"
TYPES = {"?": "bool", "B": "uint8", "i": "int32", "q": "int64", "Q": "uint64"}

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


def random_indices(step: Step, numbers: Random) -> list[int]:
    """Return a random legal index for each game."""
    return [
        int(step.indices[i, int(numbers.random() * int(count))])
        for i, count in enumerate(step.counts)
    ]


def contents(step: Step) -> dict[str, Any]:
    """Return the numbers of a step, by the names of its arrays."""
    arrays = attrs.asdict(step, recurse=False)
    indices, counts = arrays.pop("indices"), arrays["counts"]
    rows = {
        name: each.tolist()
        for name, each in arrays.items()
        if each is not None and name != "legal_bits"
    }
    legal = [indices[i, : counts[i]].tolist() for i in range(len(counts))]
    return rows | {"indices": legal}


def new_arrays(batch: Batch, fill: int = 7) -> dict[str, Any]:
    """Return an array of the caller for each array, full of wrong numbers."""
    return {
        name: np.full(batch.shape(name), fill, TYPES.get(column.number, "float64"))
        for name, column in COLUMNS.items()
    }


def bits_of(step: Step, actions: int) -> Any:
    """Return the mask of the bits."""
    bits = np.unpackbits(step.legal_bits, axis=1, bitorder="little")
    assert not bits[:, actions:].any()
    return bits[:, :actions].astype(bool)


@pytest.mark.parametrize("name", ["classic", "cardgame", REVERSI])
@pytest.mark.parametrize("threads", [1, 3])
def test_arrays_of_the_caller_receive_the_same_results(name: str, threads: int) -> None:
    book, numbers = load(name), Random(1)
    usual, size = Batch(book, 5, seed=3), 5
    arrays = new_arrays(usual)
    with Batch(book, size, seed=3, out=arrays, threads=threads) as batch:
        for number in range(120):
            if number == 60:
                arrays["legal"][:] = True
                arrays["observations"][:] = 3
            indices = random_indices(usual.now, numbers)
            expected, step = usual.step(indices), batch.step(indices)
            assert all(getattr(step, each) is arrays[each] for each in arrays)
            assert contents(step) == contents(expected)
            assert (bits_of(step, batch.actions) == step.legal).all()
            assert step.actions.tolist() == indices


def test_out_of_a_step_receives_the_results_of_this_step_only() -> None:
    book, numbers = load(REVERSI), Random(1)
    usual, batch = Batch(book, 4, seed=3), Batch(book, 4, seed=3)
    shape = (60, *batch.shape("observations"))
    observed, masks = np.zeros(shape, "int32"), np.zeros((60, 4, batch.actions), "int8")
    history = []
    for number in range(60):
        indices = random_indices(usual.now, numbers)
        usual.step(indices)
        if number % 3:
            out = {"observations": observed[number], "legal": masks[number]}
            step = batch.step(indices, out=out)
            assert step.legal is out["legal"]
        else:
            step = batch.step(indices)
            assert not step.legal.flags.writeable
        assert batch.now is step
        assert contents(step) == contents(usual.now)
        history.append((usual.now.observations.copy(), usual.now.legal.copy()))
    for number, (seen, legal) in enumerate(history):
        assert (observed[number] == (seen if number % 3 else 0)).all()
        assert (masks[number] == (legal if number % 3 else 0)).all()


def test_any_writable_buffer_receives_results() -> None:
    usual = Batch(load(REVERSI), 4, seed=3)
    width = len(usual.observed())
    observed = memoryview(bytearray(4 * 4 * width)).cast("B").cast("i", (4, width))
    seats = array("i", [9] * 4)
    batch = Batch(
        load(REVERSI), 4, seed=3, out={"observations": observed, "seats": seats}
    )
    indices = random_indices(usual.now, Random(1))
    assert batch.step(indices).observations is observed
    assert observed.tolist() == usual.step(indices).observations.tolist()
    assert seats.tolist() == usual.now.seats.tolist()


def test_rejects_unsuitable_arrays_and_changes_nothing() -> None:
    batch = Batch(load(REVERSI), 2, seed=3)
    width, actions = len(batch.observed()), batch.actions
    frozen, shared = np.zeros((2, width), "int32"), np.zeros(8, "int32")
    frozen.setflags(write=False)
    before, indices = contents(batch.now), random_indices(batch.now, Random(1))
    wide = np.zeros((2, 2 * actions), "uint8")
    for out, message in (
        (
            {"observation": frozen},
            "a batch has no array `observation`; its arrays: act",
        ),
        ({"observations": frozen}, "`observations` cannot be used: it is read-only"),
        ({"seats": [0, 0]}, "`seats` cannot be used: list has no buffer"),
        (
            {"seats": np.zeros(2)},
            "`seats` cannot be used: it contains float64, not int32",
        ),
        ({"seats": np.zeros(2, "int64")}, "it contains int64, not int32"),
        (
            {"seats": np.zeros(2, ">i4")},
            "it contains numbers of the format >i, not int32",
        ),
        ({"seats": np.zeros(3, "int32")}, r"its shape is \(3,\), not \(2,\)"),
        ({"seats": np.zeros((2, 1), "int32")}, r"its shape is \(2, 1\), not \(2,\)"),
        ({"legal": wide[:, ::2]}, "its rows are not contiguous"),
        (
            {"seats": shared[:2], "counts": shared[1:3]},
            "the arrays `seats` and `counts` share memory",
        ),
    ):
        with pytest.raises(UsageError, match=message):
            batch.step(indices, out=out)
        with pytest.raises(UsageError, match=message):
            Batch(load(REVERSI), 2, out=out)
        assert contents(batch.now) == before
    assert not shared.any() and not frozen.any() and not wide.any()
    batch.step(indices, out={"seats": shared[:2], "counts": shared[2:4]})
    assert shared[2:4].tolist() == batch.now.counts.tolist()


def test_an_illegal_index_changes_no_array_of_the_caller() -> None:
    batch = Batch(load(REVERSI), 3, seed=3, threads=3)
    arrays = new_arrays(batch)
    step = batch.now
    with pytest.raises(UsageError, match="-1 is not legal in game 2 for"):
        batch.step([*random_indices(step, Random(1))[:2], -1], out=arrays)
    assert all((each == np.full_like(each, 7)).all() for each in arrays.values())
    assert batch.now is step


# ---------------------------------------------------------------- fields


@pytest.mark.parametrize("name", ["classic", "cardgame", "examples/games/hearts.rules"])
def test_fields_choose_numbers_of_an_observation(name: str) -> None:
    book, numbers = load(name), Random(2)
    whole = Batch(book, 3, seed=1)
    names = whole.observed()
    some = sorted(numbers.sample(names, len(names) // 3))
    part, column = Batch(book, 3, seed=1, fields=some), names.index
    assert sorted(part.observed()) == some
    assert part.now.observations.shape == (3, len(some))
    places = [column(each) for each in part.observed()]
    assert places == sorted(places)
    for _ in range(150):
        seen = whole.now.observations[:, places]
        assert seen.tolist() == part.now.observations.tolist()
        indices = random_indices(whole.now, numbers)
        whole.step(indices), part.step(indices)


def test_fields_may_be_beginnings_of_names_and_patterns() -> None:
    book = load("classic")
    names = Batch(book, 1).observed()

    def observed(*fields: str) -> list[str]:
        return list(Batch(book, 1, fields=fields).observed())

    points = [name for name in names if name.startswith("points.")]
    assert observed("points") == points
    assert observed("points", "seat", points[0]) == ["seat", *points]
    assert observed("*.hand.count") == [n for n in names if n.endswith(".hand.count")]
    assert observed("*") == list(names)


def test_without_fields_there_are_no_observations() -> None:
    batch = Batch(load(REVERSI), 2, seed=1, fields=())
    assert batch.observed() == ()
    assert batch.step(random_indices(batch.now, Random(1))).observations is None
    empty = {"observations": np.zeros((2, 0), "int32")}
    with pytest.raises(
        UsageError, match="`observations` is empty, because the batch has"
    ):
        batch.step(random_indices(batch.now, Random(1)), out=empty)


def test_rejects_unknown_fields() -> None:
    with pytest.raises(
        UsageError, match="is called `point`; the nearest name is `points`"
    ):
        Batch(load("classic"), 1, fields=["point"])
    with pytest.raises(UsageError, match="is called `hand`"):
        Batch(load("classic"), 1, fields=["seat", "hand"])
    with pytest.raises(UsageError, match="a list of names, not the text `seat`"):
        Batch(load("classic"), 1, fields="seat")


# ---------------------------------------------------------------- without numpy


def test_without_numpy_results_are_memoryviews(monkeypatch: pytest.MonkeyPatch) -> None:
    book, numbers = load(REVERSI), Random(1)
    usual = Batch(book, 3, seed=1)
    monkeypatch.setitem(sys.modules, "numpy", None)
    batch = Batch(book, 3, seed=1)
    for _ in range(30):
        indices = random_indices(batch.now, numbers)
        usual.step(array("q", indices)), batch.step(array("q", indices))
        for name in ("legal", "observations", "rewards", "seats", "terminated"):
            there, here = getattr(usual.now, name), getattr(batch.now, name)
            assert isinstance(here, memoryview) and here.readonly
            assert here.tolist() == there.tolist()
    for wrong in ([0], [[0, 0, 0]], [0.0] * 3, ["a"] * 3, [True] * 3, [1 << 64] * 3, 5):
        with pytest.raises(UsageError, match="a step takes 3 whole numbers"):
            batch.step(wrong)
    with pytest.raises(UsageError, match="-5 is not legal in game 0"):
        batch.step([-5, -5, -5])
