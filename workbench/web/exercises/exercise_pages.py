"""Pages of exercises: a position, a question, and after a click the answer."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from workbench.web import catalogue
from workbench.web.exercises.exercises import ExerciseView, exercises_of
from workbench.web.host import Host
from workbench.web.responses import html_response, language_of
from workbench.web.sessions import RequestDenied
from workbench.web.table_routes import spend_budget
from workbench.web.views.rendering import render_page

ANSWERS = {"yes": True, "no": False}
"""Answers in an address, with whether they say that the action is legal."""


async def exercise_page(request: Request) -> Response:
    """Return the page of an exercise, with the answer if one was given."""
    spend_budget(request, "lobby")
    host: Host = request.app.state.host
    number = request.path_params.get("number", 1)
    given = ANSWERS.get(request.query_params.get("answer", ""))
    return html_response(
        await host.reading_threads.run(
            _render,
            host,
            request.path_params["game"],
            number,
            given,
            language_of(request),
        )
    )


def _render(
    host: Host, game: str, number: int, given: bool | None, language: str
) -> str:
    """Render an exercise. Raise `RequestDenied` if there is none with this number."""
    book = catalogue.book_of(catalogue.combined_variant(game, (), host.games))
    count = len(exercises_of(book))
    if not 1 <= number <= count:
        raise RequestDenied(404, "no_such_thing")
    view = ExerciseView(book, number - 1, language)
    content: dict[str, Any] | None = view.content(answered=given is not None)
    address = f"/learn/{game}"
    return render_page(
        "exercise",
        language=language,
        title=view.words.heading,
        m=content,
        given=given,
        number=number,
        count=count,
        here=f"{address}/{number}",
        previous=f"{address}/{number - 1}" if number > 1 else None,
        following=f"{address}/{number + 1}" if number < count else None,
    )


def routes() -> list[Route]:
    """Return the routes of exercises."""
    return [
        Route("/learn/{game}", exercise_page),
        Route("/learn/{game}/{number:int}", exercise_page),
    ]
