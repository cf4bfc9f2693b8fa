"""Forms of all classes of the model; each form defines how a class is printed.

A class without a form and without a template for its fields causes an error at import.
The same applies to a class that contains statements, if its form does not define how
they are printed.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import attrs

from rulebook import model as m
from rulebook.completeness import check_complete
from workbench.defaults import LANGUAGE
from workbench.presentation.printing.sentences.control_forms import CONTROL_FORMS
from workbench.presentation.printing.sentences.forms import Forms
from workbench.presentation.printing.sentences.move_forms import MOVE_FORMS
from workbench.presentation.printing.sentences.set_forms import SET_FORMS
from workbench.presentation.printing.sentences.template_tables import (
    SENTENCES,
    templates,
)
from workbench.presentation.printing.sentences.value_forms import VALUE_FORMS

FORMS: Forms = {**VALUE_FORMS, **SET_FORMS, **MOVE_FORMS, **CONTROL_FORMS}


def printed_classes() -> Iterator[type[Any]]:
    """Yield the printed classes of the model: statements, expressions and types."""
    statements = get_args(m.Stmt)
    parts = [
        kind
        for kind in vars(m).values()
        if isinstance(kind, type) and issubclass(kind, m.Part)
    ]
    homes = {
        kind.__module__
        for kind in parts
        if kind in statements or m.Typed in kind.__bases__
    }
    yield from (kind for kind in parts if kind.__module__ in homes)
    yield from get_args(m.Type)


def _fills_template(kind: type[Any]) -> bool:
    """Return whether a class has a field for each gap of the template of its name."""
    template = templates(LANGUAGE, SENTENCES).get(kind.__name__)
    fields = {field.name for field in attrs.fields(kind)}
    return template is not None and set(re.findall(r"\{(\w+)\}", template)) <= fields


def unprintable_names(kinds: Iterable[type[Any]]) -> list[str]:
    """Return the names of the classes that cannot be printed."""
    return [x.__name__ for x in kinds if x not in FORMS and not _fills_template(x)]


def has_statements(kind: type[Any]) -> bool:
    """Return whether a field of a class may contain statements."""
    names = {"Stmt", *(statement.__name__ for statement in get_args(m.Stmt))}
    types = " ".join(str(field.type) for field in attrs.fields(kind))
    return not names.isdisjoint(re.findall(r"\w+", types))


if _missing := unprintable_names(printed_classes()):
    raise TypeError(f"neither a form nor a template for: {', '.join(_missing)}")

check_complete(
    "`Form.whole`, how statements inside are printed,",
    [kind for kind, form in FORMS.items() if form.whole is not None],
    filter(has_statements, get_args(m.Stmt)),
)
