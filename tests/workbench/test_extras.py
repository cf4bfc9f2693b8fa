"""Commands that need a library of an extra, when it is not installed.

Each runs in a new process that has loaded nothing. An unknown measure `none` would only
be reported after games have been played. Verified by manual mutations: the exit code,
the name of the extra, a check after the games.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.processes import run_process
from workbench import learning, load
from workbench.errors import RequestError
from workbench.extras import Extra

ROOT = Path(__file__).parents[2]
FOUR = str(ROOT / "examples" / "tiny" / "connect_four.rules")
DARE = str(ROOT / "examples" / "tiny" / "dare.rules")
FIRST = str(ROOT / "examples" / "first" / "first.rules")
VARY = ("sweep", FIRST, "--vary", "cost hut.reed = 1, 2")
LADDER = ("ladder", FIRST, "--bots", "random,greedy")
CASES = (
    (Extra.DESK, "numpy", ("compare", DARE, FOUR)),
    (Extra.DESK, "numpy", ("simulate", DARE, FOUR)),
    (Extra.DESK, "numpy", VARY),
    (Extra.DESK, "optuna", (*VARY, "--goal", "turns = 20", "--measure", "none")),
    (Extra.DESK, "scipy", ("economy", FIRST)),
    (Extra.DESK, "scipy", LADDER),
    (Extra.DESK, "numpy", LADDER),
    (Extra.BATCH, "numpy", ("simulate", DARE, "--measures")),
    (Extra.DATA, "pyarrow", ("simulate", DARE, "--out", "x.parquet")),
    (Extra.CLUSTER, "joblib", ("simulate", DARE, "--cluster", "tcp://127.0.0.1:1")),
    (Extra.CLUSTER, "dask", ("simulate", DARE, "--cluster", "tcp://127.0.0.1:1")),
    (Extra.EDITOR, "pygls", ("lsp",)),
    (Extra.PRINT, "reportlab", ("print", FOUR, "--out", "x.pdf")),
    (Extra.PRINT, "svglib", ("print", FOUR, "--out", "x.pdf")),
    (Extra.REPORT, "jinja2", ("compare", DARE, FOUR, "--report", "x.html")),
    (Extra.REPORT, "altair", ("compare", DARE, FOUR, "--report", "x.html")),
    (Extra.REPORT, "altair", (*VARY, "--out", "x.svg")),
    (Extra.REPORT, "vl_convert", (*VARY, "--out", "x.svg")),
    (Extra.REPORT, "altair", (*LADDER, "--out", "x.svg")),
    (Extra.REPORT, "vl_convert", (*LADDER, "--out", "x.svg")),
    (Extra.WEB, "starlette", ("serve",)),
    (Extra.WEB, "uvicorn", ("serve", DARE)),
    (Extra.WEB, "sqlalchemy", ("serve", DARE, "--bots", "random")),
    (Extra.WEB, "jinja2", ("serve", "--port", "0")),
    (Extra.POSTGRES, "psycopg", ("serve", "--port=0", "--database=postgresql://x/y")),
    (Extra.REPORT, "pyarrow", ("compare", DARE, FOUR, "--report", "x.html")),
)
CALLS = (
    (Extra.LEARNING, "numpy", "environment"),
    (Extra.LEARNING, "pettingzoo", "environment"),
    (Extra.LEARNING, "pyspiel", "spiel_game"),
)
"""Libraries that only programs using `workbench.learning` need."""

CALLED = {"vl_convert": "vl-convert-python", "pyspiel": "open_spiel"}
"""Registry names of libraries whose module has another name."""

EACH = """
import json, os, sys, tempfile
import workbench.cli.analysis.simulate
from workbench.cli import main
for library, words in json.loads(sys.argv[1]):
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(said.fileno(), 2)
            sys.modules[library] = None
            code = 70
            try:
                code = main(words)
            finally:
                sys.stderr.flush()
                os._exit(code)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        print(json.dumps([status, said.read()]), flush=True)
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, str]]:
    """Return the exit code and the output of each command."""
    folder = tmp_path_factory.mktemp("extras")
    asked = json.dumps([[library, words] for _, library, words in CASES])
    done = run_process([sys.executable, "-c", EACH, asked], cwd=folder, check=True)
    assert not list(folder.iterdir())
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_missing_library_is_reported_uniformly(
    place: int, answers: list[tuple[int, str]]
) -> None:
    extra, library, _ = CASES[place]
    status, said = answers[place]

    assert status == 1
    *_, last = said.splitlines()
    assert f" requires {library}, which is not installed; " in last
    assert f"pip install 'rulebook-lang[{extra}]'" in last


@pytest.mark.parametrize(("extra", "library", "call"), CALLS)
def test_function_call_reports_a_missing_library(
    extra: Extra, library: str, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "gymnasium", "pettingzoo", "pyspiel"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        RequestError, match=f"requires {library}, which is not"
    ) as refused:
        getattr(learning, call)(load(FOUR))
    assert refused.value.help == f"pip install 'rulebook-lang[{extra}]'"
    assert refused.value.exit_code == 1


def test_extra_installs_the_required_library() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = whole["project"]["optional-dependencies"]

    needed = [(extra, library) for extra, library, _ in (*CASES, *CALLS)]
    assert {extra for extra, _ in needed} == set(Extra)
    for extra, library in needed:
        names = {re.split(r"[<>=\[ ]", each)[0] for each in extras[extra]}
        assert CALLED.get(library, library) in names, (extra, library)
