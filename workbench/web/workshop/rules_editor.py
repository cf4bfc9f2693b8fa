"""Workshop: page for editing a table's rules next to its board, with live checks.

The owner of the table may apply changes: the game continues under the new rules if its
record is still valid. Everybody else may read, try changes, and download.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebook import tooling
from workbench.files.library.atomic_files import create_text, read_rules, replace_text
from workbench.files.library.loading import ENDING
from workbench.web.host import Host
from workbench.web.keys import OWNER
from workbench.web.responses import html_response, json_response, read_body, read_form
from workbench.web.sandbox.findings import CheckFindings
from workbench.web.sandbox.rule_texts import Texts
from workbench.web.sessions import (
    SEAT_PARAMETER,
    RequestDenied,
    remember_table,
    set_key_cookie,
    table_path,
)
from workbench.web.storage.table_errors import RulesChanged, StalePage
from workbench.web.store import texts_digest
from workbench.web.table_routes import (
    RequestContext,
    client_address,
    identify_visitor,
    set_language_cookie,
    spend_budget,
)
from workbench.web.views.board_view import board_view, changed_marks
from workbench.web.views.phrases import Phrases
from workbench.web.views.rendering import asset_address, render_page
from workbench.web.worker_pool.pool import WorkerPool

NEW_TABLE = "new"
PERSON = "person"


@attrs.frozen
class EditRequest:
    """Request with edited rules: all texts of the table, and the requested action.

    `rules` is the digest of the rules on which the edit is based. A request for
    completions also names the `file` and the number of characters before the cursor.
    """

    texts: dict[str, str]
    rules: str
    with_trial: bool
    action: str
    file: str = ""
    at: int = 0

    @classmethod
    async def from_request(
        cls, request: Request, context: RequestContext
    ) -> EditRequest:
        """Read an edit from a request. May raise `RequestDenied` or `RulesChanged`."""
        try:
            document = json.loads(await read_body(request))
        except (ValueError, RecursionError):
            raise RequestDenied(400, "not_understood") from None
        base = await context.read(lambda: context.any_table.texts)
        rules = texts_digest(base)
        fields = document if isinstance(document, dict) else {}
        changed = fields.get("texts")
        if not isinstance(changed, dict) or not changed.keys() <= base.keys():
            raise RequestDenied(400, "not_understood")
        if not all(isinstance(text, str) for text in changed.values()):
            raise RequestDenied(400, "not_understood")
        if fields.get("rules") != rules:
            raise RulesChanged
        with_trial, action = fields.get("try") is True, str(fields.get("to", ""))
        file, at = fields.get("file", ""), fields.get("at", 0)
        if file and (file not in base or type(at) is not int or at < 0):
            raise RequestDenied(400, "not_understood")
        return cls({**base, **changed}, rules, with_trial, action, file, at)


class Workshop:
    """Endpoints of the workshops of all tables.

    Rules are saved in `folder`, or nowhere if it is None.
    """

    def __init__(self, host: Host, folder: Path | None = None) -> None:
        self.host = host
        self.folder = folder
        self._newest: dict[str, int] = {}
        self._saved: dict[str, Texts] = {}

    @property
    def workers(self) -> WorkerPool:
        """Pool of worker processes that check rule texts."""
        assert self.host.workers is not None
        return self.host.workers

    # ------------------------------------------------------------ pages

    async def page(self, request: Request) -> Response:
        """Return the page of a workshop with the current rules."""
        context = await identify_visitor(request)
        _check_seat_chosen(context)
        saves = self._may_save(context)
        return html_response(await context.read(lambda: _page(context, can_save=saves)))

    async def file(self, request: Request) -> Response:
        """Return the text of one rule file."""
        context = await identify_visitor(request)
        name = request.query_params.get("name", "")
        texts = await context.read(lambda: context.any_table.texts)
        if name not in texts:
            raise RequestDenied(404, "no_such_thing")
        return json_response({"ok": True, "name": name, "text": texts[name]})

    async def current_board(self, request: Request) -> Response:
        """Return the current board and the digest of the current rules."""
        context = await identify_visitor(request)
        _check_seat_chosen(context)
        known_digest = request.query_params.get("board", "")

        def board_data() -> dict[str, Any]:
            board = board_view(context.table.game, context.seat, context.language)
            digest = texts_digest(context.table.texts)
            return {
                "board": changed_marks(board, known_digest),
                "digest": board.digest,
                "rules": digest,
            }

        return json_response({"ok": True, **await context.read(board_data)})

    async def set_language(self, request: Request) -> Response:
        """Set the language of this browser."""
        context = await identify_visitor(request)
        return set_language_cookie(
            request, await read_form(request), context.urls["workshop"]
        )

    # ------------------------------------------------------------ checks

    async def check(self, request: Request) -> Response:
        """Check edited texts; for the owner, also replay the game under them."""
        context = await identify_visitor(request)
        _check_seat_chosen(context)
        spend_budget(request, "check", context.any_table.id)
        edit = await EditRequest.from_request(request, context)
        with_trial = edit.with_trial and context.visitor.is_owner
        findings = await self._check_texts(context, edit, with_trial=with_trial)
        if findings is None:
            return json_response({"ok": True, "superseded": True})
        return json_response(self._findings_data(findings))

    async def complete(self, request: Request) -> Response:
        """Return the completions at the cursor, as in other editors."""
        context = await identify_visitor(request)
        _check_seat_chosen(context)
        spend_budget(request, "check", context.any_table.id)
        edit = await EditRequest.from_request(request, context)
        base = await context.read(lambda: dict(context.any_table.texts))
        items = await self.workers.completions(
            edit.texts,
            client_address(request),
            before=base,
            file=edit.file or next(iter(base)),
            at=edit.at,
        )
        return json_response({"ok": True, "items": items})

    async def _check_texts(
        self,
        context: RequestContext,
        edit: EditRequest,
        *,
        with_trial: bool,
        only_newest: bool = True,
    ) -> CheckFindings | None:
        """Check edited texts; return None if `only_newest` and a newer check waits."""
        key = f"{context.any_table.id} {context.seat}"
        number = self._newest[key] = self._newest.get(key, 0) + 1

        def table_data() -> dict[str, Any]:
            if not with_trial:
                return {}
            before = dict(context.any_table.texts)
            return {
                "record": context.any_table.record,
                "reader": _reader_data(context),
                "before": before,
            }

        options = {"players": len(context.any_table.seats)} | await context.read(
            table_data
        )

        def is_old() -> bool:
            return only_newest and self._newest.get(key) != number

        try:
            client = client_address(context.request)
            return await self.workers.check(
                edit.texts, client, is_old=is_old, **options
            )
        finally:
            if self._newest.get(key) == number:
                del self._newest[key]

    def _findings_data(self, findings: CheckFindings) -> dict[str, Any]:
        """Convert findings to plain data for the page."""
        return {
            "ok": True,
            "diagnostics": list(findings.diagnostics),
            "more": findings.more,
            "plans": findings.plans,
            "stopped": findings.stopped,
            "note": self.workers.note,
            "verdict": findings.verdict,
        }

    # ------------------------------------------------------------ applying changes

    async def apply(self, request: Request) -> Response:
        """Continue the game under edited rules, if its record is valid under them.

        If only the beginning is valid, a new table continues from there. Only the owner
        of the table may do this.
        """
        context = await identify_visitor(request)
        if not context.visitor.is_owner:
            raise RequestDenied(403, "not_yours_to_change")
        spend_budget(request, "check", context.any_table.id)
        edit = await EditRequest.from_request(request, context)
        findings = await self._check_texts(
            context, edit, with_trial=True, only_newest=False
        )
        assert findings is not None
        answer = self._findings_data(findings)
        if findings.tried is None:
            return json_response({**answer, "applied": False})
        if edit.action == NEW_TABLE:
            return await self._create_table(request, context, edit, findings.tried)
        if not findings.tried["holds"]:
            return json_response({**answer, "applied": False})
        return json_response(
            {**answer, **await self._apply_rules(context, edit, findings.tried)}
        )

    async def _apply_rules(
        self, context: RequestContext, edit: EditRequest, trial: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Change the rules of the table, and notify its players."""
        clauses = ", ".join(change["clause"] for change in trial["changes"][:5])
        try:
            await context.host.change_rules(
                context.any_table.id,
                edit.texts,
                trial,
                context.seat or "",
                base_digest=edit.rules,
                clauses=clauses,
            )
        except StalePage:  # the game has advanced meanwhile
            return {"applied": False}
        return {"applied": True, "rules": texts_digest(edit.texts)}

    async def _create_table(
        self,
        request: Request,
        context: RequestContext,
        edit: EditRequest,
        trial: Mapping[str, Any],
    ) -> Response:
        """Create a table under edited rules, continuing from the last valid event."""
        if not _knows_all(context):
            raise RequestDenied(409, "not_over")
        spend_budget(request, "creation")
        seats = {
            seat_state.seat: PERSON if seat_state.bot is None else seat_state.bot
            for seat_state in context.any_table.seats
        }
        client, record = client_address(request), trial["record"]
        id, keys = await context.host.continue_record(
            context.any_table.variant, seats, edit.texts, record, client
        )
        response = json_response({"ok": True, "address": f"{table_path(id)}links"})
        secure = request.app.state.secure
        set_key_cookie(response, id, keys[OWNER], secure=secure)
        remember_table(request, response, id, secure=secure)
        return response

    # ------------------------------------------------------------ saving

    def _may_save(self, context: RequestContext) -> bool:
        """Return whether this visitor may save files in the server's folder."""
        return self.folder is not None and context.visitor.is_owner

    async def save(self, request: Request) -> Response:
        """Save edited files in the server's folder for rules.

        A file is edited if it differs from its last saved text, or else from its first
        text.
        """
        context = await identify_visitor(request)
        if self.folder is None or not context.visitor.is_owner:
            raise RequestDenied(403, "not_yours_to_change")
        spend_budget(request, "creation")
        edit = await EditRequest.from_request(request, context)
        findings = await self._check_texts(
            context, edit, with_trial=False, only_newest=False
        )
        if findings is None or not findings.plans:
            raise RequestDenied(409, "not_without_errors")
        first_texts = context.any_table.stored.texts
        last_saved = self._saved.get(context.any_table.id, first_texts)
        edited = {
            name: text for name, text in edit.texts.items() if last_saved[name] != text
        }
        names = await asyncio.to_thread(
            save_files,
            self.folder,
            edited,
            first_texts,
            last_saved,
            context.any_table.texts,
        )
        self._saved[context.any_table.id] = edit.texts
        return json_response({"ok": True, "saved": names})


def save_files(folder: Path, changed: Texts, *known_texts: Texts) -> list[str]:
    """Save files in a folder, and return their names; never replace other files.

    Raises `RequestDenied` if an existing file has a text that is not in `known_texts`.
    """
    paths = {name: folder / f"{name}{ENDING}" for name in changed}
    for name, path in paths.items():
        known = [texts[name] for texts in (changed, *known_texts)]
        if path.exists() and read_rules(path) not in known:
            raise RequestDenied(409, "other_file", file=path.name)
    for name, path in paths.items():
        if path.exists():
            replace_text(path, changed[name])
        else:
            create_text(path, changed[name])
    return [path.name for path in paths.values()]


# ---------------------------------------------------------------- visitors


def _check_seat_chosen(context: RequestContext) -> None:
    """Raise `RequestDenied` if the visitor must first choose one of several seats."""
    if context.visitor.must_choose_seat:
        raise RequestDenied(409, "which_seat")


def _knows_all(context: RequestContext) -> bool:
    """Return whether no other person has information hidden from the visitor.

    This is true if the game is over, or only bots play the other seats.
    """
    own_seats = context.visitor.seats
    others = (
        seat_state
        for seat_state in context.any_table.seats
        if seat_state.seat not in own_seats
    )
    return context.any_table.over or all(
        seat_state.bot is not None for seat_state in others
    )


def _reader_data(context: RequestContext) -> dict[str, Any]:
    """Return the `VerdictReader` for this visitor, as plain data."""
    return {
        "seat": context.seat,
        "knows_all": _knows_all(context),
        "language": context.language,
    }


# ---------------------------------------------------------------- page


def _page(context: RequestContext, *, can_save: bool) -> str:
    """Render the page of a workshop."""
    phrases, table, urls = Phrases(context.language), context.table, context.urls
    board = board_view(table.game, context.seat, context.language)
    texts = table.texts
    file = next(iter(texts))
    requested_seat = context.request.query_params.get(SEAT_PARAMETER)
    query = "" if requested_seat is None else f"?{SEAT_PARAMETER}={requested_seat}"
    here = f"{table_path(table.id)}workshop"
    is_owner = context.visitor.is_owner
    return render_page(
        "workshop",
        language=context.language,
        title=context.words.heading,
        urls=urls,
        speak=f"{here}/language{query}",
        board=board,
        files=list(texts),
        file=file,
        ending=ENDING,
        is_owner=is_owner,
        saves=can_save,
        start={
            "file": file,
            "text": texts[file],
            "files": list(texts),
            "ending": ENDING,
            "rules": texts_digest(texts),
            "digest": board.digest,
            "version": table.version,
            "owner": is_owner,
            "opens": is_owner and _knows_all(context),
            "urls": {
                name: f"{here}/{name}{query}"
                for name in ("file", "now", "check", "complete", "apply", "save")
            }
            | {"news": urls["news"]},
            "grammar": {
                "begin": sorted(
                    {
                        *tooling.clause_words(),
                        *tooling.header_words(),
                        *tooling.line_words(),
                    }
                ),
            },
            "words": phrases.section("workshop"),
            "modules": {
                "studio": asset_address("studio.js"),
                "rules": asset_address("rules.js"),
                "style": asset_address("editor.css"),
                "codemirror": asset_address("vendor/codemirror.js"),
            },
        },
    )


def routes(host: Host, folder: Path | None = None) -> list[Route]:
    """Return the routes of workshops."""
    workshop, place = Workshop(host, folder), "/t/{id}/workshop"
    return [
        Route(place, workshop.page),
        Route(f"{place}/file", workshop.file),
        Route(f"{place}/now", workshop.current_board),
        Route(f"{place}/language", workshop.set_language, methods=["POST"]),
        Route(f"{place}/check", workshop.check, methods=["POST"]),
        Route(f"{place}/complete", workshop.complete, methods=["POST"]),
        Route(f"{place}/apply", workshop.apply, methods=["POST"]),
        Route(f"{place}/save", workshop.save, methods=["POST"]),
    ]
