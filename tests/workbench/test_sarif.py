"""What is found in rule files as SARIF: valid, with places that mean the same text."""

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
    """The exit code, and the log, which is valid."""
    code = main(["check", *arguments, "--sarif"])
    log = json.loads(capsys.readouterr().out)
    Draft4Validator(SCHEMA).validate(log)
    return code, log


@pytest.fixture
def bad(
    tmp_path: Path, tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """The name of a file with mistakes in the working folder, and its text."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.rules").write_text(tiny_path.read_text(encoding="utf-8"))
    Path("groß und klein.rules").write_text(BAD)
    return "groß und klein.rules", BAD


def test_what_is_found_is_what_the_json_document_says(
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


def test_another_place_has_its_words(bad: tuple[str, str], capsys: Output) -> None:
    _, log = checked([bad[0]], capsys)

    twice = next(x for x in log["runs"][0]["results"] if x["ruleId"] == "RB102")
    other = twice["relatedLocations"][0]
    assert other["physicalLocation"]["region"]["startLine"] == 4
    assert other["message"]["text"]


def test_without_a_mistake_the_log_is_empty(tiny_path: Path, capsys: Output) -> None:
    code, log = checked([str(tiny_path)], capsys)

    assert code == 0
    assert log["runs"][0]["results"] == []


def test_a_file_elsewhere_has_a_whole_address(tmp_path: Path) -> None:
    place = Span(str(tmp_path / "ä.rules"), 1, 1, 1, 2)

    log = sarif_log([Diagnostic("RB101", "what?", place)])

    Draft4Validator(SCHEMA).validate(log)
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == (tmp_path / "ä.rules").as_uri()


def test_one_document_is_asked_for_and_not_two(capsys: Output) -> None:
    assert main(["check", "classic", "--json", "--sarif"]) == 2

    assert "not allowed with" in capsys.readouterr().err
