"""Forms of calls, offers and control flow: what runs next, and how play continues."""

from collections.abc import Mapping

from rulebook import model as m
from workbench.presentation.printing.sentences import forms as f
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.predicates import (
    predicate_text,
    verb_text,
)
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    fill_template,
    plain_text,
    unstyled,
)
from workbench.presentation.printing.sentences.value_forms import is_fixed

# -------------------------------------------------------------------- definitions


def _call_statement(writer: Writer, node: m.CallDefine, negated: bool) -> Text:
    define = writer.names.model.defines[node.define]
    if define.action is not None:
        return _legality_text(writer, define.action, node, negated)
    if define.within is not None:
        named = m.variable(m.YOU + 1, define.sentence, define.type)
        if isinstance(define.type, m.Truth):
            return writer.statement(named, negated=negated)
        return writer.value(named)
    given = {
        each.name: writer.operand(value)
        for each, value in zip(define.parameters, node.arguments, strict=True)
    }
    shape = writer.names.definition(define)
    if isinstance(define.type, m.Truth) and not shape.is_statement:
        return _predicate_definition(writer, define, given, negated=negated)
    return definition_text(writer, define, given, negated=negated)


def _predicate_definition(
    writer: Writer, define: m.Define, arguments: Mapping[str, Text], *, negated: bool
) -> Text:
    """Return the statement that a definition with a name as its title is true."""
    names = writer.names
    subject = names.definition(define).subject
    rest = [text for name, text in arguments.items() if name != subject]
    return predicate_text(
        writer,
        names.defined_word(define, f"define.{define.name}"),
        arguments.get(subject, ()),
        names.list_text(rest),
        negated=negated,
    )


def definition_title(
    writer: Writer, define: m.Define, arguments: Mapping[str, Text]
) -> Text:
    """Return the title of a definition; of a condition with a verb, as a statement."""
    names = writer.names
    shape, word = names.definition(define), names.defined_word(define, "")
    if isinstance(define.type, m.Truth) and not shape.is_statement:
        owner = arguments.get(shape.subject, ())
        if verb_text(writer, word, owner, negated=False) is not None:
            return _predicate_definition(writer, define, arguments, negated=False)
    return definition_text(writer, define, arguments)


def definition_text(
    writer: Writer,
    define: m.Define,
    arguments: Mapping[str, Text],
    *,
    negated: bool = False,
) -> Text:
    """Return a definition with its arguments, or its negation if *negated*."""
    names, place = writer.names, f"define.{define.name}"
    shape = names.definition(define)
    if shape.sentence:
        sentence = fill_template(shape.sentence, arguments, place)
        own = {name for name in arguments if f"{{{name}}}" in shape.sentence}
    else:
        text = names.defined_word(define, place)
        own = {name for name in (shape.subject, shape.object) if name}
        parts = {
            "word": text,
            "sentence": text,
            "preposition": plain_text(names.preposition(shape.preposition)),
            "subject": arguments.get(shape.subject, ()),
            "owner": arguments.get(shape.subject, ()),
            "object": arguments.get(shape.object, ()),
        }
        sentence = names.sentence(f"CallDefine{shape.case(is_negated=negated)}", parts)
    rest = [text for name, text in arguments.items() if name not in own]
    if rest:
        parts = {"sentence": sentence, "given": names.list_text(rest)}
        sentence = names.sentence("CallDefine.given", parts)
    if negated and shape.sentence:
        return names.sentence("CallDefine.fails", {"sentence": sentence})
    return sentence


def _legality_text(
    writer: Writer, action: str, node: m.CallDefine, negated: bool
) -> Text:
    names = writer.names
    given = names.list_text(map(writer.value, node.arguments))
    key = "CallDefine.legal_given" if given else "CallDefine.legal"
    sentence = names.sentence(key, {"sentence": names.action(action), "given": given})
    return names.sentence("Not", {"value": sentence}) if negated else sentence


# -------------------------------------------------------------------- calls and offers


def _call_values(writer: Writer, node: m.CallProcedure) -> f.Values:
    """Return the template values of a procedure call: its sentence and arguments."""
    names, place = writer.names, f"to.{node.procedure}"
    parameters = names.model.procedures[node.procedure].parameters
    given = {
        parameter.name: writer.argument(value)
        for parameter, value in zip(parameters, node.arguments, strict=True)
    }
    own = names.localizer.words.get(node.procedure, ("",))[0]
    within = {name for name in given if f"{{{name}}}" in own}
    sentence = names.word(node.procedure, place)
    if within:
        sentence = fill_template(own, given, place)
    rest = names.list_text(text for name, text in given.items() if name not in within)
    others = writer.optional("CallProcedure:given", given=rest)
    return {"procedure": sentence, "given": others}


def _offer_values(writer: Writer, node: m.Offer) -> f.Values:
    """Return the template values of an offered action with its known arguments."""
    names = writer.names
    given = dict(zip(names.parameter_names(node.action), node.arguments, strict=False))
    texts = {name: writer.value(value) for name, value in given.items()}
    own = names.sentence_parameters(node.action)
    rest = names.list_text(text for name, text in texts.items() if name not in own)
    return {
        "action": names.action(node.action, texts),
        "given": writer.optional("Offer:given", given=rest),
        "free": names.sentence("Offer:free", {}) if node.free else (),
    }


def _ask_case(node: m.Ask) -> str:
    if node.until is not None:
        return "until"
    single = "several" if len(node.offers) > 1 else "single"
    return f"optional_{single}" if node.optional else single


def _ask_values(writer: Writer, node: m.Ask) -> f.Values:
    return {"offers": writer.names.list_text(map(writer.part, node.offers), "or")}


# -------------------------------------------------------------------- control


def _wins_case(node: m.Wins) -> str:
    if node.ranking is not None:
        return "ranking"
    if node.player is None:
        return "nobody"
    return "several" if isinstance(node.player.type, m.SetOf) else ""


def _wins_head(writer: Writer, node: m.Wins) -> Text:
    """Return who wins, and that the game is over unless it is over already."""
    key = writer.form(node).key(node)
    if writer.is_at_end and _wins_case(node) in {"ranking", "nobody"}:
        key = f"{key}_at_end"
    return writer.finish(writer.from_template(node, key))


def _announcement_values(writer: Writer, node: m.Announce) -> f.Values:
    """Return the template values of an announcement, in the page's language."""
    values = {
        name: unstyled(writer.value(value))
        if m.is_you(value)
        else writer.names.title(name)
        for name, value in zip(node.names, node.values, strict=True)
    }
    gaps = {name: plain_text(value, Style.NAME) for name, value in values.items()}
    template = writer.names.localizer.translate(node.text)
    return {"text": fill_template(template, gaps)}


def _repeat_case(node: m.Repeat) -> str:
    """Return the template case of a loop, by its condition or number of times."""
    if node.until is not None:
        return "until"
    return "" if is_fixed(node.times) else "reckoned"


CONTROL_FORMS: f.Forms = {
    m.CallDefine: f.Form(
        value=lambda writer, node: _call_statement(writer, node, negated=False),
        statement=_call_statement,
    ),
    m.CallProcedure: f.Form(f.case_if_set("player"), _call_values),
    m.Offer: f.Form(values=_offer_values),
    m.Ask: f.Form(
        _ask_case,
        _ask_values,
        {"until": lambda w, x: w.names.action(x)},
        whole=False,
    ),
    m.LabelledBlock: f.Form(gaps={"label": f.word_text}, whole=False),
    m.IfElse: f.Form(whole=False),
    m.Repeat: f.Form(_repeat_case, whole=False),
    m.CarryOut: f.Form(f.case_if_set("player")),
    m.Wins: f.Form(_wins_case, head=_wins_head),
    m.Announce: f.Form(values=_announcement_values),
    m.TurnsGo: f.Form(lambda node: node.way.name),
}
"""Forms of calls, offers, loops and endings."""
