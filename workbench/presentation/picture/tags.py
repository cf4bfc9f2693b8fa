"""SVG tags as text: attributes in order, numbers with two decimals."""

from html import escape

from rulebook import printable_line

Mark = str


def format_number(value: float) -> str:
    """Return a number with at most two decimals, without trailing zeros."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def tag(name: str, content: str = "", /, **attributes: str | float) -> Mark:
    """Return an SVG tag; `_` in an attribute name becomes `-`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute_text(value)}"'
        for key, value in attributes.items()
    )
    return (
        f"<{name}{written}>{content}</{name}>\n" if content else f"<{name}{written}/>\n"
    )


def _attribute_text(value: str | float) -> str:
    return (
        escape(printable_line(value))
        if isinstance(value, str)
        else format_number(value)
    )


def escape_text(text: str) -> str:
    """Return text escaped for use between tags."""
    return escape(printable_line(text), quote=False)


def titled_group(content: str, title: str, /, **attributes: str | float) -> Mark:
    """Return a group of marks with a title, for tooltips and screen readers."""
    inside = f"<title>{escape_text(title)}</title>\n{content}"
    return tag("g", inside, **attributes)


def text_tag(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    fill: str = "#222222",
    weight: str = "",
    anchor: str = "middle",
    centred: bool = False,
    halo: bool = False,
) -> Mark:
    """Draw a line of text; `centred` centres it on y, `halo` outlines it in white."""
    if not text:
        return ""
    base = y + size * 0.36 if centred else y
    style: dict[str, str | float] = {"font_size": size, "text_anchor": anchor}
    if weight:
        style["font_weight"] = weight
    inside = escape_text(text)
    below = ""
    if halo:
        below = tag(
            "text",
            inside,
            x=x,
            y=base,
            **style,
            fill="#ffffff",
            stroke="#ffffff",
            stroke_width=size * 0.34,
            stroke_linejoin="round",
            opacity=0.85,
        )
    return below + tag("text", inside, x=x, y=base, **style, fill=fill)


def wrap_words(text: str, width: float, size: float) -> list[str]:
    """Wrap text to a width; the width of a letter is estimated as 0.56 of its size."""
    most = max(int(width / (size * 0.56)), 4)
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= most or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines
