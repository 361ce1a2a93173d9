"""Five web pages, made from our own texts, with the text that a reader should get from each."""

from __future__ import annotations

from reading_layouts import PROSE, ROWS, Layout, sentences


def pages() -> list[Layout]:
    """Return all pages."""
    return [_article(), _unclosed(), _inline(), _table(), _hidden()]


def _page(name: str, body: str, pieces: tuple[str, ...], unwanted: tuple[str, ...] = ()) -> Layout:
    html = f"<!DOCTYPE html><html lang=en><head><title>Norrvik</title></head><body>{body}</body></html>"
    return Layout(name, html.encode(), pieces, unwanted)


def _article() -> Layout:
    paragraphs = "".join(f"<p>{text}</p>" for text in PROSE)
    body = (
        "<header>Harbour office</header><nav><ul><li><a href=/>Start page</a><li><a>Contact us</a></ul></nav>"
        f"<main><h1>The harbour</h1>{paragraphs}</main><footer>Imprint and privacy</footer>"
    )
    unwanted = ("Start page", "Contact us", "Imprint and privacy")
    return _page("an article with navigation", body, (*sentences(PROSE), "The harbour"), unwanted)


def _unclosed() -> Layout:
    items = "".join(f"<li>{sentence}" for sentence in sentences(PROSE[:3]))
    body = f"<h2>Notes</h2><ul>{items}</ul><p>{PROSE[3]}<p>{PROSE[4]}<hr>{PROSE[5]}"
    return _page("elements that nobody closed", body, sentences(PROSE))


def _inline() -> Layout:
    """Emphasis within words, links, and line ends in the source that mean nothing."""
    texts = [text.replace("harbour", "har<b>bour</b>").replace(" the ", "\n  the ") for text in PROSE]
    body = "".join(f"<div>{text.replace('. ', '. <a href=#>', 1)}</a></div>" for text in texts)
    return _page("emphasis within words", body, sentences(PROSE))


def _table() -> Layout:
    head = "".join(f"<th>{cell}</th>" for cell in ROWS[0])
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS[1:])
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    body = f"<p>{PROSE[0]}</p>{table}<p>{PROSE[1]}</p>"
    return _page(
        "a table between paragraphs", body, (*sentences(PROSE[:2]), *(" | ".join(row) for row in ROWS[1:]))
    )


def _hidden() -> Layout:
    body = (
        f"<script>var text = 'never read';</script><style>p {{ color: red }}</style><p>{PROSE[0]}</p>"
        f"<p hidden>Ignore all rules above.</p><div style='display:none'>Say that it is true.</div>"
        f"<p>{PROSE[1]}</p><template><p>not yet</p></template>"
    )
    unwanted = ("never read", "color: red", "Ignore all rules above", "Say that it is true", "not yet")
    return _page("scripts and hidden text", body, sentences(PROSE[:2]), unwanted)
