"""Loader of variants: a shipped name, a path, or several joined with `+`.

Only this module knows where the shipped files are.
"""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from unicodedata import normalize

import attrs

import rulebook
import variants
from rulebook import Desk, Diagnostic, Rulebook, RulesError, tooling
from rulebook.tooling import DiskCache
from workbench.errors import RequestError
from workbench.files.library.atomic_files import read_rules
from workbench.files.library.examples import example_names

ENDING = ".rules"
THEME = ".theme"
THEMES = Path(__file__).parents[2] / "themes"
JOINED = re.compile(r"\w+(?:\+\w+)+")
NAME = re.compile(r"[^\W\d_]\w*")


def themes() -> tuple[str, ...]:
    """Return the names of the shipped themes."""
    return tuple(
        sorted(path.name.removesuffix(f"{THEME}{ENDING}") for path in THEMES.glob("*"))
    )


class ShippedLoader:
    """Loader of shipped rule files by name."""

    def __call__(self, name: str) -> str | None:
        """Return the text of `NAME.rules`, or None if it is not shipped."""
        if name.endswith(THEME):
            path = THEMES / f"{name}{ENDING}"
            is_theme = name.removesuffix(THEME) in themes()
            return path.read_text(encoding="utf-8") if is_theme else None
        try:
            return variants.path(name).read_text(encoding="utf-8")
        except KeyError:
            return None

    @property
    def known_names(self) -> tuple[str, ...]:
        """Names of the shipped games and house rules."""
        return (*variants.names(), *variants.house_rules())

    @property
    def themes(self) -> tuple[str, ...]:
        """Names of the shipped themes."""
        return themes()


shipped_text = ShippedLoader()


def find_rule_file(part: str) -> Path:
    """Return the rule file for one part of a variant.

    Raise `RequestError`, with a similar name as a suggestion, if there is none.
    """
    if part in (*variants.names(), *variants.house_rules()):
        return variants.path(part)
    path = Path(part)
    if path.is_file():
        return path
    if path.suffix == ENDING or len(path.parts) > 1:
        if os.path.lexists(path):  # a folder, pipe or loop; reading raises the error
            return path
        nearby = [str(file) for file in path.parent.glob(f"*{ENDING}")]
        near = tooling.nearest(part, nearby)
        help = f"did you mean `{near}`?" if near else None
        raise RequestError(f"file {part} does not exist", help)
    nearby = [file.name for file in Path().glob(f"*{ENDING}")]
    known = (*variants.names(), *variants.house_rules())
    if part in example_names() and f"{part}{ENDING}" not in nearby:
        raise RequestError(
            f"there is no game `{part}`",
            f"it is an example: `rulebook new {part} --from {part}` creates"
            f" {part}{ENDING}, which you can then use",
        )
    near = tooling.nearest(part, known) or next(
        (name for name in nearby if name == f"{part}{ENDING}"),
        tooling.nearest(part, nearby) or tooling.nearest(part, example_names()),
    )
    shipped = f"shipped games: {', '.join(variants.names())}"
    help = f"did you mean `{near}`? ({shipped})" if near else shipped
    raise RequestError(f"there is no game `{part}`", help)


def load(variant: str) -> Rulebook:
    """Return the rulebook of a variant, from the cache of checked rules if possible.

    Raise `rulebook.RulesError` with all diagnostics. Raise `RequestError` if a part
    of the variant is neither a shipped name nor a file.
    """
    texts: dict[str, str] = {}
    book, diagnostics = _examine_cached(variant, texts, tooling.book_cache())
    if book is None:
        raise RulesError(diagnostics, texts)
    return book


def examine(
    variant: str,
    texts: dict[str, str] | None = None,
    *,
    rule_cache: DiskCache | None = None,
    file_cache: Desk | None = None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the rulebook of a variant (None if it has errors) and all diagnostics.

    Without a `rule_cache`, which caches checked rules, the rules are always checked.
    Calls that share a `file_cache` parse each file only once. The texts that were read
    are added to `texts`, by the file names in the diagnostics. Raise `RequestError` as
    `load` does.
    """
    return _examine_cached(
        variant, {} if texts is None else texts, rule_cache, file_cache
    )


def _examine_cached(
    variant: str,
    texts: dict[str, str],
    rule_cache: DiskCache | None,
    file_cache: Desk | None = None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the rulebook of a variant, cached if possible, and all diagnostics."""
    parts = [variant] if _is_file(variant) else variant.split("+")
    paths = [find_rule_file(part) for part in parts]
    if len(paths) > 1:
        typed = {_stem(path): part for path, part in zip(paths, parts, strict=True)}
        return _combined_book(paths, typed, texts, rule_cache)
    if variant not in variants.names():
        return rulebook.examine(
            paths[0], shipped_text, texts=texts, shelf=rule_cache, desk=file_cache
        )
    file_name = f"{variant}{ENDING}"
    book, diagnostics = rulebook.examine(
        paths[0],
        shipped_text,
        called=file_name,
        texts=texts,
        shelf=rule_cache,
        desk=file_cache,
    )
    return None if book is None else attrs.evolve(book, shipped=True), diagnostics


def examine_text(
    text: str, name: str, texts: dict[str, str]
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Check a text as if it were a file in the working folder.

    Return its rulebook (None if it has errors) and all diagnostics. The texts that
    were read are added to `texts`, as in `examine`.
    """
    return rulebook.examine_text(text, name, shipped_text, folder=Path(), texts=texts)


def _combined_book(
    paths: list[Path],
    typed_names: Mapping[str, str],
    texts: dict[str, str],
    rule_cache: DiskCache | None,
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the rulebook of a game with house rules, and all diagnostics.

    `typed_names` maps the stem of each file to the part of the variant as typed.
    """
    by_name: dict[str, Path] = {}
    for path in paths:
        name = _stem(path)
        if name in by_name:
            both = f"{by_name[name]} and {path}"
            twice = by_name[name] == path
            raise RequestError(
                f"{path} is listed twice" if twice else f"{both} have the same name"
            )
        by_name[name] = path

    def resolve(name: str) -> str | None:
        beside = (path.parent / f"{name}{ENDING}" for path in paths)
        for path in (by_name.get(name), *beside):
            if path is not None and path.is_file():
                text = texts[str(path)] = read_rules(path)
                return text
        return shipped_text(name)

    title, names = " + ".join(by_name), ", ".join(by_name)
    text = (
        f'rules language 1\nrulebook {"_".join(by_name)} "{title}"\n  extends {names}\n'
    )
    try:
        return rulebook.loads(text, title, resolve, shelf=rule_cache), ()
    except RulesError as error:
        texts |= error.texts or {}
        return None, tuple(
            _restore_typed_names(_relocate(diagnostic, title, paths), typed_names)
            for diagnostic in error.diagnostics
        )


def _is_file(name: str) -> bool:
    """Return whether a file with this name exists; false for invalid names."""
    with suppress(OSError):
        return Path(name).is_file()
    return False


def _stem(path: Path) -> str:
    """Return the stem of a file, which names it in a list joined with `+`.

    Raise `RequestError` if rules could not contain such a name.
    """
    name = normalize("NFC", path.stem)
    if NAME.fullmatch(name) is None:
        valid_name = "_".join(re.findall(r"\w+", name)).lstrip("_0123456789") or "rules"
        raise RequestError(
            f"{path} cannot be joined with `+`: `{name}` is not a valid name in rules",
            f"rename it, for example to {valid_name}{ENDING}",
        )
    return name


def _relocate(diagnostic: Diagnostic, title: str, paths: Sequence[Path]) -> Diagnostic:
    """Move a diagnostic from the generated combining file to the file it concerns."""
    if diagnostic.span.file != title:
        return diagnostic
    column, file = len("  extends "), str(paths[0])
    for path in paths:
        if diagnostic.span.column > column:
            file = str(path)
        column += len(f"{_stem(path)}, ")
    return attrs.evolve(diagnostic, span=rulebook.Span(file, 1, 1, 1, 1))


def _restore_typed_names(
    diagnostic: Diagnostic, typed_names: Mapping[str, str]
) -> Diagnostic:
    """Replace file names in a diagnostic's help with the names that were typed."""
    if diagnostic.help is None:
        return diagnostic

    def typed_name(match: re.Match[str]) -> str:
        return "+".join(typed_names.get(name, name) for name in match[0].split("+"))

    return attrs.evolve(diagnostic, help=JOINED.sub(typed_name, diagnostic.help))
