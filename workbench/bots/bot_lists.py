"""Parser for comma-separated lists of bots."""

from collections.abc import Iterator

from workbench.errors import RequestError

COMMA, OPENS, CLOSES = ",", "(", ")"
SYNTAX_HELP = "write NAME,NAME,…"


def parse_bot_names(text: str) -> list[str]:
    """Return the names in a list, separated by commas outside parentheses.

    Raises `RequestError` if a name is empty or a parenthesis is not closed.

    >>> parse_bot_names("random, search(2, 0.5 s),my.py:bot")
    ['random', 'search(2, 0.5 s)', 'my.py:bot']
    """
    names = [name.strip() for name in _split_at_commas(text)]
    if not all(names):
        raise RequestError(f"`--bots {text}` contains an empty name", SYNTAX_HELP)
    return names


def _split_at_commas(text: str) -> Iterator[str]:
    """Yield the parts of a text between commas that are outside parentheses."""
    depth = start = 0
    for index, character in enumerate(text):
        depth += (character == OPENS) - (character == CLOSES)
        if depth < 0:
            break
        if character == COMMA and not depth:
            yield text[start:index]
            start = index + 1
    if depth:
        raise RequestError(f"`--bots {text}` has unbalanced parentheses", SYNTAX_HELP)
    yield text[start:]
