"""What the server answers: a table of requests, each with what makes its answer."""

from collections.abc import Callable
from typing import Any

import attrs
from lsprotocol import types as lsp

from workbench.editor import answers, completing, cures, outline
from workbench.editor.told import Telling


@attrs.frozen
class Feature:
    """A request of the protocol, and what answers it for a file.

    What may look at all files of the workspace is worked out beside the server.
    """

    method: str
    answer: Callable[[Telling, Any, Any], Any]
    options: Any = None
    of_all: bool = False


FEATURES: tuple[Feature, ...] = (
    Feature(lsp.TEXT_DOCUMENT_HOVER, answers.hovered),
    Feature(lsp.TEXT_DOCUMENT_DEFINITION, answers.definition, of_all=True),
    Feature(lsp.TEXT_DOCUMENT_REFERENCES, answers.references, of_all=True),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, answers.highlight),
    Feature(
        lsp.TEXT_DOCUMENT_RENAME,
        answers.rename,
        lsp.RenameOptions(prepare_provider=True),
        of_all=True,
    ),
    Feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME, answers.prepare_rename, of_all=True),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.symbols),
    Feature(lsp.WORKSPACE_SYMBOL, outline.workspace_symbols, of_all=True),
    Feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE, outline.folding),
    Feature(lsp.TEXT_DOCUMENT_FORMATTING, outline.formatted),
    Feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, outline.tokens, outline.LEGEND),
    Feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        completing.completion,
        lsp.CompletionOptions(trigger_characters=[" "]),
    ),
    Feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
        completing.signature,
        lsp.SignatureHelpOptions(trigger_characters=["(", ","]),
    ),
    Feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        cures.cures,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    ),
    Feature(lsp.TEXT_DOCUMENT_INLAY_HINT, cures.hints),
    Feature(lsp.TEXT_DOCUMENT_CODE_LENS, cures.lenses),
)
