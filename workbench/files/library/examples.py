"""Example games, read from the installation or the source tree."""

from pathlib import Path

from rulebook.tooling import nearest
from workbench.errors import RequestError

HERE = Path(__file__).parents[2]
INSTALLED, SOURCE = HERE / "shown", HERE.parent / "examples"


def example_names() -> tuple[str, ...]:
    """Return the names of the examples, sorted."""
    return tuple(sorted(_examples_by_name()))


def example_text(name: str) -> str:
    """Return the text of an example.

    Raise `RequestError`, with a similar name as a suggestion, if it is unknown.
    """
    by_name = _examples_by_name()
    if name not in by_name:
        near = nearest(name, by_name)
        all_examples = f"available examples: {', '.join(sorted(by_name))}"
        help = f"did you mean `{near}`?" if near else all_examples
        raise RequestError(f"there is no example `{name}`", help)
    return by_name[name].read_text(encoding="utf-8")


def _examples_by_name() -> dict[str, Path]:
    folder = INSTALLED if INSTALLED.is_dir() else SOURCE
    return {
        path.stem: path for path in folder.glob("*/*.rules") if "." not in path.stem
    }
