"""Command `rulebook print`: the rules in sentences, or an errata sheet."""

import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

import variants
from interpreter import Game
from rulebook import Rulebook, RulesError, printable_lines
from workbench.cli.frame.arguments import JSON, LANGUAGE, VARIANT
from workbench.cli.frame.declarations import command, exclusive, flag, option
from workbench.cli.frame.output import (
    write_json,
    write_line,
    write_lines,
    write_renderable,
)
from workbench.errors import RequestError
from workbench.files.library.atomic_files import check_replaceable, replace_bytes
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.errata import errata_page
from workbench.presentation.printing.formats.documents import document
from workbench.presentation.printing.formats.html import html
from workbench.presentation.printing.formats.markdown import markdown
from workbench.presentation.printing.formats.pdf import pdf
from workbench.presentation.printing.pages import PrintedPage
from workbench.presentation.printing.rules import rules_page
from workbench.presentation.printing.sentences.template_tables import PHRASES, templates

FORMAT_SIGNATURES = {
    ".html": (b"<!doctype html>",),
    ".md": (b"# ",),
    ".pdf": (b"%PDF",),
}
"""First bytes of a file in each supported format, by file ending."""

FORMATS_WITH_PICTURE = (".html", ".pdf")


@command(
    "print",
    VARIANT,
    option(
        "--out FILE",
        "output file; its suffix selects the format: .html, .md or .pdf",
        default_text="Markdown on standard output",
    ),
    *exclusive(
        flag(
            "--whole",
            "print the complete rules even for a house rule (default: only its"
            " changes)",
        ),
        option(
            "--against VARIANT",
            "print only the differences from this game (default for a house rule: its"
            " base game)",
        ),
    ),
    LANGUAGE,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Print the rules, or the changes of a house rule, in plain sentences."""
    ending = _checked_ending(arguments.out)
    book = load(arguments.variant)
    localizer = Localizer.for_book(book, arguments.language)
    base = (
        None if arguments.whole else errata_base(arguments.variant, arguments.against)
    )
    if base is None:
        picture = _picture(book, localizer) if ending in FORMATS_WITH_PICTURE else None
        page = rules_page(book, localizer, picture)
    else:
        page = errata_page(book, base, localizer, _title(arguments.variant, localizer))
    if arguments.out is not None:
        replace_bytes(Path(arguments.out), _render(page, ending))
    if arguments.json:
        write_json(
            {
                "variant": book.name,
                "digest": book.digest,
                "against": None if base is None else base.name,
                "out": arguments.out,
                "page": document(page),
            }
        )
    elif arguments.out is None:
        _write_markdown(markdown(page).rstrip("\n"))
    else:
        chapters = (
            "1 chapter" if len(page.parts) == 1 else f"{len(page.parts)} chapters"
        )
        write_line(f"{arguments.out}: {book.name}, {chapters}")
    return 0


def _write_markdown(text: str) -> None:
    """Write Markdown, formatted if standard output is a terminal."""
    if not sys.stdout.isatty():
        write_lines(text)
        return
    from rich.markdown import Markdown

    write_renderable(Markdown(printable_lines(text)))


def _checked_ending(file: str | None) -> str:
    """Return the ending of the output file, which selects the format."""
    if file is None:
        return ".md"
    ending = Path(file).suffix.lower()
    if ending not in FORMAT_SIGNATURES:
        known = ", ".join(FORMAT_SIGNATURES)
        problem = f"not as {ending}" if ending else f"but `{file}` has no ending"
        message = f"rules can be printed as {known}, {problem}"
        raise RequestError(message, "write --out NAME.html")
    check_replaceable(file, FORMAT_SIGNATURES[ending], "a printed rulebook")
    return ending


def _render(page: PrintedPage, ending: str) -> bytes:
    """Return a page in the format of a file ending."""
    phrases = templates(page.language, PHRASES)
    match ending:
        case ".html":
            return html(page, phrases["contents"]).encode()
        case ".pdf":
            return pdf(page, phrases["page"])
        case _:
            return markdown(page).encode()


# -------------------------------------------------------------------- changes


def errata_base(variant: str, base_name: str | None) -> Rulebook | None:
    """Return the base of an errata sheet, or None to print all rules.

    The base is `base_name` if that is given. Otherwise it is the game to which
    *variant* adds house rules, or the game that the file amends or extends. Shipped
    games are printed in full.
    """
    if base_name is not None:
        return load(base_name)
    if variant in variants.names():
        return None
    first, *others = [variant] if Path(variant).is_file() else variant.split("+")
    if others:
        return load(first)
    book = load(variant)
    if book.over:
        return _load_game(book.over[0], book) or load(book.over[0])
    return _extended_game(book)


def _extended_game(book: Rulebook) -> Rulebook | None:
    """Return the game that a file extends, or None if it extends only libraries."""
    header = book.merged.change_log.files[-1].header
    names = reversed(() if header is None else header.extends)
    games = (_load_game(name.text, book) for name in names)
    return next((game for game in games if game is not None), None)


def _load_game(name: str, book: Rulebook) -> Rulebook | None:
    """Return a game by name, shipped or in the folder of *book*; None if unknown."""
    folder = Path(book.merged.change_log.files[-1].span.file).parent
    for variant in (name, str(folder / f"{name}.rules")):
        with suppress(RequestError, RulesError):
            return load(variant)
    return None


def _title(variant: str, localizer: Localizer) -> str:
    """Return the titles of the house rules in *variant*, joined by `+`."""
    _, *others = [variant] if Path(variant).is_file() else variant.split("+")
    books = map(load, others)
    titles = [Localizer.for_book(book, localizer.language).heading for book in books]
    return " + ".join(titles) or localizer.heading


def _picture(book: Rulebook, localizer: Localizer) -> str | None:
    """Return an SVG of the board after a set-up, or None if the game has no board."""
    domains = book.model.domains.values()
    if not any(domain.sort.is_place and not domain.each_player for domain in domains):
        return None
    from workbench.presentation.picture import scene_of, svg

    return svg(scene_of(Game.start(book, seed=1), None, localizer.language))
