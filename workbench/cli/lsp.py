"""Command `rulebook lsp`: a language server for one editor."""

from argparse import Namespace

from workbench.extras import Extra, library


def run(arguments: Namespace) -> int:
    """Run `rulebook lsp` and return the exit code."""
    del arguments
    library("pygls", Extra.EDITOR, "the language server")
    from workbench.editor.server import serve

    serve()
    return 0
