"""Screenshots of the table for the documents, in the game of `germany.jsonl`.

`python -m tests.web.browser.screenshots` takes them again, with Chromium. No test
compares them, because fonts differ between machines.
"""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from tests.web.browser.clicking import Sitter
from tests.web.browser.conftest import (
    CHROMIUM,
    Server,
    free_port,
    served,
    stop,
)

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
RECORD = (PICTURES / "germany.jsonl").read_text(encoding="utf-8")
SEAT = "white"
SEATS = {"red": "greedy", "blue": "greedy", SEAT: "person", "orange": "greedy"}
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
SHOTS: dict[str, dict[str, Any]] = {
    "table": {"viewport": WIDE, "locale": "en"},
    "table_dark": {"viewport": WIDE, "locale": "de", "color_scheme": "dark"},
    "table_phone": {"viewport": NARROW, "locale": "en"},
}


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """Run a server in a thread."""
    started, made = threading.Event(), list[Server]()
    serving = served(folder, free_port(), (), made, started)
    thread = threading.Thread(target=asyncio.run, args=(serving,), daemon=True)
    thread.start()
    assert started.wait(60)
    yield made[0]
    stop(made[0])
    thread.join(20)


def shoot(sitter: Sitter, file: Path) -> None:
    """Choose a road, ask why a landmark is illegal, and take the screenshot."""
    page = sitter.page
    sitter.until_due()
    page.locator('[data-why="build_landmark"]').dispatch_event("click")
    sitter.until("() => !document.getElementById('why').classList.contains('calm')")
    page.locator('[data-act="build_road"]').dispatch_event("click")
    page.locator(".option").first.dispatch_event("click")
    page.locator("#c-yes").wait_for()
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.wait_for_timeout(1000)
    page.screenshot(path=file)


def shoot_end(running: Server, browser: Any) -> None:
    """Let bots play a game, and take the screenshot of the finished table."""
    made = running.table("germany", dict.fromkeys(SEATS, "greedy"), seed=4)
    context = browser.new_context(viewport=WIDE, locale="en")
    sitter = Sitter.at(context.new_page(), made.links["watch"])
    sitter.page.locator("#summary .ranking").wait_for()
    sitter.page.wait_for_timeout(1000)
    sitter.page.screenshot(path=PICTURES / "table_end.png")
    context.close()


def main() -> int:
    """Take all screenshots; return the exit code."""
    with TemporaryDirectory() as folder, server(Path(folder)) as running:
        made = running.table("germany", SEATS, record=RECORD)
        with sync_playwright() as tools:
            browser = tools.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            for name, settings in SHOTS.items():
                context = browser.new_context(**settings)
                sitter = Sitter.at(context.new_page(), made.links[SEAT])
                shoot(sitter, PICTURES / f"{name}.png")
                context.close()
            shoot_end(running, browser)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
