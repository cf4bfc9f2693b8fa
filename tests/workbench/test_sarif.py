"""Diagnostics as SARIF: valid logs, with locations of the same text."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft4Validator

from rulebook import Diagnostic, Span
from workbench.cli import main
from workbench.cli.frame.sarif import sarif_log

Output = pytest.CaptureFixture[str]
SCHEMA = json.loads((Path(__file__).parent / "vendor" / "sarif.json").read_text())
BAD = """extends tiny

replace cost hutt: 3 wood
kind weather: sun, rain
kind weather: sun, snow
"""


def checked(arguments: list[str], capsys: Output) -> tuple[int, dict[str, Any]]:
    """Return the exit code and the log, which must be valid."""
    code = main(["check", *arguments, "--sarif"])
    log = json.loads(capsys.readouterr().out)
    Draft4Validator(SCHEMA).validate(log)
    return code, log


@pytest.fixture
def bad(
    tmp_path: Path, tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """Return the name and the text of a file with errors in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.rules").write_text(tiny_path.read_text(encoding="utf-8"))
    Path("groß und klein.rules").write_text(BAD)
    return "groß und klein.rules", BAD


def test_sarif_agrees_with_the_json_document(
    bad: tuple[str, str], capsys: Output
) -> None:
    code, log = checked([bad[0]], capsys)

    assert main(["check", bad[0], "--json"]) == code == 1
    document = json.loads(capsys.readouterr().out)
    results = log["runs"][0]["results"]
    assert len(results) == len(document) >= 2
    for result, said in zip(results, document, strict=True):
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        assert result["ruleId"] == said["code"]
        assert result["level"] == said["severity"]
        assert result["message"]["text"].startswith(said["message"])
        assert result["message"]["text"].endswith(said["help"] or said["message"])
        assert unquote(place["artifactLocation"]["uri"]) == said["file"]
        assert region == {
            "startLine": said["line"],
            "startColumn": said["column"],
            "endLine": said["end_line"],
            "endColumn": said["end_column"],
        }


def test_each_code_is_explained_once(bad: tuple[str, str], capsys: Output) -> None:
    _, log = checked([bad[0], bad[0]], capsys)

    run = log["runs"][0]
    codes = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert sorted(set(codes)) == codes
    for result in run["results"]:
        assert codes[result["ruleIndex"]] == result["ruleId"]
    assert {result["ruleId"] for result in run["results"]} == set(codes)
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}")


def test_related_place_has_a_message(bad: tuple[str, str], capsys: Output) -> None:
    _, log = checked([bad[0]], capsys)

    twice = next(x for x in log["runs"][0]["results"] if x["ruleId"] == "RB102")
    other = twice["relatedLocations"][0]
    assert other["physicalLocation"]["region"]["startLine"] == 4
    assert other["message"]["text"]


def test_log_of_a_valid_file_is_empty(tiny_path: Path, capsys: Output) -> None:
    code, log = checked([str(tiny_path)], capsys)

    assert code == 0
    assert log["runs"][0]["results"] == []


def test_file_outside_the_folder_has_an_absolute_uri(tmp_path: Path) -> None:
    place = Span(str(tmp_path / "ä.rules"), 1, 1, 1, 2)

    log = sarif_log([Diagnostic("RB101", "what?", place)])

    Draft4Validator(SCHEMA).validate(log)
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == (tmp_path / "ä.rules").as_uri()


def test_json_and_sarif_exclude_each_other(capsys: Output) -> None:
    assert main(["check", "classic", "--json", "--sarif"]) == 2

    assert "not allowed with" in capsys.readouterr().err
