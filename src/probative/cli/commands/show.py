"""`probative show`: a citation in its surroundings."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli.framework.options import Json
from probative.cli.views.terminal import print_json

EXAMPLES = (
    'probative show "minutes/may.pdf#page=3&char=120,188" --corpus documents',
    'probative show "report.md#char=0,80" --context 1000 --json',
)


def show(
    citation: Annotated[
        str, typer.Argument(metavar="CITATION", help="Such as minutes/may.pdf#page=3&char=120,188.")
    ],
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER-or-INDEX",
            help="The folder that the source is in, or its index (default: the current folder); "
            "a file URL works too.",
        ),
    ] = None,
    context: Annotated[int, typer.Option(min=0, help="Characters to show on each side.")] = 300,
    json: Json = False,
) -> None:
    """Show the text that a citation leads to, with what stands before and after it."""
    from probative.corpus.corpus import Corpus
    from probative.corpus.documents.document import Citation, surroundings
    from probative.corpus.documents.files import is_index, local_path
    from probative.corpus.reading.limited import document_in
    from probative.views.terminal import show_result

    parsed = Citation.parse(citation)
    folder = local_path(corpus or ".")
    if is_index(folder):
        with Corpus(folder) as opened:
            document = opened.document(parsed.source)
    else:
        hint = "" if corpus else "give the folder with --corpus"
        document = document_in(folder.parent if folder.is_file() else folder, parsed.source, hint=hint)
    shown = surroundings(document, parsed, context)
    print_json(shown) if json else show_result(shown)
