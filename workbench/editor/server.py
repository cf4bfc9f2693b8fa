"""The language server: a thin table from requests to what the workspace knows.

After each change what is wrong with the texts is said at once; what is wrong with what
they mean, after a pause. The second is worked out beside the first, and thrown away
where the text has changed meanwhile.
"""

import asyncio
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from workbench.editor.cures import RUN, run
from workbench.editor.features import FEATURES
from workbench.editor.publishing import Published
from workbench.editor.text import Units
from workbench.editor.told import Telling
from workbench.editor.workspace import Workspace, quiet_collector
from workbench.localization.languages import spoken
from workbench.localization.localizer import Wording

PAUSE = 0.3
"""For how many seconds nobody types before what rules mean is looked at."""

SETTLED = "rulebook/settled"
"""The request that is answered when all that is to be said has been said."""


class Server(LanguageServer):
    """A server for one editor."""

    def __init__(self) -> None:
        super().__init__("rulebook", version("rulebook-lang"))
        self.space = Workspace()
        self.telling = Telling(self.space)
        self.published = Published(self.space)
        self.telling.known = self.published.of
        self.waiting: asyncio.Task[None] | None = None
        self.due: set[Path] = set()
        self.locale: str | None = None

    def path(self, uri: str) -> Path:
        """The file of a document; one that is in no file lies in the working folder."""
        path = uris.to_fs_path(uri)
        own = Path(path) if path else Path.cwd() / f"{uri.rpartition(':')[2]}.rules"
        self.telling.uris[own] = uri
        return own

    def changed(self, path: Path) -> None:
        """Say what is wrong with texts now, and soon what is wrong with the rest."""
        early, late = self.published.changed(path)
        self.tell(early)
        self.due |= late
        self.soon()

    def soon(self, pause: float = PAUSE) -> None:
        """Look at what rules mean after a pause; one that was begun begins again."""
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = asyncio.get_running_loop().create_task(self._late(pause))

    async def _late(self, pause: float) -> None:
        await asyncio.sleep(pause)
        while self.due:
            root = min(self.due)
            mistakes = await asyncio.to_thread(self.space.mistakes, root)
            self.due.discard(root)
            self.tell(self.published.take(root, mistakes))
            self.telling.tables.of(root)  # so that nobody waits for it
        self.refresh()

    def refresh(self) -> None:
        """Let the editor ask again for what is known only of rules that are checked."""
        client = self.client_capabilities.workspace
        for has, ask in (
            (client and client.code_lens, self.workspace_code_lens_refresh),
            (client and client.inlay_hint, self.workspace_inlay_hint_refresh),
            (client and client.semantic_tokens, self.workspace_semantic_tokens_refresh),
        ):
            if has and has.refresh_support:
                ask(None, lambda _: None)

    async def settled(self) -> None:
        """Wait until nothing more is to be said."""
        while self.due:
            self.soon(0)
            assert self.waiting is not None
            await asyncio.wait([self.waiting])
            if not self.waiting.cancelled() and self.waiting.exception():
                self.due.clear()

    def tell(self, paths: set[Path]) -> None:
        """Say again what is wrong with files."""
        for path in sorted(paths):
            document = self.workspace.text_documents.get(self.telling.uri(path))
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri=self.telling.uri(path),
                    diagnostics=self.telling.diagnostics(self.published.of(path)),
                    version=None if document is None else document.version,
                )
            )


def make_server() -> Server:
    """A server with all that it answers."""
    server = Server()
    for method, handle in NOTIFIED.items():
        server.feature(method)(_bound(server, handle))
    for feature in FEATURES:
        server.feature(feature.method, feature.options)(_answering(server, feature))

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        server.locale = params.locale

    @server.command(RUN)
    async def run_scenario(uri: str, title: str) -> str:
        path = server.path(uri)
        said = await asyncio.to_thread(run, server.telling, path, title)
        server.refresh()
        return said

    @server.feature(SETTLED)
    async def settled(_: Any) -> bool:
        await server.settled()
        return True

    return server


def serve() -> None:
    """Serve one editor by standard input and output until it goes."""
    server = make_server()
    quiet_collector()
    with os.fdopen(os.dup(0), "rb") as heard, os.fdopen(os.dup(1), "wb") as said:
        server.start_io(heard, said)


def _bound(server: Server, handle: Any) -> Any:
    return lambda params: handle(server, params)


def _answering(server: Server, feature: Any) -> Any:
    def answer(params: Any) -> Any:
        document = getattr(params, "text_document", None)
        path = None if document is None else server.path(document.uri)
        return feature.answer(server.telling, path, params)

    return answer


def _initialized(server: Server, _: lsp.InitializedParams) -> None:
    encoding = server.workspace.position_encoding or Units.UTF16
    server.telling.units = Units(str(getattr(encoding, "value", encoding)))
    folders = [uris.to_fs_path(uri) for uri in server.workspace.folders]
    if not folders and server.workspace.root_path:
        folders = [server.workspace.root_path]
    server.telling.words = _words(server.locale)
    server.space.folders = tuple(Path(folder) for folder in folders if folder)


def _words(locale: str | None) -> Wording:
    """The words of the editor's language, or the first one's where there are none."""
    language = (locale or "").partition("-")[0]
    return Wording.of(None, language if language in spoken() else None)


def _opened(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    path = server.path(params.text_document.uri)
    server.space.write(path, params.text_document.text)
    server.published.open(path)
    server.changed(path)


def _changed(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    path = server.path(params.text_document.uri)
    for known in [it for it in server.telling.results if it[0] == path]:
        del server.telling.results[known]
    for change in params.content_changes:
        text = server.telling.text(path)
        if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
            server.space.write(path, change.text)
            continue
        begin, end = change.range.start, change.range.end
        new = text.changed(
            (begin.line, begin.character), (end.line, end.character), change.text
        )
        server.space.write(path, new.text)
    server.changed(path)


def _closed(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    path = server.path(params.text_document.uri)
    server.space.close(path)
    server.tell(server.published.close(path))
    server.changed(path)


def _on_disk(server: Server, params: Any) -> None:
    """A file was saved, or changed by somebody else."""
    document = getattr(params, "text_document", None)
    changes = getattr(params, "changes", ())
    for uri in [document.uri] if document else [change.uri for change in changes]:
        server.changed(server.path(uri))


def _folders(server: Server, _: lsp.DidChangeWorkspaceFoldersParams) -> None:
    _initialized(server, lsp.InitializedParams())


NOTIFIED = {
    lsp.INITIALIZED: _initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: _opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _changed,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _closed,
    lsp.TEXT_DOCUMENT_DID_SAVE: _on_disk,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _on_disk,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _folders,
}
