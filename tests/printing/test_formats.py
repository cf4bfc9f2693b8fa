"""HTML, Markdown, PDF and JSON: complete, safe, and with the same content."""

import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from rulebook import Rulebook
from tests.printing.pages import page, printed
from tests.support.commands import Output, document_of, output_of
from workbench.cli import main
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.presentation.printing.formats import pdf as pdf_format
from workbench.presentation.printing.formats.html import html
from workbench.presentation.printing.formats.markdown import markdown, single_line
from workbench.presentation.printing.formats.pdf import pdf
from workbench.presentation.printing.pages import anchor
from workbench.presentation.printing.sentences.text_runs import plain_text

HOSTILE = str(Path(__file__).parent / "hostile.rules")
HEAD_OVER = 'rules language 1\nrulebook dear "Dear"\n  over first\n'
TITLE = "<script>alert(1)</script> | *x* [a](http://b) `c` & 'q' # d"
ALONE = {"meta", "!doctype"}
EXPECTED = {
    *("html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3"),
    *("p", "nav", "ol", "ul", "li", "a", "main", "section", "span", "small", "i", "b"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}


@pytest.fixture(scope="module")
def hostile() -> Rulebook:
    return load(HOSTILE)


class Tags(HTMLParser):
    """Contents of a page: its tags, ids, links and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.ids, self.links = set[str](), list[str](), list[str]()
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        assert not {name for name in given if name.startswith("on")}
        self.ids += filter(None, [given.get("id")])
        self.links += filter(None, [given.get("href")])
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_hostile_file_is_harmless_in_html(hostile: Rulebook) -> None:
    tags = Tags(html(printed(hostile), "Contents"))

    assert tags.open == []
    assert tags.tags <= EXPECTED
    assert all(link.startswith("#") for link in tags.links)
    words = "".join(tags.words)
    assert TITLE in words
    assert "</li><script>x</script> * _y_ ${z} {who}" in words


def test_every_link_of_a_page_leads_somewhere() -> None:
    tags = Tags(html(page("germany"), "Contents"))

    assert len(tags.ids) == len(set(tags.ids))
    assert {link.removeprefix("#") for link in tags.links} <= set(tags.ids)
    assert anchor("action.build_road.vacant") in tags.ids


def test_html_is_self_contained_and_declares_its_language() -> None:
    text = html(page("germany", "de"), "Inhalt")

    assert '<html lang="de">' in text
    assert "http" not in text
    assert "<script" not in text
    assert "@page" in text


def test_hostile_file_is_harmless_in_markdown(hostile: Rulebook) -> None:
    text = markdown(printed(hostile))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]

    kinds = {token.type for token in (*tokens, *inline)}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence"}
    assert not kinds & {"code_inline", "code_block", "hr", "blockquote_open"}
    said = "".join(child.content for child in inline)
    assert TITLE in said
    assert "<b>bold</b> | pipe | __under__ ![i](j)" in said


def test_tables_of_markdown_keep_their_columns(hostile: Rulebook) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown(printed(hostile)))
    kinds = " ".join(token.type for token in tokens)
    rows = {
        row.count("td_open") + row.count("th_open") for row in kinds.split("tr_open")
    }

    assert rows == {0, 3, 4}


@pytest.mark.parametrize(
    "text", ["1. x", "12) x", "# x", "- x", "+ x", "=", "> x", "a*b*", "a|b", ".", "4."]
)
def test_special_characters_are_escaped(text: str) -> None:
    (token,) = [
        token
        for token in MarkdownIt("commonmark").parse(single_line(plain_text(text)))
        if token.type == "inline"
    ]

    assert "".join(child.content for child in token.children or ()) == text


def read_pdf(data: bytes) -> str:
    from io import BytesIO

    pypdf = pytest.importorskip("pypdf")
    pages = pypdf.PdfReader(BytesIO(data)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_hostile_file_is_harmless_in_pdf(hostile: Rulebook) -> None:
    pytest.importorskip("reportlab")
    said = read_pdf(pdf(printed(hostile), "Page {page}"))

    assert "<script>alert(1)</script> | *x* [a](http://b)" in said
    assert "</li><script>x</script>" in said
    assert "Page 1" in said


def test_pdf_contains_the_text_of_the_page() -> None:
    pytest.importorskip("reportlab")
    data = pdf(page("examples/tiny/dare.rules"), "Page {page}")
    said = read_pdf(data)

    assert data.startswith(b"%PDF")
    assert "For each omen in the turned: If the omen's worth is at most the die" in said
    assert data == pdf(page("examples/tiny/dare.rules"), "Page {page}")


def test_unsupported_characters_are_marked() -> None:
    pytest.importorskip("reportlab")
    setter = pdf_format.Typesetter(page("examples/tiny/dare.rules"), "{page}")

    assert (
        setter.with_fonts("Straße – „x“ <b>", is_markup=True)
        == "Straße – „x“ &lt;b&gt;"
    )
    assert setter.with_fonts("\U0001f3b2") == "?"


def test_missing_extra_is_reported_with_its_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.platypus", None)

    with pytest.raises(RequestError, match=r"rulebook-lang\[print\]"):
        pdf(page("examples/tiny/dare.rules"), "{page}")


# -------------------------------------------------------------------- command

DARE = str(Path(__file__).parents[2] / "examples" / "tiny" / "dare.rules")
FIRST = str(Path(__file__).parents[2] / "examples" / "first" / "first.rules")


def test_markdown_goes_to_standard_output(capsys: Output) -> None:
    said = output_of(capsys, "print", DARE)
    assert said.startswith("# Dare\n")
    assert "### 4.1 Turn the top card over" in said


@pytest.mark.parametrize("ending", ["html", "md"])
def test_file_suffix_selects_the_format(
    ending: str, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / f"rules.{ending}"

    assert main(["print", FIRST, "--out", str(path)]) == 0
    assert main(["print", FIRST, "--out", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: first")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>" if ending == "html" else "# ")
    assert ("<svg" in text) is (ending == "html")


def test_a_pdf_is_written(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    path = tmp_path / "rules.pdf"

    assert main(["print", FIRST, "--language", "de", "--out", str(path)]) == 0
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", ["rules.doc", "rules"])
def test_rejects_another_suffix(name: str, capsys: Output) -> None:
    assert main(["print", DARE, "--out", name]) == 2
    assert "rules can be printed as .html, .md, .pdf" in capsys.readouterr().err


def test_does_not_overwrite_an_unrelated_file(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "mine.html"
    path.write_text("<p>mine</p>")

    assert main(["print", DARE, "--out", str(path)]) == 2
    assert "is not a printed rulebook" in capsys.readouterr().err
    assert path.read_text() == "<p>mine</p>"


@pytest.fixture(params=["extends first", HEAD_OVER])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "first.rules").write_text(Path(FIRST).read_text(encoding="utf-8"))
    path = tmp_path / "dear.rules"
    path.write_text(f"{request.param}\nreplace cost hut: 3 reed\n")
    return str(path)


def test_a_house_rule_prints_what_it_changes(house: str, capsys: Output) -> None:
    said = output_of(capsys, "print", house)
    assert "**Now:** Cost: 3 reed" in said
    assert "Build hut" not in said


def test_house_rule_can_be_printed_in_full(house: str, capsys: Output) -> None:
    assert "Build hut" in output_of(capsys, "print", house, "--whole")


def test_prints_differences_from_another_game(house: str, capsys: Output) -> None:
    assert main(["print", FIRST, "--against", house]) == 0
    assert "**Now:** Cost: 2 reed" in capsys.readouterr().out


def test_json_document_of_a_page(house: str, capsys: Output) -> None:
    told = document_of(capsys, "print", house)
    (change,) = told["page"]["parts"][0]["parts"]
    assert told["against"] == "first"
    assert change["place"] == "cost.hut"
    assert [line["text"] for line in change["blocks"]] == [
        "Before: Cost: 2 reed",
        "Now: Cost: 3 reed",
    ]


def test_a_terminal_shows_no_escapes(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shown = output_of(capsys, "print", "base")
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    piped = output_of(capsys, "print", "base")

    assert "\\" not in shown
    assert "\\[" in piped
    assert "3\\-4" not in piped
