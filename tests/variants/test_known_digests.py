"""The digests of shipped rules in each version stay listed. `python
tests/variants/test_known_digests.py` adds the digests of the version in
`pyproject.toml` before its release; with `--check` it only reports whether they are
listed. The digests of a released version never change.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import variants
from workbench import load
from workbench.files.library.digests import shipped_rules

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
CLASSIC = "sha256:a8128bbd0256d8dbc66ddfd9f3d20e37bbd680df01b992c847c6aaa05607cff5"
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def version() -> str:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def listed() -> dict[str, Any]:
    digests: dict[str, Any] = json.loads(variants.DIGESTS.read_text(encoding="utf-8"))
    return digests


def shipped_now() -> dict[str, Any]:
    """Return this version's digests: games with their parts, house rules without."""
    rows = {}
    for name in (*variants.names(), *variants.house_rules()):
        book = load(name)
        parts = {"parts": book.parts} if name in variants.names() else {}
        rows[name] = {"digest": book.digest, **parts}
    return rows


def completed(versions: dict[str, Any]) -> dict[str, Any]:
    """Return all versions, including this one."""
    return versions if version() in versions else {**versions, version(): shipped_now()}


def test_this_version_is_listed() -> None:
    assert completed(listed()) == listed(), f"run {Path(__file__).name}"


def test_listed_versions_are_found_by_each_digest() -> None:
    for shipped in listed().values():
        for name, row in shipped.items():
            for form in {"first", "digest"} & row.keys():
                assert DIGEST.fullmatch(row[form])
                rules = shipped_rules(row[form])
                assert rules is not None
                assert (rules.name, rules.digest) == (name, row["digest"])


def test_games_are_listed_with_their_parts() -> None:
    parts = {
        name for name, row in listed()["0.1.0"].items() if len(row.get("parts", ())) > 9
    }

    assert parts == {"base", "cardgame", "classic", "germany"}


def test_unchanged_rules_share_all_parts() -> None:
    for name in variants.names():
        book = load(name)
        rules = shipped_rules(book.digest)
        if rules is not None:
            assert rules.changed_parts(book) == ()


def test_names_the_changed_parts() -> None:
    first = shipped_rules(
        "sha256:a8128bbd0256d8dbc66ddfd9f3d20e37bbd680df01b992c847c6aaa05607cff5"
    )
    assert first is not None
    assert (first.name, first.version) == ("classic", "0.1.0")
    changed = first.changed_parts(load("cardgame"))

    assert {"seats", "points"} < set(changed)
    assert any(name.startswith("actions.") for name in changed)


def test_unknown_digests_are_not_found() -> None:
    assert shipped_rules("sha256:" + 64 * "0") is None


if __name__ == "__main__":
    there = listed()
    whole = completed(there)
    if "--check" in sys.argv:
        sys.exit(whole != there)
    rows = json.dumps(whole, indent=1, ensure_ascii=True)
    variants.DIGESTS.write_text(rows + "\n", encoding="utf-8")
