"""Requests that the language server supports, each with its handler."""

from collections.abc import Callable
from typing import Any

import attrs
from lsprotocol import types as lsp

from workbench.editor import code_completion, name_requests, outline, quick_fixes
from workbench.editor.protocol import ProtocolConverter


@attrs.frozen
class Feature:
    """Request of the protocol, with the function that handles it for one file.

    Requests that may read all files of the workspace run in a worker thread.
    """

    method: str
    handler: Callable[[ProtocolConverter, Any, Any], Any]
    options: Any = None
    reads_all_files: bool = False


FEATURES: tuple[Feature, ...] = (
    Feature(lsp.TEXT_DOCUMENT_HOVER, name_requests.hover_at),
    Feature(
        lsp.TEXT_DOCUMENT_DEFINITION, name_requests.definition, reads_all_files=True
    ),
    Feature(
        lsp.TEXT_DOCUMENT_REFERENCES, name_requests.references, reads_all_files=True
    ),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, name_requests.highlights),
    Feature(
        lsp.TEXT_DOCUMENT_RENAME,
        name_requests.rename,
        lsp.RenameOptions(prepare_provider=True),
        reads_all_files=True,
    ),
    Feature(
        lsp.TEXT_DOCUMENT_PREPARE_RENAME,
        name_requests.prepare_rename,
        reads_all_files=True,
    ),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.symbols),
    Feature(lsp.WORKSPACE_SYMBOL, outline.workspace_symbols, reads_all_files=True),
    Feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE, outline.folding_ranges),
    Feature(lsp.TEXT_DOCUMENT_FORMATTING, outline.format_edits),
    Feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, outline.semantic_tokens, outline.LEGEND
    ),
    Feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        code_completion.completion,
        lsp.CompletionOptions(trigger_characters=[" "]),
    ),
    Feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
        code_completion.signature_help,
        lsp.SignatureHelpOptions(trigger_characters=["(", ","]),
    ),
    Feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        quick_fixes.quick_fixes,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    ),
    Feature(lsp.TEXT_DOCUMENT_INLAY_HINT, quick_fixes.inlay_hints),
    Feature(lsp.TEXT_DOCUMENT_CODE_LENS, quick_fixes.code_lenses),
)
