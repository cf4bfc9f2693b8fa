"""An engine is compiled once and cached, and the cache never returns another engine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unicodedata import category

import pytest

from interpreter.native.build import compilers
from interpreter.native.build.compilers import Compiler, c_compiler
from interpreter.native.build.loading import load_library
from tests.native.compilers import CC, HEAD, KINDS, NAP, counting, fake
from tests.native.conftest import Places
from tests.native.texts import answer, refusal, text, use

ROOT = Path(__file__).parents[2]
OTHER_USER = 54321


# ---------------------------------------------------------------- once, and kept


def test_a_library_is_compiled_once(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc, log = counting(tmp_path / "bin")
    use(cc, monkeypatch)

    assert [answer(load_library(text(7))) for _ in range(3)] == [7, 7, 7]

    (path,) = places.cached_files()
    assert path.stat().st_mode & 0o777 == 0o600
    assert places.temporary_files() == []
    (line,) = log.read_text().splitlines()
    flags = [*compilers.FLAGS["play"], "-o", "engine.so", "engine.c"]
    assert line.split() == flags  # nothing else is on the command line


def test_another_text_or_kind_is_another_library(places: Places) -> None:
    assert answer(load_library(text(1))) == 1
    assert answer(load_library(text(2))) == 2
    assert answer(load_library(text(1), "quick")) == 1

    assert len(places.cached_files()) == 3


def test_compiler_warnings_are_enabled(places: Places) -> None:
    wrong = text(1).replace("{return", "{int never_set; return never_set +")

    assert "never_set" in refusal(load_library(wrong))
    assert places.cached_files() == places.temporary_files() == []


def test_unused_variables_stop_tests_but_no_game(places: Places) -> None:
    unused = text(1).replace("{return", "{int never_used; return")

    assert "never_used" in refusal(load_library(unused, "quick"))
    assert answer(load_library(unused)) == 1


def key(**changes: object) -> str:
    usual: dict[str, object] = {"command": ("cc",), "version": "1"}
    return Compiler(**usual | changes).key("int i;", "play")  # type: ignore[arg-type]


def test_the_key_contains_everything_that_affects_a_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = [key(), key(version="2"), key(command=("gcc",)), key(flags=("-m32",))]
    keys += [Compiler(("cc",), "1").key("int j;", "play")]
    keys += [Compiler(("cc",), "1").key("int i;", kind) for kind in ("quick", "verify")]
    for name, value in (("NIX_CFLAGS_COMPILE", "-O0"), ("SDKROOT", "/sdk")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            keys.append(key())
    for place, value in (
        ("platform.machine", "vax"),
        ("sys.platform", "plan9"),
        ("os.confstr", "glibc 1.0"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(place, value if "sys" in place else lambda *_, v=value: v)
            keys.append(key())

    assert len(set(keys)) == len(keys)


def test_the_key_does_not_contain_locations(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key()
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/opt/bin")
    monkeypatch.setenv("HOME", "/elsewhere")

    assert key() == before


def test_the_key_contains_the_processor_if_it_matters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keys(command: tuple[str, ...]) -> list[str]:
        table = tmp_path / "cpuinfo"
        monkeypatch.setattr(compilers, "CPU_TABLE", table)
        made = []
        for flags in ("sse", "sse avx"):
            table.write_text(f"model name : a\nflags : {flags}\ncpu MHz : 1\n")
            made.append(key(command=command))
        return made

    first, second = keys(("cc", "-march=native"))
    assert first != second
    first, second = keys(("cc",))
    assert first == second


# ---------------------------------------------------------------- which compiler


def test_without_a_compiler_the_error_suggests_a_fix(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(compilers, "find_spec", lambda _name: None)

    assert load_library(text(1)) == compilers.NO_COMPILER
    assert "rulebook-lang[native]" in str(compilers.NO_COMPILER)
    assert places.cached_files() == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("no_such_compiler", "names no_such_compiler, which does not exist"),
        ("./cc", "names ./cc, which does not exist"),
        ("cc 'x", "is not a valid command"),
        ("/", "names /, which does not exist"),
        ("\x1b[2J", "which does not exist"),
        ("cc --no-such-flag", "reported an error: "),
        ("cc; touch owned", "names cc;, which does not exist"),
        ("$(touch owned)", "names $(touch, which does not exist"),
    ],
)
@pytest.mark.usefixtures("places")
def test_rejects_an_invalid_cc_variable(
    said: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CC", said)

    told = refusal(load_library(text(1)))

    assert why in told
    assert told.isprintable()
    assert not (tmp_path / "owned").exists()


@pytest.mark.usefixtures("places")
def test_arguments_in_the_cc_variable_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = HEAD.replace('"$1"', '"$2"')
    cc = fake(tmp_path / "a folder", f'exec {CC} "$@"', head=head)
    monkeypatch.setenv("CC", f"'{cc}' '-DNUMBER=(4 + 4)'")

    chosen = c_compiler()

    assert isinstance(chosen, Compiler)
    assert chosen.command == (str(cc), "-DNUMBER=(4 + 4)")
    assert answer(load_library(text(0).replace("return 0", "return NUMBER"))) == 8


def test_ignores_a_compiler_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(tmp_path, "touch owned", head="#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compilers, "find_spec", lambda _name: None)
    for path in ("", ":", ".", "relative:."):
        monkeypatch.setenv("PATH", path)
        assert c_compiler() == compilers.NO_COMPILER
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sleep 60", "does not report its version"),
        ("exit 1", "does not work: it prints nothing"),
        ("echo broken; kill -SEGV $$", "does not work: broken"),
        ("yes", "does not report its version"),
    ],
)
def test_tries_the_next_compiler_if_one_does_not_run(
    body: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilers, "VERSION_SECONDS", 0.5)
    monkeypatch.setattr(compilers, "find_spec", lambda _name: None)
    folder = tmp_path / "bin"
    fake(folder, body, head="#!/bin/sh\n")
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(compilers, "USUAL_COMPILERS", ("cc",))
    assert why in str(c_compiler())

    good = fake(folder, ":", "clang")
    monkeypatch.setattr(compilers, "USUAL_COMPILERS", ("cc", "clang"))
    chosen = c_compiler()
    assert isinstance(chosen, Compiler)
    assert chosen.command == (str(good),)


def test_accepts_any_bytes_as_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garbage = fake(tmp_path, "printf '\\377\\000\\n'", head="#!/bin/sh\n")
    use(garbage, monkeypatch)

    assert isinstance(c_compiler(), Compiler)


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("kind", KINDS)
def test_a_misbehaving_compiler_is_reported(
    kind: str, places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, why = KINDS[kind]
    use(fake(tmp_path / "bin", body), monkeypatch)

    told = refusal(load_library(text(1), seconds=1))

    assert why in told
    assert [sign for sign in told if category(sign) in UNSHOWN] == []
    assert len(told) < 400
    assert places.cached_files() == places.temporary_files() == []
    assert running(NAP) == []


UNSHOWN = {"Cc", "Co", "Cn", "Cs", "Zl", "Zp"}
"""Unicode categories that never occur in a message."""


def running(words: str) -> list[str]:
    """Return the running commands that contain these words."""
    listed = subprocess.run(
        ["/bin/ps", "axo", "stat,args"], capture_output=True, check=True
    )
    lines = listed.stdout.decode(errors="replace").splitlines()
    return [line for line in lines if words in line and not line.startswith("Z")]


def test_a_failed_compilation_is_tried_again(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = tmp_path / "again"
    cc, _ = counting(tmp_path / "bin", f"[ -e {again} ] || exit 1")
    use(cc, monkeypatch)
    assert "reported an error" in refusal(load_library(text(3)))

    again.touch()

    assert answer(load_library(text(3))) == 3
    assert len(places.cached_files()) == 1


PROGRAM = """
import resource, sys
from interpreter.native.build.loading import load_library
from tests.native.texts import text
if len(sys.argv) > 1:
    number = int(sys.argv[1])
    sys.dont_write_bytecode = True  # compiled modules would be cut at that size
    resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))
print("begins", flush=True)
library = load_library(text(5))
print(library.answer() if hasattr(library, "answer") else library)
"""


def begun(*words: str) -> subprocess.Popen[str]:
    """Start a process that loads the library of a text and prints its answer."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    return process


def ended(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    with process.stdout as stream:
        said = stream.read()
    assert process.wait(120) == 0
    return said.strip()


@pytest.mark.parametrize("bytes_", ["10", "2000"])
def test_reports_a_limit_on_file_sizes(bytes_: str, places: Places) -> None:
    said = ended(begun(bytes_))

    assert said.startswith(
        ("a native engine cannot be written", "/usr/bin/cc reported an error", "the ")
    )
    assert places.cached_files() == places.temporary_files() == []


def test_two_processes_compile_a_library_once(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate"
    cc, log = counting(tmp_path / "bin", f"until [ -e {gate} ]; do sleep 0.05; done")
    use(cc, monkeypatch)

    processes = [begun() for _ in range(3)]
    wait_until(log.exists)
    time.sleep(1)  # by now each process would have started a compiler
    gate.touch()

    assert [ended(process) for process in processes] == ["5", "5", "5"]
    assert len(log.read_text().splitlines()) == 1
    assert [path.suffix for path in places.cached_files()] == [".so"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_build_that_is_killed_leaves_nothing(
    how: signal.Signals,
    places: Places,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begins = tmp_path / "begins"
    cc, log = counting(tmp_path / "bin", f"touch {begins}; {NAP} & {NAP}; wait")
    use(cc, monkeypatch)
    process = begun()
    wait_until(begins.exists)

    process.send_signal(how)
    process.communicate()

    wait_until(lambda: places.temporary_files() == [])
    wait_until(lambda: running(NAP) == [])
    assert [path for path in places.cached_files() if path.suffix == ".so"] == []
    cc.write_text(cc.read_text().replace(NAP, "sleep 0"))
    assert answer(load_library(text(5))) == 5
    assert len(log.read_text().splitlines()) == 2


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
