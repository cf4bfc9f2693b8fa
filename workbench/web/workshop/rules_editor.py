"""Workshop: edit the rules of a table next to its board, with live checks.

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
    request_limits,
    set_language_cookie,
    spend_budget,
)
from workbench.web.views.board_view import board_view
from workbench.web.views.phrases import Phrases
from workbench.web.views.rendering import asset_address, render_page
from workbench.web.worker_pool.pool import WorkerPool
from workbench.web.workshop.replay_view import changed_marks

NEW_TABLE = "new"
PERSON = "person"


@attrs.frozen
class EditRequest:
    """Request with edited rules: all texts of the table, and what to do with them.

    `rules` is the digest of the rules on which the edit is based.
    """

    texts: dict[str, str]
    rules: str
    with_trial: bool
    action: str

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
        asked = document if isinstance(document, dict) else {}
        changed = asked.get("texts")
        if not isinstance(changed, dict) or not changed.keys() <= base.keys():
            raise RequestDenied(400, "not_understood")
        if not all(isinstance(text, str) for text in changed.values()):
            raise RequestDenied(400, "not_understood")
        if asked.get("rules") != rules:
            raise RulesChanged
        tries, to = asked.get("try") is True, str(asked.get("to", ""))
        return cls({**base, **changed}, rules, tries, to)


class Workshop:
    """Endpoints of the workshops of all tables.

    Rules are saved in `folder`; None disables saving.
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
        at = await identify_visitor(request)
        _check_seat_chosen(at)
        saves = self._may_save(at)
        return html_response(await at.read(lambda: _page(at, can_save=saves)))

    async def file(self, request: Request) -> Response:
        """Return the text of one rule file."""
        at = await identify_visitor(request)
        name = request.query_params.get("name", "")
        texts = await at.read(lambda: at.any_table.texts)
        if name not in texts:
            raise RequestDenied(404, "no_such_thing")
        return json_response({"ok": True, "name": name, "text": texts[name]})

    async def current_board(self, request: Request) -> Response:
        """Return the current board and the digest of the current rules."""
        at = await identify_visitor(request)
        _check_seat_chosen(at)
        had = request.query_params.get("board", "")

        def board_data() -> dict[str, Any]:
            drawn = board_view(at.table.game, at.seat, at.language)
            digest = texts_digest(at.table.texts)
            return {
                "board": changed_marks(drawn, had),
                "digest": drawn.digest,
                "rules": digest,
            }

        return json_response({"ok": True, **await at.read(board_data)})

    async def set_language(self, request: Request) -> Response:
        """Set the language of this browser."""
        at = await identify_visitor(request)
        return set_language_cookie(
            request, await read_form(request), at.urls["workshop"]
        )

    # ------------------------------------------------------------ checks

    async def check(self, request: Request) -> Response:
        """Check edited texts; for the owner, also replay the game under them."""
        at = await identify_visitor(request)
        _check_seat_chosen(at)
        limits = request_limits(request)
        spend_budget(request, "check", at.any_table.id, limits.check_rate)
        edit = await EditRequest.from_request(request, at)
        tries = edit.with_trial and at.visitor.is_owner
        checked = await self._check_texts(at, edit, with_trial=tries)
        if checked is None:
            return json_response({"ok": True, "superseded": True})
        return json_response(self._findings_data(checked))

    async def _check_texts(
        self,
        context: RequestContext,
        edit: EditRequest,
        *,
        with_trial: bool,
        only_newest: bool = True,
    ) -> CheckFindings | None:
        """Return the findings, or None if a newer check was requested meanwhile."""
        whose = f"{context.any_table.id} {context.seat}"
        number = self._newest[whose] = self._newest.get(whose, 0) + 1

        def table_data() -> dict[str, Any]:
            if not with_trial:
                return {}
            before = dict(context.any_table.texts)
            return {
                "record": context.any_table.record,
                "reader": _reader_data(context),
                "before": before,
            }

        asked = {"players": len(context.any_table.seats)} | await context.read(
            table_data
        )

        def is_old() -> bool:
            return only_newest and self._newest.get(whose) != number

        try:
            client = client_address(context.request)
            return await self.workers.check(edit.texts, client, is_old=is_old, **asked)
        finally:
            if self._newest.get(whose) == number:
                del self._newest[whose]

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
        at = await identify_visitor(request)
        if not at.visitor.is_owner:
            raise RequestDenied(403, "not_yours_to_change")
        spend_budget(
            request, "check", at.any_table.id, request_limits(request).check_rate
        )
        edit = await EditRequest.from_request(request, at)
        checked = await self._check_texts(at, edit, with_trial=True, only_newest=False)
        assert checked is not None
        answer = self._findings_data(checked)
        if checked.tried is None:
            return json_response({**answer, "applied": False})
        if edit.action == NEW_TABLE:
            return await self._create_table(request, at, edit, checked.tried)
        if not checked.tried["holds"]:
            return json_response({**answer, "applied": False})
        return json_response(
            {**answer, **await self._apply_rules(at, edit, checked.tried)}
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
        spend_budget(
            request,
            "make",
            client_address(request),
            request_limits(request).creation_rate,
        )
        seats = {
            place.seat: PERSON if place.bot is None else place.bot
            for place in context.any_table.seats
        }
        client, record = client_address(request), trial["record"]
        id, keys = await context.host.continue_record(
            context.any_table.variant, seats, edit.texts, record, client
        )
        made = json_response({"ok": True, "address": f"{table_path(id)}links"})
        secure = request.app.state.secure
        set_key_cookie(made, id, keys[OWNER], secure=secure)
        remember_table(request, made, id, secure=secure)
        return made

    # ------------------------------------------------------------ saving

    def _may_save(self, context: RequestContext) -> bool:
        """Return whether this visitor may save files in the server's folder."""
        return self.folder is not None and context.visitor.is_owner

    async def save(self, request: Request) -> Response:
        """Save edited files in the folder with which the server was started.

        A file is edited if it differs from its last saved text, or else from its first
        text.
        """
        at = await identify_visitor(request)
        if self.folder is None or not at.visitor.is_owner:
            raise RequestDenied(403, "not_yours_to_change")
        spend_budget(
            request,
            "make",
            client_address(request),
            request_limits(request).creation_rate,
        )
        edit = await EditRequest.from_request(request, at)
        checked = await self._check_texts(at, edit, with_trial=False, only_newest=False)
        if checked is None or not checked.plans:
            raise RequestDenied(409, "not_without_errors")
        begun = at.any_table.stored.texts
        last = self._saved.get(at.any_table.id, begun)
        new = {name: text for name, text in edit.texts.items() if last[name] != text}
        saved = await asyncio.to_thread(
            save_files, self.folder, new, begun, last, at.any_table.texts
        )
        self._saved[at.any_table.id] = edit.texts
        return json_response({"ok": True, "saved": saved})


def save_files(folder: Path, changed: Texts, *known_texts: Texts) -> list[str]:
    """Save files in a folder, and return their names; never replace other files.

    Raises `RequestDenied` if an existing file has a text that is not in `known_texts`.
    """
    paths = {name: folder / f"{name}{ENDING}" for name in changed}
    for name, path in paths.items():
        ours = [texts[name] for texts in (changed, *known_texts)]
        if path.exists() and read_rules(path) not in ours:
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
    mine = context.visitor.seats
    others = (place for place in context.any_table.seats if place.seat not in mine)
    return context.any_table.over or all(place.bot is not None for place in others)


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
    say, table, urls = Phrases(context.language), context.table, context.urls
    drawn = board_view(table.game, context.seat, context.language)
    texts = table.texts
    first = next(iter(texts))
    asked = context.request.query_params.get(SEAT_PARAMETER)
    query = "" if asked is None else f"?{SEAT_PARAMETER}={asked}"
    here = f"{table_path(table.id)}workshop"
    owner = context.visitor.is_owner
    return render_page(
        "workshop",
        language=context.language,
        title=context.words.heading,
        urls=urls,
        speak=f"{here}/language{query}",
        board=drawn,
        files=list(texts),
        file=first,
        ending=ENDING,
        is_owner=owner,
        saves=can_save,
        start={
            "file": first,
            "text": texts[first],
            "files": list(texts),
            "ending": ENDING,
            "rules": texts_digest(texts),
            "digest": drawn.digest,
            "version": table.version,
            "owner": owner,
            "opens": owner and _knows_all(context),
            "urls": {
                name: f"{here}/{name}{query}"
                for name in ("file", "now", "check", "apply", "save")
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
            "words": say.section("workshop"),
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
        Route(f"{place}/apply", workshop.apply, methods=["POST"]),
        Route(f"{place}/save", workshop.save, methods=["POST"]),
    ]
