"""`rulebook lsp`: a language server for one editor, by standard input and output."""

from argparse import Namespace

from workbench.extras import Extra, library


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook lsp`."""
    del arguments
    library("pygls", Extra.EDITOR, "the language server")
    from workbench.editor.server import serve

    serve()
    return 0
