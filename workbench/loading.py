"""From a VARIANT to a book: a shipped name, a path, or several joined with `+`.

The only room that knows where the shipped files are.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import attrs

import rulebook
import variants
from rulebook import Diagnostic, Rulebook, RulesError
from workbench.errors import Refused

ENDING = ".rules"
JOINED = re.compile(r"\w+(?:\+\w+)+")


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
        typed = {path.stem: part for path, part in zip(paths, parts, strict=True)}
        return _laid_over(paths, typed)
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
    paths: list[Path], typed: Mapping[str, str]
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """A game with house rules laid over it; how they are typed is by name."""
    by_name: dict[str, Path] = {}
    for path in paths:
        if path.stem in by_name:
            both = f"{by_name[path.stem]} and {path}"
            twice = by_name[path.stem] == path
            raise Refused(
                f"{path} is named twice" if twice else f"{both} have one name"
            )
        by_name[path.stem] = path

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
        return None, tuple(_as_typed(one, typed) for one in error.diagnostics)


def _as_typed(diagnostic: Diagnostic, typed: Mapping[str, str]) -> Diagnostic:
    """A diagnostic whose help names files joined with `+` as they were typed."""
    if diagnostic.help is None:
        return diagnostic

    def again(found: re.Match[str]) -> str:
        return "+".join(typed.get(name, name) for name in found[0].split("+"))

    return attrs.evolve(diagnostic, help=JOINED.sub(again, diagnostic.help))
