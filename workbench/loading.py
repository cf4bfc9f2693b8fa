"""From a VARIANT to a book: a shipped name, a path, or several joined with `+`.

The only room that knows where the shipped files are.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import attrs

import rulebook
import variants
from rulebook import Diagnostic, Rulebook, RulesError
from workbench.errors import Refused

ENDING = ".rules"


class Shipped:
    """Finds the text of a shipped file, None if there is none; after the own folder."""

    def __call__(self, name: str) -> str | None:
        """The text of `NAME.rules`."""
        try:
            return variants.path(name).read_text(encoding="utf-8")
        except KeyError:
            return None

    @property
    def known(self) -> tuple[str, ...]:
        """The names that people mean: games and house rules."""
        return (*variants.names(), *variants.house_rules())


shipped_text = Shipped()


def find(part: str) -> Path:
    """The file that one part of a VARIANT means.

    Raises `Refused` when there is none, with the nearest shipped name.
    """
    if part in (*variants.names(), *variants.house_rules()):
        return variants.path(part)
    path = Path(part)
    if path.is_file():
        return path
    if path.suffix == ENDING or len(path.parts) > 1:
        beside = [str(one) for one in path.parent.glob(f"*{ENDING}")]
        near = rulebook.nearest(part, beside)
        help = f"did you mean `{near}`?" if near else None
        raise Refused(f"there is no file {part}", help)
    beside = [one.name for one in Path().glob(f"*{ENDING}")]
    known = (*variants.names(), *variants.house_rules())
    near = rulebook.nearest(part, known) or next(
        (name for name in beside if name == f"{part}{ENDING}"),
        rulebook.nearest(part, beside),
    )
    shipped = f"shipped are {', '.join(variants.names())}"
    help = f"did you mean `{near}`? ({shipped})" if near else shipped
    raise Refused(f"no game is called `{part}`", help)


def load(variant: str) -> Rulebook:
    """The book of a variant.

    Raises `rulebook.RulesError` with every diagnostic, and `Refused` when a part of
    the variant is neither a shipped name nor a file.
    """
    book, diagnostics = examine(variant)
    if book is None:
        raise RulesError(diagnostics)
    return book


def examine(variant: str) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """The book of a variant, None when it has errors, and everything found.

    Raises `Refused` as `load` does.
    """
    parts = [variant] if Path(variant).is_file() else variant.split("+")
    paths = [find(part) for part in parts]
    if len(paths) > 1:
        return _laid_over(paths)
    if variant not in variants.names():
        return rulebook.examine(paths[0], shipped_text)
    book, diagnostics = rulebook.examine(
        paths[0], shipped_text, called=f"{variant}{ENDING}"
    )
    return None if book is None else attrs.evolve(book, shipped=True), diagnostics


def texts_of(diagnostics: Iterable[Diagnostic]) -> dict[str, str]:
    """The files that diagnostics are about, by name, as far as they can be read."""
    found: dict[str, str] = {}
    spans = [
        span for one in diagnostics for span in (one.span, *(s for s, _ in one.related))
    ]
    for name in {span.file: None for span in spans}:
        text = shipped_text(Path(name).stem)
        with suppress(OSError, ValueError):
            text = Path(name).read_text(encoding="utf-8")
        if text is not None:
            found[name] = text
    return found


def _laid_over(
    paths: list[Path],
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """A game with house rules laid over it, from left to right."""
    by_name = {path.stem: path for path in paths}
    if len(by_name) < len(paths):
        raise Refused("two of the files have one name")

    def resolve(name: str) -> str | None:
        beside = (path.parent / f"{name}{ENDING}" for path in paths)
        for path in (by_name.get(name), *beside):
            if path is not None and path.is_file():
                return path.read_text(encoding="utf-8")
        return shipped_text(name)

    title, names = " + ".join(by_name), ", ".join(by_name)
    text = (
        f'rules language 1\nrulebook {"_".join(by_name)} "{title}"\n  extends {names}\n'
    )
    try:
        return rulebook.loads(text, title, resolve), ()
    except RulesError as error:
        return None, error.diagnostics
