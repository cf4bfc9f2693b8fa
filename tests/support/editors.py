"""Editor for tests of the language server: the real protocol, over pipes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from typing import Any

from lsprotocol import converters
from lsprotocol import types as lsp

from rulebook import Diagnostic, examine
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.workspace import Workspace, group_by_file
from workbench.files.library.companions import companion_diagnostics
from workbench.files.library.loading import shipped_text

WAIT = 60.0
REFRESHED = ("codeLens", "inlayHint", "semanticTokens")
CONVERTER = converters.get_converter()


class Refusal(Exception):
    """Error response to a request."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Editor:
    """Process of `rulebook lsp`, with the diagnostics that it published per document.

    `asked` counts the server's notifications and requests by method. With `refreshes`
    and `watches` the editor supports refresh requests and file watching.
    """

    def __init__(
        self,
        *folders: Path,
        encodings: Sequence[str] = ("utf-16",),
        refreshes: bool = False,
        watches: bool = False,
    ) -> None:
        self.asked: Counter[str] = Counter()
        self.said: dict[str, list[lsp.Diagnostic]] = {}
        self.versions: dict[str, int] = {}
        self.number = 0
        self.answers: Queue[dict[str, Any]] = Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "workbench", "lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        able: dict[str, Any] = {"general": {"positionEncodings": list(encodings)}}
        if refreshes:
            able["workspace"] = {name: {"refreshSupport": True} for name in REFRESHED}
        if watches:
            able.setdefault("workspace", {})["didChangeWatchedFiles"] = {
                "dynamicRegistration": True
            }
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        answer = self.ask(
            lsp.INITIALIZE,
            {
                "processId": None,
                "rootUri": None,
                "capabilities": able,
                "workspaceFolders": named,
            },
        )
        self.result = CONVERTER.structure(answer, lsp.InitializeResult)
        self.tell(lsp.INITIALIZED, {})

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if "id" in message and "method" not in message:
                self.answers.put(message)
                continue
            self.asked[message["method"]] += 1
            if "id" in message:
                self.send({"id": message["id"], "result": None})
            if message["method"] == lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
                given = message["params"]
                self.said[given["uri"]] = CONVERTER.structure(
                    given["diagnostics"], list[lsp.Diagnostic]
                )

    def send(self, message: dict[str, Any]) -> None:
        """Send a message unchanged."""
        stream = self.process.stdin
        assert stream is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        stream.flush()

    def tell(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": CONVERTER.unstructure(params)})

    def ask(self, method: str, params: Any) -> Any:
        """Send a request; return its result as plain data."""
        self.number += 1
        given = CONVERTER.unstructure(params)
        self.send({"id": self.number, "method": method, "params": given})
        while True:
            answer = self.answers.get(timeout=WAIT)
            if answer["id"] == self.number:
                break
        if "error" in answer:
            raise Refusal(answer["error"])
        return answer["result"]

    def at(self, method: str, path: Path, line: int, column: int, **more: Any) -> Any:
        """Send a request about a place in a file; return its result."""
        place = {"line": line, "character": column}
        where = {"textDocument": {"uri": path.as_uri()}, "position": place}
        return self.ask(method, {**where, **more})

    def about(self, method: str, path: Path, **more: Any) -> Any:
        """Send a request about a whole file; return its result."""
        return self.ask(method, {"textDocument": {"uri": path.as_uri()}, **more})

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file, or a text in its place."""
        shown = path.read_text(encoding="utf-8") if text is None else text
        self.versions[path.as_uri()] = 1
        item = lsp.TextDocumentItem(path.as_uri(), "rulebook", 1, shown)
        self.tell(lsp.TEXT_DOCUMENT_DID_OPEN, lsp.DidOpenTextDocumentParams(item))

    def change(self, path: Path, *changes: Any) -> None:
        """Send changes: whole texts, or triples of start, end and new text."""
        uri = path.as_uri()
        self.versions[uri] += 1
        sent: list[Any] = []
        for change in changes:
            if isinstance(change, str):
                sent.append(lsp.TextDocumentContentChangeWholeDocument(change))
            else:
                range_ = lsp.Range(*(lsp.Position(*at) for at in change[:2]))
                sent.append(lsp.TextDocumentContentChangePartial(range_, change[2]))
        document = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        params = lsp.DidChangeTextDocumentParams(document, sent)
        self.tell(lsp.TEXT_DOCUMENT_DID_CHANGE, params)

    def close(self, path: Path) -> None:
        """Close a file."""
        document = lsp.TextDocumentIdentifier(path.as_uri())
        params = lsp.DidCloseTextDocumentParams(document)
        self.tell(lsp.TEXT_DOCUMENT_DID_CLOSE, params)

    def settle(self) -> None:
        """Wait until the server has published everything."""
        self.ask("rulebook/settled", {})

    def of(self, path: Path) -> list[lsp.Diagnostic]:
        """Return the latest diagnostics of a file, after the server has settled."""
        self.settle()
        return self.said.get(path.as_uri(), [])

    def leave(self) -> int:
        """Shut the server down as an editor does; return its exit code."""
        self.ask(lsp.SHUTDOWN, None)
        self.tell(lsp.EXIT, None)
        code = self.process.wait(WAIT)
        self.reader.join(WAIT)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        return code


def opened(folder: Path, *names: str) -> Editor:
    """Return an editor with some open files, after the server has settled."""
    made = Editor(folder)
    for name in names:
        made.open(folder / name)
    made.settle()
    return made


def told_by_check(*paths: Path) -> dict[Path, list[lsp.Diagnostic]]:
    """Return the diagnostics of `rulebook check` as an editor shows them, once each."""
    unique: dict[Diagnostic, None] = {}
    for path in paths:
        with_games = companion_diagnostics(path, {})
        several = with_games.values() or [examine(path, shipped_text)[1]]
        unique |= dict.fromkeys(it for those in several for it in those)
    sorted_out = group_by_file(sorted(unique, key=lambda it: it.sort_key))
    converter = ProtocolConverter(Workspace())
    return {file: converter.diagnostics(those) for file, those in sorted_out.items()}
