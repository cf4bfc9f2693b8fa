"""Generated rule files: from the grammar, from mutated files, and hostile ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

from lark.grammar import Rule, Symbol

from rulebook.parse.parser import parser
from tests.support.fuzz_sizes import from_sizes, from_ways
from tests.support.pages import FOLDER, PRELUDE

ROOT = Path(__file__).parents[2]
HEAD = f"extends {PRELUDE}\n"
DEPTH = 14
"""Depth beyond which a derivation takes the shortest expansion."""

NAMES = (
    *("good", "goods", "salt", "silk", "mood", "calm", "wild", "field", "fields"),
    *("north", "south", "east", "spot", "spots", "lane", "lanes", "ends", "tent"),
    *("tents", "storm", "die", "goal", "fate", "fates", "luck", "ruin", "store"),
    *("pile", "height", "pack", "drawn", "glory", "near", "pitch", "harvest", "day"),
    *("player", "players", "p1", "free", "victory", "points", "card", "cards", "x"),
    *("q", "r", "copies", "lies", "all", "owner", "nobody", "round", "winner", "new"),
)
NUMBERS = ("0", "1", "2", "3", "9", "40", "1000", "999999999", "1000000001")
SPELLED = {
    "NAME": NAMES,
    "INT": NUMBERS,
    "STRING": ('"a text"', '""', '"{salt}"'),
    "LINK": ("C1-C3", "C1-C4", "C1-C9", "a-b-c"),
    "COMPASS": ("N", "NE", "SE", "S"),
    "CMP": ("=", "!=", "<", ">=", "<=", ">"),
    "PREP": ("for", "at", "on"),
}


# ---------------------------------------------------------------- from the grammar


@lru_cache(maxsize=1)
def productions() -> dict[str, list[Rule]]:
    """Return the grammar's productions by origin."""
    by_origin: dict[str, list[Rule]] = {}
    for rule in parser().rules:
        by_origin.setdefault(rule.origin.name, []).append(rule)
    return by_origin


@lru_cache(maxsize=1)
def heights() -> dict[str, int]:
    """Return the minimum depth of a derivation of each symbol."""
    known: dict[str, int] = {}
    for _ in range(100):
        for name, rules in productions().items():
            known[name] = min(_height(rule, known) for rule in rules)
    return known


def _height(rule: Rule, known: dict[str, int]) -> int:
    return 1 + max((_of(symbol, known) for symbol in rule.expansion), default=0)


def _of(symbol: Symbol, known: dict[str, int]) -> int:
    return 0 if symbol.is_term else known.get(symbol.name, 1_000)


@lru_cache(maxsize=1)
def spellings() -> dict[str, tuple[str, ...]]:
    """Return the possible spellings of each token of the grammar."""
    spelled = dict(SPELLED)
    for terminal in parser().terminals:
        text = terminal.pattern.value
        if terminal.pattern.type == "re":
            text = re.sub(r"\(\?!.*?\)$", "", text).replace(" +", " ")
            text = re.sub(r"\((\w+)\|[^)]*\)", r"\1", text)
            text = re.sub(r"\[(.)[^\]]*\]", r"\1", re.sub(r"(\w)\?", "", text))
            text = text.replace("\\", "")
        spelled.setdefault(terminal.name, (text,))
    return spelled


def derived(numbers: Random, start: str = "clause") -> str:
    """Return a text derived from the grammar, with meaningful names."""
    words: list[str] = []
    level = 0
    for token in _tokens(numbers, start):
        if token == "_NL":
            words.append("\n" + "  " * level)
        elif token in ("_INDENT", "_DEDENT"):
            level += 1 if token == "_INDENT" else -1
            words[-1] = "\n" + "  " * level
        else:
            words.append(numbers.choice(spellings()[token]))
    return re.sub(r" ('s)|(\n *) ", r"\1\2", " ".join(words)) + "\n"


def _tokens(numbers: Random, start: str) -> Iterator[str]:
    waiting: list[tuple[str, int]] = [(start, 0)]
    known = heights()
    while waiting:
        name, depth = waiting.pop()
        if name not in known:
            yield name
            continue
        rules = productions()[name]
        if depth > DEPTH:
            least = min(_height(rule, known) for rule in rules)
            rules = [rule for rule in rules if _height(rule, known) == least]
        rule = numbers.choice(rules)
        waiting += ((symbol.name, depth + 1) for symbol in reversed(rule.expansion))


def from_grammar(numbers: Random) -> str:
    """Return a house rule whose clauses are derived from the grammar."""
    clauses = [derived(numbers) for _ in range(numbers.randint(1, 4))]
    return HEAD + "\n".join(clauses)


# ---------------------------------------------------------------- from other files


@lru_cache(maxsize=1)
def small_files() -> tuple[str, ...]:
    """Return the texts of the small games."""
    folders = (ROOT / "examples", FOLDER, ROOT / "tests" / "support")
    paths = [path for folder in folders for path in folder.rglob("*.rules")]
    return tuple(path.read_text(encoding="utf-8") for path in sorted(paths))


@lru_cache(maxsize=1)
def large_files() -> tuple[str, ...]:
    """Return the texts of the shipped files."""
    paths = sorted((ROOT / "variants").rglob("*.rules"))
    return tuple(path.read_text(encoding="utf-8") for path in paths)


@lru_cache(maxsize=1)
def every_word() -> tuple[str, ...]:
    """Return the words and signs of the small files."""
    words = re.findall(r"\w+|[^\w\s]", "\n".join(small_files()))
    return tuple(sorted(set(words)))


def _word(numbers: Random, text: str) -> str:
    words = list(re.finditer(r"\w+|[^\w\s]", text))
    if not words:
        return text
    place = numbers.choice(words)
    new = numbers.choice((*every_word(), *NUMBERS, ""))
    return text[: place.start()] + new + text[place.end() :]


def _line(numbers: Random, text: str) -> str:
    lines = text.split("\n")
    at = numbers.randrange(len(lines))
    match numbers.choice(("leave out", "double", "move", "indent", "borrow")):
        case "leave out":
            del lines[at]
        case "double":
            lines.insert(at, lines[at])
        case "move":
            lines.insert(numbers.randrange(len(lines)), lines.pop(at))
        case "indent":
            lines[at] = numbers.choice(("  ", " ", "", "\t")) + lines[at].lstrip()
        case _:
            other = numbers.choice(small_files()).split("\n")
            lines.insert(at, numbers.choice(other))
    return "\n".join(lines)


def _characters(numbers: Random, text: str) -> str:
    at = numbers.randrange(len(text) + 1)
    new = numbers.choice(("", "\0", "é", "\u0301", "\ufeff", "\r", '"', "(", "🂡", "\t"))
    return text[:at] + new + text[at + numbers.randint(0, 3) :]


CHANGES: tuple[Callable[[Random, str], str], ...] = (_word, _word, _line, _characters)


def mutated(numbers: Random, text: str) -> str:
    """Return a text with a few mutations."""
    for _ in range(numbers.choice((1, 1, 1, 2, 3, 8))):
        text = numbers.choice(CHANGES)(numbers, text)
    return text


def from_small_file(numbers: Random) -> str:
    """Return a small game with a few mutations."""
    return mutated(numbers, numbers.choice(small_files()))


def from_large_file(numbers: Random) -> str:
    """Return a shipped file with a few mutations."""
    return mutated(numbers, numbers.choice(large_files()))


# ---------------------------------------------------------------- companion files

SEPARATOR = "\f"
"""Separator between the files of one input."""

GAME = "fuzz"
"""Name of the game in an input with several files."""

COMPANIONS = {
    "scenarios": ("scenarios of fuzz", ("scenario ", "invariant ")),
    "look": ("look of fuzz", ("hint ",)),
    "de": ("words de of fuzz", ("words of ", "words\n")),
}
"""Companion files by sort: the head, and the first words of the clauses."""


@lru_cache(maxsize=1)
def companions() -> dict[str, tuple[str, ...]]:
    """Return the clauses of the shipped companion files by sort."""
    by_sort: dict[str, list[str]] = {name: [] for name in COMPANIONS}
    for path in sorted((ROOT / "variants").rglob("*.*.rules")):
        _, *clauses = path.read_text(encoding="utf-8").split("\n\n")
        by_sort.get(path.name.split(".")[-2], []).extend(clauses)
    return {name: tuple(clauses) for name, clauses in by_sort.items()}


def with_companions(numbers: Random) -> str:
    """Return a mutated small game with clauses moved to companion files."""
    games = [text for text in small_files() if "\nrulebook " in text]
    _, _, rest = numbers.choice(games).partition("\nrulebook ")
    head, *clauses = rest.split("\n\n")
    _, *lines = head.split("\n")
    sorts = numbers.sample(sorted(COMPANIONS), numbers.randint(1, 3))
    said = numbers.choice((*[", ".join(sorts)] * 5, "look, look"))
    begun = ["rules language 1", f'rulebook {GAME} "Fuzz"', f"  comes with {said}"]
    files = []
    for sort in sorts:
        first, begins = COMPANIONS[sort]
        own = [clause for clause in clauses if clause.startswith(begins)]
        clauses = [clause for clause in clauses if clause not in own]
        if numbers.random() < 0.3:
            own.append(numbers.choice(companions()[sort]))
        text = "\n\n".join([f"rules language 1\n{first}", *own]) + "\n"
        whole = not own or numbers.random() < 0.75
        changed = text if whole else mutated(numbers, text)
        files.append(f"{sort}\n{changed}")
    game = "\n\n".join(["\n".join([*begun, *lines]), *clauses])
    game = game if numbers.random() < 0.75 else mutated(numbers, game)
    return SEPARATOR.join([game, *files])


def files_of(text: str) -> dict[str, str]:
    """Return the files of an input by name; the game has the name `""`."""
    game, *others = text.split(SEPARATOR)
    named = (other.partition("\n") for other in others)
    return {"": game} | {f"{GAME}.{name}": body for name, _, body in named}


# ---------------------------------------------------------------- hostile texts

HARM = (
    "define it: 0 to 9 = {many(}1{many)}",
    "define it: yes/no = {many not }yes",
    "define it: 0 to 9 = 1{many + 1}",
    "define it: 0 to 9 = {many 99 * }99",
    "define it: 0 to 9 = {many (number of spot where }1{many )}",
    "define it: 0 to 9 = {many sum over spot of }1",
    "to rain\n  set height to {many half of }9",
    "to rain\n  harvest{many 's a}",
    "to rain\n  if yes: stop\n{many   otherwise if yes: stop\n}",
    "to rain\n  {many each spot: }harvest",
    "to rain\n  {many repeat 9 times: }harvest",
    "kind it: a{many , a}",
    "kind it: a{many , é}",
    "spaces it by x 0 to {many 9}",
    "spaces it by {many x 0 to 9, }y 0 to 9",
    "dice {many a, }b: 1 to 6",
    "action it({many spot a, }spot)\n  stop",
    "cards it\n  it | copies\n{many   luck | 9\n}",
    'words en\n  a = "x"{many , "y"}',
    "in turn\n{many   add phase day after day\n}",
    "{many [}",
    '{many "}',
    "{many \\}",
)


def harmful(numbers: Random) -> str:
    """Return a text in which one element is repeated many times."""
    times = numbers.choice((10, 60, 99, 110, 500, 3_000, 30_000))
    text = numbers.choice(HARM)
    return HEAD + re.sub(
        r"\{many (.*?)\}|\{many([^ ].*?)\}",
        lambda match: (match[1] or match[2]) * times,
        text,
        flags=re.DOTALL,
    )


TEXTS: dict[str, tuple[int, Callable[[Random], str]]] = {
    "grammar": (30, from_grammar),
    "small file": (40, from_small_file),
    "sizes": (40, from_sizes),
    "ways": (20, from_ways),
    "companion files": (10, with_companions),
    "large file": (4, from_large_file),
    "harmful": (6, harmful),
}
"""Generators of texts by sort: the weight of each, and its function."""
