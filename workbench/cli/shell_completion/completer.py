"""Shell completion of words in a command line.

All completions come from the parsers of the commands: the placeholder of a value
(`VARIANT`, `RECORD`, …) determines its completion. A complete word is followed by a
space; a word that continues, such as `house/` or `rounds=`, is not.
"""

from __future__ import annotations

import itertools
import shlex
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import variants
from workbench.cli.frame.command_table import parser_actions
from workbench.defaults import BOTS, HUMAN
from workbench.files.library.installed_bots import bot_names

SEPARATORS = frozenset({"&&", "||", "|", "&"})
"""Separators of commands on a line."""

UNFINISHED_ENDINGS = ("/", "=", "(", "+")
"""Endings of words that are not complete yet, such as `house/`."""


class PartialCommand(NamedTuple):
    """Unfinished command: its last word, and the values given before, by argument."""

    word: str
    given: Mapping[str, Sequence[str]]


def completions(
    commands: Iterable[str],
    parser_of: Callable[[str], ArgumentParser | None],
    line: str,
) -> list[str]:
    """Return the possible completions of the last word of a line.

    `commands` are the names of all commands; `parser_of` returns the parser for a name.
    """
    *words, word = _last_command_words(line)
    if not words:
        return []
    if len(words) == 1:
        return _matching_values(word, commands)
    parser = parser_of(words[1])
    if parser is None:
        return []
    flag, equals, value = word.partition("=")
    has_equals = flag.startswith("--") and equals
    if has_equals:
        words, word = [*words, flag], value
    argument, given = _next_argument(parser, words[2:])
    if word.startswith("-") and not (argument and argument.option_strings):
        return _matching_values(word, _remaining_flags(parser, given))
    if argument is None:
        return []
    prefix = f"{flag}=" if has_equals else ""
    values = _values(argument, PartialCommand(word, given))
    return [f"{prefix}{candidate}" for candidate in _matching_values(word, values)]


def _last_command_words(line: str) -> list[str]:
    """Return the words of a line's last command; the last word is incomplete."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:  # an unclosed quote
        words = line.replace('"', "").replace("'", "").split()
    if not words or line[-1:].isspace():
        words.append("")
    ends = [
        at for at, word in enumerate(words) if word in SEPARATORS or word[-1:] == ";"
    ]
    words = words[ends[-1] + 1 :] if ends else words
    settings = itertools.takewhile(lambda word: "=" in word, words)
    return words[len(list(settings)) :]


def _matching_values(word: str, values: Iterable[str]) -> list[str]:
    matching = dict.fromkeys(
        candidate for candidate in values if candidate.startswith(word)
    )
    return [
        candidate if candidate.endswith(UNFINISHED_ENDINGS) else f"{candidate} "
        for candidate in matching
    ]


def _next_argument(
    parser: ArgumentParser, words: Sequence[str]
) -> tuple[Action | None, Mapping[str, list[str]]]:
    """Return the argument expected after *words*, and the given values by argument."""
    flags = {
        flag: action
        for action in parser_actions(parser)
        for flag in action.option_strings
    }
    pending = [action for action in parser_actions(parser) if not action.option_strings]
    given: dict[str, list[str]] = {}
    expected: Action | None = None
    for word in words:
        flag, _, value = word.partition("=")
        if expected is not None:
            given.setdefault(expected.dest, []).append(word)
            expected = None
        elif flag in flags and not value:
            argument = flags[flag]
            given.setdefault(argument.dest, [])
            expected = argument if argument.nargs != 0 else None
        elif flag in flags:
            given.setdefault(flags[flag].dest, []).append(value)
        elif pending:
            given.setdefault(pending[0].dest, []).append(word)
            if pending[0].nargs not in ("+", "*"):
                pending.pop(0)
    return expected or next(iter(pending), None), given


def _remaining_flags(
    parser: ArgumentParser, given_arguments: Mapping[str, object]
) -> Iterator[str]:
    """Yield the options of a command that may still be given."""
    for action in parser_actions(parser):
        is_repeatable = type(action).__name__ == "_AppendAction"
        if action.dest not in given_arguments or is_repeatable:
            yield from action.option_strings


# ---------------------------------------------------------------- values


def _values(action: Action, partial: PartialCommand) -> Iterable[str]:
    """Return the possible values of an argument."""
    if action.choices is not None:
        return tuple(action.choices)
    keys = (action.dest, str(action.metavar))
    for key in keys:
        if key in COMPLETERS:
            with suppress(LookupError, OSError):
                return tuple(COMPLETERS[key](partial))
            return ()
    return _read_from_rules(keys, partial)


def _file_completer(*endings: str) -> Callable[[PartialCommand], Iterator[str]]:
    """Return a completer for files with one of these endings, and for folders."""

    def find(partial: PartialCommand) -> Iterator[str]:
        folder, _, _ = partial.word.rpartition("/")
        start = f"{folder}/" if "/" in partial.word else ""
        for path in sorted(Path(start or ".").iterdir()):
            if path.name.startswith("."):
                continue
            if path.is_dir():
                yield f"{start}{path.name}/"
            elif path.name.endswith(endings):
                yield f"{start}{path.name}"

    return find


def _variants(partial: PartialCommand) -> Iterator[str]:
    """Yield shipped games and files; after `+`, unused house rules and files."""
    before, plus, word = partial.word.rpartition("+")
    used = before.split("+")
    unused_house_rules = (name for name in variants.house_rules() if name not in used)
    shipped = unused_house_rules if plus else variants.names()
    files = filter(
        _is_game_file, _file_completer(".rules")(partial._replace(word=word))
    )
    for name in (*shipped, *files):
        yield f"{before}{plus}{name}"


def _is_game_file(file: str) -> bool:
    """Return whether a file is a whole game, not a part such as `game.look.rules`."""
    return "." not in Path(file).name.removesuffix(".rules")


def _seat_players(partial: PartialCommand) -> Iterator[str]:
    """Yield the seats of the game, and after `=` the possible players."""
    seat, equals, typed = partial.word.partition("=")
    if not equals:
        yield from _read_from_rules(("SEAT=human|BOT",), partial)
        return
    yield from (f"{seat}={who}" for who in (HUMAN, *BOTS, *bot_names()))
    yield from (f"{seat}={bot}" for bot in _bot_files(partial, typed))


def _read_from_rules(keys: Iterable[str], partial: PartialCommand) -> Iterable[str]:
    """Return the values for the first known placeholder in *keys*, read from rules."""
    from workbench.cli.shell_completion.rule_values import values_from_rules

    return values_from_rules(keys, partial.word, partial.given)


def _bots(partial: PartialCommand) -> Iterator[str]:
    """Yield the typed list of bots, completed with each possible last bot."""
    chosen, comma, typed = partial.word.rpartition(",")
    yield from (f"{chosen}{comma}{bot}" for bot in (*BOTS, *bot_names()))
    yield from (f"{chosen}{comma}{bot}" for bot in _bot_files(partial, typed))


def _bot_files(partial: PartialCommand, prefix: str) -> Iterator[str]:
    """Yield Python files, which may define a custom bot, that start with *prefix*."""
    if prefix:
        yield from _file_completer(".py")(partial._replace(word=prefix))


def _languages(_partial: PartialCommand) -> Iterable[str]:
    from workbench.presentation.localization.languages import available_languages

    return sorted(available_languages())


def _codes(_partial: PartialCommand) -> Iterable[str]:
    from rulebook import CODES

    return CODES


COMPLETERS: Mapping[str, Callable[[PartialCommand], Iterable[str]]] = {
    "language": _languages,
    "bots": _bots,
    "VARIANT": _variants,
    "RECORD": _file_completer(".jsonl"),
    "FILE": _file_completer(".rules", ".jsonl"),
    "origin": _file_completer(".json", ".jsonl"),
    "FILE.json": _file_completer(".json"),
    "FILE.jsonl": _file_completer(".jsonl"),
    "FILE.ENDING": _file_completer(".jsonl", ".csv", ".parquet"),
    "FILE.svg": _file_completer(".svg"),
    "DIR": _file_completer("/"),
    "CODE": _codes,
    "SEAT=human|BOT": _seat_players,
}
"""Completion functions, by the name or placeholder of an argument. Values that depend
on the rules come from `rule_values`."""


def escape_for_shell(words: Iterable[str], line: str, shell: str) -> Iterator[str]:
    """Yield the words with special characters escaped; for bash only their last parts.

    Bash also splits words at `=` and `:` and completes the part after them. Fish adds
    quotes and the space itself.
    """
    word = _last_command_words(line)[-1]
    start = max(word.rfind("="), word.rfind(":")) + 1 if shell == "bash" else 0
    for candidate in words:
        if shell == "fish":
            yield candidate.rstrip(" ")
            continue
        text, end = candidate.removesuffix(" ")[start:], " " * candidate.endswith(" ")
        yield "".join(f"\\{c}" if c in SPECIAL_CHARACTERS else c for c in text) + end


SPECIAL_CHARACTERS = frozenset(" '\"\\$`&;<>|()*?[]!#~")
