"""Replay pages: a game at any of its events, from a table or an uploaded record.

During a game, a seat sees what it was allowed to know at that event. After it,
everybody may use every viewpoint, and continue from any event at a new table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

import attrs
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from interpreter import Game
from workbench.defaults import GREEDY
from workbench.web.forwarding import forward_to_record
from workbench.web.host import Host
from workbench.web.keys import OWNER
from workbench.web.responses import (
    html_response,
    json_response,
    language_of,
    read_body,
    read_form,
    wants_json,
)
from workbench.web.sandbox.rule_texts import Texts, texts_of
from workbench.web.sessions import (
    SEAT_PARAMETER,
    RequestDenied,
    remember_table,
    set_key_cookie,
    table_path,
)
from workbench.web.table_routes import (
    client_address,
    identify_visitor,
    set_language_cookie,
    spend_budget,
)
from workbench.web.thread_pools import ThreadPool, VisitorTurns
from workbench.web.views.phrases import Phrases
from workbench.web.views.rendering import asset_address, render_page, render_part
from workbench.web.views.symbols import localizer_of, seat_symbols
from workbench.web.workshop.game_summary import game_summary
from workbench.web.workshop.replay_view import EVERYTHING, NOBODY, ReplayView, Viewpoint
from workbench.web.workshop.timeline import Timeline, TimelineCache
from workbench.web.workshop.uploads import UploadedRecord, UploadedRecords

T = TypeVar("T")
EVENT_PARAMETER, VIEWPOINT_PARAMETER = "at", "seen"
WITH_BOTS = "bots"
PERSON = "person"
NDJSON_TYPE = "application/x-ndjson"
RENDER_THREADS, MAX_WAITING_RENDERINGS = 2, 8
"""Number of rendering threads, and maximum number of waiting renderings per visitor."""


@attrs.frozen
class ReplaySource:
    """Game to replay, and the viewpoints that its visitor may use.

    `default_viewpoint` is used if none is requested. In the summary, which the table's
    page shows too, it is `summary_viewpoint`, which reveals nothing. `can_continue` is
    true if the visitor may continue the game at a new table.
    """

    timeline: Timeline
    title: str
    home: str
    query: Mapping[str, str]
    viewpoints: tuple[str, ...]
    default_viewpoint: str
    summary_viewpoint: str
    can_continue: bool
    language: str
    variant: str
    texts: Texts | None
    urls: Mapping[str, str]
    notes: tuple[str, ...] = ()

    def view_for(self, request: Request) -> ReplayView:
        """Return the replay from the requested viewpoint. May raise `RequestDenied`."""
        name = request.query_params.get(VIEWPOINT_PARAMETER) or self.default_viewpoint
        if name not in self.viewpoints:
            raise RequestDenied(403, "not_your_seat")
        return ReplayView(self.timeline, Viewpoint(name), self.language)

    def summary_viewpoint_for(self, request: Request) -> Viewpoint:
        """Return the requested viewpoint of a summary, which may also be `NOBODY`.

        May raise `RequestDenied`.
        """
        name = request.query_params.get(VIEWPOINT_PARAMETER) or self.summary_viewpoint
        if name not in {*self.viewpoints, NOBODY}:
            raise RequestDenied(403, "not_your_seat")
        return Viewpoint(name)

    def step(self, request: Request) -> int:
        """Return the event number that a request names, or the last one by default."""
        text = request.query_params.get(EVENT_PARAMETER, "")
        if not text:
            return self.timeline.steps
        return min(event_number(text), self.timeline.steps)

    def address(self, path: str = "", /, **more: Any) -> str:
        """Return an address below this replay, with query parameters."""
        query = urlencode({**self.query, **more})
        return f"{self.home}{path}{'?' if query else ''}{query}"


def event_number(text: str) -> int:
    """Convert text to an event number. Raise `RequestDenied` for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise RequestDenied(400, "not_understood")
    return int(text)


SourceReader = Callable[[Request], Awaitable[ReplaySource]]
Answer = Callable[[Request, ReplaySource], Awaitable[Response]]


@attrs.frozen
class ReplayEndpoints:
    """Endpoints for replays of tables and of uploaded records.

    In a worker, `loaded_records` contains the uploaded records that it has read.
    """

    host: Host
    records: UploadedRecords
    loaded_records: Mapping[str, UploadedRecord] | None = None
    timelines: TimelineCache = attrs.field(factory=TimelineCache)
    threads: ThreadPool = attrs.field(
        factory=lambda: ThreadPool("replay", RENDER_THREADS)
    )
    turns: VisitorTurns = attrs.field(
        factory=lambda: VisitorTurns(MAX_WAITING_RENDERINGS)
    )

    async def run_in_turn(
        self, request: Request, function: Callable[..., T], *args: Any
    ) -> T:
        """Run a function in a thread, in the visitor's turn; return its result."""
        async with self.turns.turn(client_address(request)):
            return await self.threads.run(function, *args)

    # ------------------------------------------------------------ sources

    async def table_source(self, request: Request) -> ReplaySource:
        """Return the replay of a table for its visitor. May raise `RequestDenied`."""
        context = await identify_visitor(request)

        def read_game() -> tuple[Game, bool, Texts | None]:
            table = context.table
            return table.game, table.over, None if table.book.shipped else table.texts

        game, over, texts = await context.read(read_game)
        timeline = await self.run_in_turn(
            request, self.timelines.timeline_of, context.table.id, game
        )
        if not over and context.visitor.must_choose_seat:
            raise RequestDenied(409, "which_seat")
        viewpoints: tuple[str, ...] = (context.seat or NOBODY,)
        if over:
            viewpoints = (EVERYTHING, *timeline.seats)
        requested_seat = request.query_params.get(SEAT_PARAMETER)
        return ReplaySource(
            timeline=timeline,
            title=context.words.heading,
            home=f"{table_path(context.table.id)}replay",
            query={} if requested_seat is None else {SEAT_PARAMETER: requested_seat},
            viewpoints=viewpoints,
            default_viewpoint=context.seat or viewpoints[0],
            summary_viewpoint=context.seat or NOBODY,
            can_continue=over,
            language=context.language,
            variant=context.table.variant,
            texts=texts,
            urls=context.urls,
        )

    async def record_source(self, request: Request) -> ReplaySource:
        """Return the replay of an uploaded record. May raise `RequestDenied`."""
        id = request.path_params["record"]
        record = (self.loaded_records or {}).get(id)
        if record is None:
            raise RequestDenied(404, "no_such_thing")
        book = record.timeline.book
        return ReplaySource(
            timeline=record.timeline,
            title=record.title,
            home=f"/replay/{id}",
            query={},
            viewpoints=(EVERYTHING, *record.timeline.seats),
            default_viewpoint=EVERYTHING,
            summary_viewpoint=EVERYTHING,
            can_continue=True,
            language=language_of(request),
            variant=record.variant,
            texts=None if book.shipped else texts_of(book),
            urls={"lobby": "/"},
            notes=record.notes,
        )

    # ------------------------------------------------------------ endpoints

    async def page(self, request: Request, source: ReplaySource) -> Response:
        """Return the page of a replay."""
        view, step = source.view_for(request), source.step(request)
        return html_response(await self.run_in_turn(request, _page, source, view, step))

    async def step_content(self, request: Request, source: ReplaySource) -> Response:
        """Return the page content at an event as JSON."""
        view, step = source.view_for(request), source.step(request)
        known_digest = request.query_params.get("board", "")
        return json_response(
            await self.run_in_turn(request, view.step_content, step, known_digest)
        )

    async def summary(self, request: Request, source: ReplaySource) -> Response:
        """Return the summary of a finished game: as a page, or as JSON for a page."""
        if not source.timeline.is_over:
            raise RequestDenied(409, "not_over")
        viewpoint = source.summary_viewpoint_for(request)
        text = await self.run_in_turn(
            request, _summary, source, viewpoint, wants_json(request)
        )
        if wants_json(request):
            return json_response({"ok": True, "summary": text})
        return html_response(text)

    async def record(self, request: Request, source: ReplaySource) -> Response:
        """Return the record of a finished game."""
        if not source.can_continue:
            raise RequestDenied(409, "not_over")
        timeline = source.timeline
        text = await self.run_in_turn(request, timeline.record, timeline.steps)
        name = f'attachment; filename="{source.timeline.book.name}.jsonl"'
        headers = {"content-disposition": name}
        return Response(text, media_type=NDJSON_TYPE, headers=headers)

    async def continue_game(self, request: Request, source: ReplaySource) -> Response:
        """Continue the game from an event at a new table."""
        form = await read_form(request)
        if not source.can_continue:
            raise RequestDenied(409, "not_over")
        step = form.integer(EVENT_PARAMETER)
        if step is None or step > source.timeline.steps:
            raise RequestDenied(400, "not_understood")
        spend_budget(request, "creation")
        seats = dict.fromkeys(source.timeline.seats, PERSON)
        if form.get("with") == WITH_BOTS:
            own_seat = form.get(VIEWPOINT_PARAMETER)
            own_seat = own_seat if own_seat in seats else source.timeline.seats[0]
            seats = {name: PERSON if name == own_seat else GREEDY for name in seats}
        record = await self.run_in_turn(request, source.timeline.record, step)
        return await open_continuation(request, self.host, source, seats, record)

    async def set_language(self, request: Request, source: ReplaySource) -> Response:
        """Set the language and stay at the same event."""
        form = await read_form(request)
        more = {
            VIEWPOINT_PARAMETER: source.view_for(request).viewpoint.name,
            EVENT_PARAMETER: source.step(request),
        }
        return set_language_cookie(request, form, source.address(**more))

    async def set_summary_language(
        self, request: Request, source: ReplaySource
    ) -> Response:
        """Set the language and stay at the summary."""
        name = source.summary_viewpoint_for(request).name
        address = source.address("/summary", **{VIEWPOINT_PARAMETER: name})
        return set_language_cookie(request, await read_form(request), address)

    def routes(self, path: str, read_source: SourceReader) -> list[Route]:
        """Return the routes below *path* for the replays that `read_source` returns."""

        def route(name: str, answer: Answer, method: str = "GET") -> Route:
            async def endpoint(request: Request) -> Response:
                return await answer(request, await read_source(request))

            return Route(f"{path}{name}", endpoint, methods=[method])

        return [
            route("", self.page),
            route("/at", self.step_content),
            route("/summary", self.summary),
            route("/summary/language", self.set_summary_language, "POST"),
            route("/record", self.record),
            route("/go-on", self.continue_game, "POST"),
            route("/language", self.set_language, "POST"),
        ]

    # ------------------------------------------------------------ uploaded records

    def forward_to_worker(self, route: Route) -> Route:
        """Wrap a route of an uploaded record so that its worker handles it."""
        if self.loaded_records is not None:
            return route

        async def endpoint(request: Request) -> Response:
            id = request.path_params["record"]
            preamble = self.records.preamble(id)
            if preamble is None:
                raise RequestDenied(404, "no_such_thing")
            return await forward_to_record(
                request, self.host, self.records.worker_key(id), preamble
            )

        return Route(route.path, endpoint, methods=sorted(route.methods or ()))

    async def upload_page(self, request: Request) -> Response:
        """Return the page for uploading a record."""
        language = language_of(request)
        words = Phrases(language).section("replay")
        start = {"words": words, "modules": {"studio": asset_address("studio.js")}}
        urls = {"lobby": "/"}
        return html_response(
            render_page("upload", language=language, urls=urls, start=start)
        )

    async def upload(self, request: Request) -> Response:
        """Store an uploaded record, and return the address of its replay."""
        spend_budget(request, "creation")
        data, client = await read_body(request), client_address(request)
        id = await self.records.add(data, client=client)
        if wants_json(request):
            return json_response({"ok": True, "address": f"/replay/{id}"})
        return RedirectResponse(f"/replay/{id}", 303)


async def open_continuation(
    request: Request,
    host: Host,
    source: ReplaySource,
    seats: Mapping[str, str],
    record: str,
) -> Response:
    """Create a table that continues a record, and redirect to its links."""
    id, keys = await host.continue_record(
        source.variant, seats, source.texts, record, client_address(request)
    )
    secure = request.app.state.secure
    address = f"{table_path(id)}links"
    response: Response = RedirectResponse(address, 303)
    if wants_json(request):
        response = json_response({"ok": True, "address": address})
    set_key_cookie(response, id, keys[OWNER], secure=secure)
    remember_table(request, response, id, secure=secure)
    return response


def _page(source: ReplaySource, view: ReplayView, step: int) -> str:
    """Render the page of a replay at an event."""
    phrases, timeline, viewpoint = (
        Phrases(source.language),
        source.timeline,
        view.viewpoint.name,
    )
    first, last = view.event_range(step)
    content = view.step_content(step)
    return render_page(
        "replay",
        language=source.language,
        title=source.title,
        source=source,
        remarks=source.notes,
        urls=source.urls,
        moment=content,
        board=view.board(step),
        eyes=_viewpoint_links(source, source.viewpoints, "", **{EVENT_PARAMETER: step}),
        chosen=viewpoint,
        events=view.event_rows(step),
        window=(first, last),
        marks=list(view.marks()),
        steps=timeline.steps,
        over_here=step == timeline.steps and timeline.is_over,
        start={
            "step": step,
            "steps": timeline.steps,
            "seen": viewpoint,
            "digest": content["digest"],
            "moment": source.address("/at", **{VIEWPOINT_PARAMETER: viewpoint}),
            "page": source.address(**{VIEWPOINT_PARAMETER: viewpoint}),
            "window": [first, last],
            "words": phrases.section("replay"),
            "modules": {"studio": asset_address("studio.js")},
        },
    )


def _viewpoint_links(
    source: ReplaySource, viewpoints: Iterable[str], path: str = "", **more: Any
) -> list[dict[str, Any]]:
    """Return the titles, symbols and addresses of viewpoints for a page."""
    phrases, timeline = Phrases(source.language), source.timeline
    symbols = seat_symbols(timeline.book, timeline.seats, source.language)
    titles = {
        EVERYTHING: phrases("replay.everything"),
        NOBODY: phrases("replay.nobody"),
    }
    words = localizer_of(timeline.book, source.language)
    return [
        {
            "name": name,
            "title": titles.get(name) or words.title(name),
            "sign": symbols.get(name),
            "address": source.address(path, **{VIEWPOINT_PARAMETER: name, **more}),
        }
        for name in viewpoints
    ]


def _summary(source: ReplaySource, viewpoint: Viewpoint, is_part: bool) -> str:
    """Render the summary of a game, as a page or as a part of the table's page."""
    summary = game_summary(source.timeline, viewpoint, source.language)
    if is_part:
        page = source.address("/summary", **{VIEWPOINT_PARAMETER: viewpoint.name})
        return render_part("summary", summary, source.language, page=page)
    return render_page(
        "summary",
        language=source.language,
        title=source.title,
        source=source,
        urls=source.urls,
        m=summary,
        chosen=viewpoint.name,
        eyes=_viewpoint_links(source, (*source.viewpoints, NOBODY), "/summary"),
    )


def routes(
    host: Host,
    records: UploadedRecords,
    uploaded_records: Mapping[str, UploadedRecord] | None = None,
) -> list[Route]:
    """Return the HTTP routes of replays."""
    replays = ReplayEndpoints(host, records, uploaded_records)
    all_routes = [
        Route("/replay", replays.upload_page),
        Route("/replay", replays.upload, methods=["POST"]),
    ]
    all_routes += replays.routes("/t/{id}/replay", replays.table_source)
    record_routes = replays.routes("/replay/{record}", replays.record_source)
    return [*all_routes, *map(replays.forward_to_worker, record_routes)]
