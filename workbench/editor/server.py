"""Language server: maps the protocol's requests to the workspace.

After each change, syntax errors are published at once, and all others after a pause. A
worker thread checks one root after another, and its result is discarded if a text
changes meanwhile. Requests about all files of the workspace also run in a thread. The
names in these files are read as soon as the folders are known.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcContentModified, JsonRpcException
from pygls.lsp.server import LanguageServer

from workbench.editor.features import FEATURES, Feature
from workbench.editor.navigation import all_roots
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.publication import PublishedDiagnostics
from workbench.editor.quick_fixes import RUN_COMMAND, run_open_scenario
from workbench.editor.text import Units
from workbench.editor.workspace import CheckedRoot, Workspace, tune_garbage_collector
from workbench.files.library.loading import ENDING
from workbench.presentation.localization.languages import available_languages
from workbench.presentation.localization.localizer import Localizer

Known = TypeVar("Known")
LOGGER = logging.getLogger(__name__)
PAUSE_SECONDS = 0.3
"""Seconds without typing before the full check starts."""

SETTLED_REQUEST = "rulebook/settled"
"""Name of the request whose response follows once all diagnostics are published."""


class RulesServer(LanguageServer):
    """Language server for one connected editor."""

    def __init__(self) -> None:
        super().__init__("rulebook", version("rulebook-lang"))
        self.space = Workspace()
        self.converter = ProtocolConverter(self.space)
        self.published = PublishedDiagnostics(self.space)
        self.converter.published_diagnostics = self.published.diagnostics_of
        self.checks, self.searches = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self.waiting: asyncio.Task[None] | None = None
        self.reading: asyncio.Task[None] | None = None
        self.skip_pause = asyncio.Event()
        self.due_roots: set[Path] = set()
        self.locale: str | None = None

    def path(self, uri: str) -> Path:
        """Return the path for a document's URI.

        A document that is not a file gets a unique path in the working folder.
        """
        path = uris.to_fs_path(uri)
        own = (
            Path(path) if path else Path.cwd() / f"{uuid5(NAMESPACE_URL, uri)}{ENDING}"
        )
        self.converter.uris[own] = uri
        return own

    async def run_in_thread(
        self, pool: Executor, work: Callable[..., Known], *arguments: object
    ) -> Known:
        """Run *work* in a thread with a copy of the current texts; return its result.

        If the caller is cancelled, the result is discarded.
        """
        snapshot, loop = self.converter.snapshot(), asyncio.get_running_loop()
        return await loop.run_in_executor(pool, work, snapshot, *arguments)

    async def read_all_names(self) -> None:
        """Parse the names of all files in the workspace before a request needs them."""
        for root in await self.run_in_thread(
            self.checks, lambda it: all_roots(it.space)
        ):
            try:
                await self.run_in_thread(self.checks, _parse_names, root)
            except Exception:
                LOGGER.exception("the names of %s cannot be found", root)

    def handle_change(self, path: Path) -> None:
        """Publish syntax errors now, and schedule the full check."""
        files, roots = self.published.handle_change(path)
        self.publish(files)
        self.due_roots = (self.due_roots | roots) & self.published.roots
        self.skip_pause.clear()
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = asyncio.get_running_loop().create_task(self._check_later())

    async def _check_later(self) -> None:
        """Run the full check after a pause.

        Any change to a text cancels this task, so that no outdated result is stored.
        """
        with suppress(TimeoutError):
            await asyncio.wait_for(self.skip_pause.wait(), PAUSE_SECONDS)
        while self.due_roots:
            root = min(self.due_roots)
            try:
                checked = await self.run_in_thread(self.checks, _check_root, root)
                mistakes = self.space.store(root, checked)
                self.publish(self.published.store(root, mistakes))
            except Exception:
                LOGGER.exception("%s cannot be checked", root)
            self.due_roots.discard(root)
        self.refresh()

    def refresh(self) -> None:
        """Ask the editor to repeat requests whose results depend on checked rules."""
        client = self.client_capabilities.workspace
        for capability, request in (
            (client and client.code_lens, self.workspace_code_lens_refresh),
            (client and client.inlay_hint, self.workspace_inlay_hint_refresh),
            (client and client.semantic_tokens, self.workspace_semantic_tokens_refresh),
        ):
            if capability and capability.refresh_support:
                request(None, lambda _: None)

    def watch(self) -> None:
        """Ask the editor to report changes to files that are not open, if it can."""
        client = self.client_capabilities.workspace
        watching = client and client.did_change_watched_files
        if watching and watching.dynamic_registration:
            watchers = [lsp.FileSystemWatcher(f"**/*{ENDING}")]
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
            several = [lsp.Registration("rules", method, options)]
            params = lsp.RegistrationParams(several)
            self.client_register_capability(params, lambda _: None)

    async def settled(self) -> None:
        """Wait until all diagnostics are published."""
        while self.due_roots and self.waiting is not None:
            self.skip_pause.set()
            await asyncio.wait([self.waiting])

    def publish(self, paths: set[Path]) -> None:
        """Publish the current diagnostics of these files."""
        for path in sorted(paths):
            document = self.workspace.text_documents.get(self.converter.uri(path))
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri=self.converter.uri(path),
                    diagnostics=self.converter.diagnostics(
                        self.published.diagnostics_of(path)
                    ),
                    version=None if document is None else document.version,
                )
            )


def make_server() -> RulesServer:
    """Return a server with all features registered."""
    server = RulesServer()
    for method, handle in NOTIFIED.items():
        server.feature(method)(_bind(server, handle))
    for feature in FEATURES:
        server.feature(feature.method, feature.options)(_make_handler(server, feature))

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        server.locale = params.locale

    @server.command(RUN_COMMAND)
    async def run_scenario(uri: str, title: str) -> str:
        path = server.path(uri)
        ran = await server.run_in_thread(
            server.searches, run_open_scenario, path, title
        )
        server.converter.results[path, title] = ran
        server.refresh()
        return ran.message

    @server.feature(SETTLED_REQUEST)
    async def settled(_: Any) -> bool:
        await server.settled()
        return True

    return server


def serve() -> None:
    """Serve one editor over standard input and output until it disconnects."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_unexpected)
    server = make_server()
    tune_garbage_collector()
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        server.start_io(source, sink)


def _bind(server: RulesServer, handle: Any) -> Any:
    return lambda params: handle(server, params)


def _make_handler(server: RulesServer, feature: Feature) -> Any:
    def respond(params: Any) -> Any:
        return feature.handler(server.converter, path_of(params), params)

    async def respond_in_thread(params: Any) -> Any:
        before = dict(server.space.file_cache.open)
        path = path_of(params)
        result = await server.run_in_thread(
            server.searches, feature.handler, path, params
        )
        if any(server.space.text(file) != text for file, text in before.items()):
            raise JsonRpcContentModified("the text has changed in the meantime")
        return result

    def path_of(params: Any) -> Path | None:
        document = getattr(params, "text_document", None)
        return None if document is None else server.path(document.uri)

    return respond_in_thread if feature.reads_all_files else respond


def _check_root(converter: ProtocolConverter, root: Path) -> CheckedRoot:
    """Check a root and parse its names, so that no request waits for them."""
    checked = converter.space.check(root)
    converter.space.store(root, checked)
    _parse_names(converter, root)
    return checked


def _parse_names(converter: ProtocolConverter, root: Path) -> None:
    converter.tables.table_of(root)


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Return whether a log record is about a bug, not a protocol error response."""
    return not isinstance(record.exc_info and record.exc_info[1], JsonRpcException)


def _on_initialized(server: RulesServer, _: lsp.InitializedParams) -> None:
    encoding = server.workspace.position_encoding or Units.UTF16
    server.converter.units = Units(str(getattr(encoding, "value", encoding)))
    server.converter.localizer = _localizer(server.locale)
    server.watch()
    _on_folders_changed(server, _)


def _on_folders_changed(server: RulesServer, _: object) -> None:
    folders = [uris.to_fs_path(uri) for uri in server.workspace.folders]
    if not folders and server.workspace.root_path:
        folders = [server.workspace.root_path]
    server.space.folders = tuple(Path(folder) for folder in folders if folder)
    if server.reading is not None:
        server.reading.cancel()
    server.reading = asyncio.get_running_loop().create_task(server.read_all_names())


def _localizer(locale: str | None) -> Localizer:
    """Return the localizer for the editor's language, or for the default language."""
    language = (locale or "").partition("-")[0]
    return Localizer.for_book(
        None, language if language in available_languages() else None
    )


def _on_opened(server: RulesServer, params: lsp.DidOpenTextDocumentParams) -> None:
    path = server.path(params.text_document.uri)
    server.space.set_text(path, params.text_document.text)
    server.published.open(path)
    server.handle_change(path)


def _on_changed(server: RulesServer, params: lsp.DidChangeTextDocumentParams) -> None:
    path = server.path(params.text_document.uri)
    for change in params.content_changes:
        text = server.converter.text(path)
        if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
            server.space.set_text(path, change.text)
            continue
        begin, end = change.range.start, change.range.end
        new = text.with_change(
            (begin.line, begin.character), (end.line, end.character), change.text
        )
        server.space.set_text(path, new.text)
    server.handle_change(path)


def _on_closed(server: RulesServer, params: lsp.DidCloseTextDocumentParams) -> None:
    path = server.path(params.text_document.uri)
    server.space.close(path)
    server.publish(server.published.close(path))
    server.handle_change(path)
    server.converter.forget(path)


def _on_disk_change(server: RulesServer, params: Any) -> None:
    """Handle a file that was saved, or changed by another program."""
    document = getattr(params, "text_document", None)
    changes = getattr(params, "changes", ())
    for uri in [document.uri] if document else [change.uri for change in changes]:
        server.handle_change(server.path(uri))


NOTIFIED = {
    lsp.INITIALIZED: _on_initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: _on_opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _on_changed,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _on_closed,
    lsp.TEXT_DOCUMENT_DID_SAVE: _on_disk_change,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _on_disk_change,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _on_folders_changed,
}
