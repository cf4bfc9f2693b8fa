"""Lines of a definition as sentences, in the order in which they apply.

The first line whose condition is true gives the value. Yes/no lines without a condition
are alternatives. A line that decides in its case, also with no, hides the lines below
it; these begin with “Otherwise”.
"""

from collections.abc import Iterator, Sequence

import attrs

from rulebook import model as m
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.text_runs import Text
from workbench.presentation.printing.sentences.value_forms import cards_text

DEFAULTS = {m.Whole: 0, m.Truth: False, m.Member: m.NONE, m.SetOf: ()}
"""Values of definitions in which no line applies, by type; bags are empty."""


@attrs.frozen
class DefinitionSentence:
    """Sentence for a line of a definition, or for its default if the line is None."""

    text: Text
    line: m.DefineLine | None = None


def definition_sentences(
    writer: Writer, define: m.Define
) -> Iterator[DefinitionSentence]:
    """Yield a sentence for each line of a definition, and one for an unwritten default.

    If several lines of values could apply, a sentence says that the first one counts.
    """
    if isinstance(define.type, m.Truth):
        yield from _truth_sentences(writer, define.lines)
        return
    if define.adds:
        yield DefinitionSentence(writer.phrase("adds"))
    elif _needs_order(define.lines):
        yield DefinitionSentence(writer.phrase("first_line"))
    for number, line in enumerate(define.lines):
        is_rest = number > 0 and not define.adds
        yield DefinitionSentence(_value_text(writer, line, is_rest=is_rest), line)
    if define.lines[-1].condition is not None:
        yield DefinitionSentence(_default_text(writer, define.type))


def _value_text(writer: Writer, line: m.DefineLine, *, is_rest: bool) -> Text:
    value = cards_text(writer, line.value)
    if line.condition is None:
        return writer.phrase(
            "value_otherwise" if is_rest else "value_always", value=value
        )
    condition = writer.express(line.condition)
    return writer.phrase("value_if", value=value, condition=condition)


def _default_text(writer: Writer, type: m.Type) -> Text:
    """Return the sentence on the value of a definition in which no line applies."""
    if isinstance(type, m.Bag):
        value = writer.names.sentence("value.empty", {})
    else:
        value = writer.names.value(type, DEFAULTS[type.__class__])
    return writer.phrase("value_otherwise", value=value)


def _needs_order(lines: Sequence[m.DefineLine]) -> bool:
    """Return whether several conditions of lines could be true at the same time."""
    conditions = [line.condition for line in lines if line.condition is not None]
    return len(conditions) > 1 and not _are_exclusive(conditions)


def _are_exclusive(conditions: Sequence[m.Expr]) -> bool:
    """Return whether conditions compare one value with different constants."""
    constants = []
    for condition in conditions:
        match condition:
            case m.Compare(op=m.Comparison.EQUAL, left=left, right=m.Const() as right):
                constants.append((left, right.value))
            case _:
                return False
    first, _ = constants[0]
    known = {value for _, value in constants}
    return all(left == first for left, _ in constants) and len(known) == len(constants)


# -------------------------------------------------------------------- conditions


def _truth_sentences(
    writer: Writer, lines: Sequence[m.DefineLine]
) -> Iterator[DefinitionSentence]:
    is_hidden = False
    for number, line in enumerate(lines):
        below = lines[number + 1 :]
        decides = _decides(line, below)
        prefix = "otherwise_" if is_hidden or (decides and number > 0) else ""
        yield DefinitionSentence(_truth_text(writer, line, below, prefix), line)
        is_hidden = is_hidden or decides
    last = lines[-1]
    if last.condition is not None and m.is_truth(last.value, expected=False):
        yield DefinitionSentence(writer.phrase("otherwise_truth_not"))


def _truth_text(
    writer: Writer, line: m.DefineLine, below: Sequence[m.DefineLine], prefix: str
) -> Text:
    """Return the sentence for a yes/no line that is above the lines *below*."""
    is_constant = m.is_constant(line.value)
    negated = "_not" if m.is_truth(line.value, expected=False) else ""
    parts: dict[str, m.Expr] = {}
    if line.condition is not None and not m.is_truth(line.condition, expected=True):
        parts["condition"] = line.condition
    if not is_constant:
        parts["value"] = line.value
    if len(parts) > 1 and _decides(line, below):
        texts = {name: writer.express(part) for name, part in parts.items()}
        return writer.phrase(f"{prefix}truth_case", **texts)
    if not parts:
        return writer.phrase(f"{prefix}truth{negated}")
    every = [part for test in parts.values() for part in m.conjuncts(test)]
    condition = writer.names.list_text(writer.conditions(every))
    return writer.phrase(f"{prefix}truth{negated}_if", condition=condition)


def _decides(line: m.DefineLine, below: Sequence[m.DefineLine]) -> bool:
    """Return whether a line may decide that the condition is false.

    A line with a condition and a value only adds an alternative if no line below it can
    make the condition true.
    """
    if m.is_constant(line.value):
        return line.condition is None or not line.value.value
    return not all(m.is_truth(other.value, expected=False) for other in below)
