"""Texts that a game lacks: moments without questions or reports, and warnings.

A warning says that a language with titles lacks texts that another language has, or
that a report omits a parameter, so that different actions read alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.looks.texts import Moments
from rulebook.signatures import effects_within
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span
from rulebook.text_gaps import GAP

CODE = "RB178"
NAMES_MAX = 4
"""Maximum number of missing texts that a warning names."""

Texts = Mapping[str, tuple[str, ...]]


def moments_without_text(moments: Moments, sort: s.TextSort, texts: Texts) -> list[str]:
    """Return the paths of the decisions or events for which a language has no text.

    A parameter may have the question of its action, and a chance event a gap in the
    report of an action.
    """
    named = {*texts, *(path.rpartition(".")[2] for path in texts)}
    if sort is s.TextSort.QUESTIONS:
        picks = moments.choices - moments.offered
        return [
            *_clauses_without_question(moments, texts),
            *(choice for choice in sorted(picks) if choice not in named),
            *(
                f"{action}.{parameter}"
                for action, parameters in moments.chosen_parameters.items()
                for parameter in parameters
                if not {action, f"{action}.{parameter}"} & named
            ),
        ]
    gaps = (
        gap for forms in texts.values() for text in forms for gap in GAP.finditer(text)
    )
    told = named | {gap[2] or gap[3] for gap in gaps}
    return [
        *(action for action in moments.model.actions if action not in named),
        *(event for event in sorted(moments.events) if event not in told),
    ]


def _clauses_without_question(
    moments: Moments, paths: Collection[str]
) -> Iterator[str]:
    """Yield the clauses that offer actions without a question for all of them.

    A single action may have its own question, or one for its first parameter.
    """
    starts = {path.partition(".")[0] for path in paths}
    ends = {path.rpartition(".")[2] for path in paths}
    for name, unit in moments.units.items():
        for effects in effects_within(unit):
            actions = {offer.action for offer in effects.offers}
            has_own = len(actions) == 1 and actions <= starts | ends
            if actions and not has_own and name not in starts:
                yield name
                break


def check_missing_texts(
    model: m.Model, clauses: Collection[s.WordsClause], files: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield warnings about texts that are missing in some *files* of a game."""
    own = [clause for clause in clauses if clause.span.file in files]
    moments = Moments(model)
    for sort in (s.TextSort.QUESTIONS, s.TextSort.REPORTS):
        yield from _untranslated(moments, sort, clauses, own)
    for clause in own:
        for line in clause.lines if clause.sort is s.TextSort.REPORTS else ():
            yield from _omitted(moments, line)


def _untranslated(
    moments: Moments,
    sort: s.TextSort,
    clauses: Iterable[s.WordsClause],
    own: Iterable[s.WordsClause],
) -> Iterator[Diagnostic]:
    """Yield a warning for each language of *own* titles that lacks texts of another."""
    places: dict[str, Span] = {}
    for clause in own:
        if clause.sort is s.TextSort.WORDS and clause.language is not None:
            places.setdefault(clause.language.text, clause.language.span)
    all_texts = _texts_by_language(clauses, sort)
    for other, texts in _texts_by_language(own, sort).items():
        lacks = set(moments_without_text(moments, sort, texts))
        for language, span in places.items():
            known = all_texts.get(language, {})
            paths = moments_without_text(moments, sort, known)
            missing = [f"`{path}`" for path in paths if path not in lacks]
            names = missing[:NAMES_MAX]
            if missing[NAMES_MAX:]:
                names.append(f"and {len(missing) - NAMES_MAX} more")
            if names:
                yield Diagnostic(
                    CODE,
                    f"`{language}` has titles, but lacks {sort} that `{other}` has:"
                    f" {', '.join(names)}",
                    span,
                    f"add these lines to `{sort} {language}`",
                    severity="warning",
                )


def _texts_by_language(
    clauses: Iterable[s.WordsClause], sort: s.TextSort
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the texts of a sort by language and dotted path."""
    texts: dict[str, dict[str, tuple[str, ...]]] = {}
    for clause in clauses:
        if clause.sort is sort and clause.language is not None:
            own = texts.setdefault(clause.language.text, {})
            for line in clause.lines:
                own[".".join(name.text for name in line.path)] = line.texts
    return texts


def _omitted(moments: Moments, line: s.WordLine) -> Iterator[Diagnostic]:
    """Yield a warning for each parameter that no text of a report names."""
    name = line.path[-1].text
    named = {gap[0].text for gap in line.gaps}
    if name in named or not any(line.texts):
        return
    for parameter in moments.chosen_parameters.get(name, ()):
        if parameter not in named:
            yield Diagnostic(
                CODE,
                f"this report of `{name}` does not name `{parameter}`, so actions that"
                " differ only in it read alike",
                line.span,
                f"add `{{{parameter}}}` to the text",
                severity="warning",
            )
