"""Documents that list the sentences with their clauses, scenarios and breaks."""

from pathlib import Path

from rulebook import Rulebook
from tests.support.sentence_breaks import breaks, reasons
from tests.support.sentences import Text, named, scenario_of, sentences


def document(text: Text, book: Rulebook) -> str:
    """Return the sentences with the lines of their clauses and scenarios."""
    lines = [
        f"# Sentences of the rules of {text.game}",
        "",
        "Each row shows the clauses that implement a sentence of the source text, and",
        "the scenario that tests them. The last column says how the sentence is broken",
        "to prove that the scenario tests it, or why it cannot be broken.",
        "",
        "`tests/variants/test_sentences.py` generates this page from",
        f"`variants/{text.game}/SOURCES.md`, `{text.breaks.name}` and the rule files;",
        "do not edit it.",
    ]
    places, broken_by = clause_places(book), ways_to_break(text)
    titles = [scenario.title for scenario in book.model.scenarios]
    heading = ("", "")
    for row in sentences(text):
        if (row.language, row.heading) != heading:
            heading = (row.language, row.heading)
            title = f"## {row.heading} ({row.language})"
            lines += ["", title, "", "| | says | clause | scenario | broken by |"]
            lines.append("| --- | --- | --- | --- | --- |")
        clauses = "; ".join(places[name] for name in row.clauses) or "none"
        scenario, broken = row.scenario, in_a_cell(broken_by.get(row.key, ""))
        title_shown = scenario_of(scenario, titles)
        if title_shown is not None:
            scenario = f"{scenario} ({places[title_shown]})"
        lines.append(
            f"| {row.number} | {row.says} | {clauses} | {scenario} | {broken} |"
        )
    return "\n".join(lines) + "\n"


def ways_to_break(text: Text) -> dict[str, str]:
    """Return what the break of each row says, or why it has none, by row."""
    said = {key: each.says for each in breaks(text) for key in each.keys}
    return said | {key: f"nothing: {why}" for key, why in reasons(text).items()}


def in_a_cell(said: str) -> str:
    """Return a text for a table cell, with bars escaped."""
    return said.replace("|", r"\|")


def clause_places(book: Rulebook) -> dict[str, str]:
    """Return the places of clauses by name, and of scenarios by title."""
    places: dict[str, str] = {"header": "`header`"}
    for address, clause in book.clauses.items():
        if address.startswith("hint."):
            continue
        name = named(address)
        place = f"{Path(clause.span.file).name}:{clause.span.line}"
        text = f"`{address}` {place}"
        places[name] = f"{places[name]}, {text}" if name in places else text
    for scenario in book.model.scenarios:
        place = f"{Path(scenario.span.file).name}:{scenario.span.line}"
        places[scenario.title] = place
    return places
