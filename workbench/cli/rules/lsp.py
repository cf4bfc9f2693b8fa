"""Command `rulebook lsp`: the language server for an editor."""

from argparse import Namespace

from workbench.cli.frame.declarations import command, flag
from workbench.extras import Extra, import_library


@command(
    "lsp",
    flag(
        "--stdio",
        "use standard input and output (always on; accepted for compatibility with"
        " editors)",
    ),
)
def run(arguments: Namespace) -> int:
    """Start the language server for editors."""
    del arguments
    import_library("pygls", Extra.EDITOR, "the language server")
    from workbench.editor.server import serve

    serve()
    return 0
