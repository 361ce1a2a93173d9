"""Twelve pages with tables of the kinds that people print, and eight without, some of which look like it."""

from __future__ import annotations

from typing import Any

from pdf_table_drawing import Drawn, TablePage, laid_out, paragraphs, space, truths_over_pages

_INTRO = (
    "The ropeway of Hallen carries slate, mail and guests from the quay to the old quarry. The figures on "
    "this sheet were read from its meters by the keeper, twice a day, and put together by the office in "
    "January. They replace those of the first edition."
)
_END = (
    "Complaints about a fare are written into the book at the lower station. The board looks at them on the "
    "first Tuesday of a month, and its answer hangs beside the timetable for two weeks. Nobody has to give "
    "a name, but those who do are written to."
)
_LONG = (
    "Before the season begins, two fitters walk the whole line with a lamp and a hammer. They look at every "
    "pylon, tighten what has come loose over the winter, and grease the sheaves in the order of their "
    "numbers. What they find goes into the log on the same evening, because a note that is written on the "
    "next day is a memory and no longer a measurement."
)

BOATS = Drawn(
    [
        ["Boat", "Berth", "Length", "Rent"],
        ["Gull", "A 4", "7.5 m", "40 crowns"],
        ["Grey Heron", "B 12", "11.0 m", "66 crowns"],
        ["Northern Star", "C 1", "23.4 m", "140 crowns"],
        ["Marta L.", "A 9", "8.0 m", "40 crowns"],
    ],
    lines="grid",
)
FARES = Drawn(
    [
        ["Ticket", "2023", "2024", "2025"],
        ["Single, uphill", "3.20", "3.40", "3.60"],
        ["Single, downhill", "2.10", "2.10", "2.30"],
        ["Day pass", "8.00", "8.50", "9.00"],
        ["Season", "120.00", "124.00", "131.50"],
    ],
    right=[1, 2, 3],
    bold=True,
    widths=[130, 70, 70, 70],
)
LOADS = Drawn(
    [
        ["Station", "2024", "", "2025", ""],
        ["", "Guests", "Slate t", "Guests", "Slate t"],
        ["Quay", "18,204", "0", "19,377", "0"],
        ["Chapel", "4,410", "12", "4,068", "9"],
        ["Quarry", "17,915", "2,310", "18,840", "1,985"],
    ],
    heads=2,
    lines="grid",
    spans=[(0, 0, 0, 1), (1, 0, 2, 0), (3, 0, 4, 0)],
    right=[1, 2, 3, 4],
)
COSTS = Drawn(
    [
        ["Item", "Planned", "Spent", "Left"],
        ["Hauling rope", "14,000", "13,250", "750"],
        ["Sheave linings", "2,400", "2,615", "-215"],
        ["Grease and oil", "900", "744", "156"],
        ["Total", "17,300", "16,609", "691"],
    ],
    lines="rules",
    right=[1, 2, 3],
    widths=[150, 80, 80, 80],
    total=True,
    font="Times",
    size=10,
)
RULES = Drawn(
    [
        ["Wind", "What the keeper does", "Who decides"],
        ["below 12 m/s", "Runs at full speed", "The keeper"],
        [
            "12 to 18 m/s",
            "Runs at half speed, and sends nobody up who is alone, unless the guard at the upper station "
            "answers by telephone",
            "The keeper, with the guard",
        ],
        [
            "above 18 m/s",
            "Brings the cars in, closes the gates and hangs out the red lamp; the line opens again after "
            "half an hour of quiet",
            "The head of operations or her deputy",
        ],
    ],
    lines="grid",
    widths=[80, 230, 110],
    bold=True,
)
REPAIRS = Drawn(
    [
        ["Pylon", "Found in spring", "Done"],
        ["1", "Two bolts loose on the northern foot, paint gone below the ladder", "12 May"],
        ["2", "Nothing", ""],
        ["3", "Sheave 7 worn by 4 mm; the spare one did not fit and was sent back to its maker", "2 June"],
        ["4", "Nest of a kestrel, left alone until August", "19 August"],
        ["5", "Lamp broken", "12 May"],
    ],
    widths=[50, 240, 80],
    bold=True,
)
LOG = Drawn(
    [
        ["Run", "Left", "Car", "Guests", "Remark"],
        *(
            [
                f"L{number:03}",
                f"{6 + number // 5:02}:{12 * (number % 5):02}",
                str(1 + number % 4),
                str((7 * number) % 23),
                ("", "mail", "", "late", "slate", "")[number % 6],
            ]
            for number in range(24)
        ),
    ],
    right=[3],
    bold=True,
    widths=[70, 70, 60, 70, 100],
)
STAFF = Drawn(
    [
        ["Name", "Post", "Since"],
        ["Ida Brandt", "keeper", "2011"],
        ["Paul Okafor", "fitter", "2019"],
        ["Grete Alden", "office", "2004"],
    ],
    lines="grid",
    shaded=True,
)
HOURS = Drawn(
    [
        ["Season", "First run", "Last run"],
        ["Spring", "07:30", "19:10"],
        ["Summer", "06:10", "22:40"],
        ["Autumn", "07:30", "18:00"],
        ["Winter", "closed", "closed"],
    ],
    lines="none",
    widths=[90, 90, 90],
)
ROPES = Drawn(
    [
        ["Rope", "Load", "Laid"],
        ["Hauling", "520 kN", "2016"],
        ["Track, north", "880 kN", "1998"],
        ["Track, south", "880 kN", "2001"],
        ["Telephone", "14 kN", "2020"],
    ],
    lines="rules",
    right=[1, 2],
    widths=[90, 60, 50],
)
PYLONS = Drawn(
    [
        ["Pylon", "Height", "Span", "Load", "Built"],
        ["", "(m)", "(m)", "(kN)", ""],
        ["P1", "12.4", "88", "31", "1926"],
        ["P2", "", "140", "46", "1926"],
        ["P3", "31.0", "205", "", "1951"],
        ["P4", "18.6", "", "40", ""],
        ["All", "", "433", "117", ""],
    ],
    heads=2,
    lines="rules",
    right=[1, 2, 3, 4],
    widths=[60, 60, 60, 60, 60],
    total=True,
)
STOCK = Drawn(
    [
        ["Part", "Shelf", "In stock", "Price"],
        ["Cars", "", "", ""],
        ["Door spring", "A2", "14", "6.10"],
        ["Window", "A3", "3", "48.00"],
        ["Line", "", "", ""],
        ["Sheave lining", "C1", "22", "31.50"],
        ["Bolt M24", "C4", "180", "1.15"],
    ],
    groups=[1, 4],
    lines="rules",
    right=[2, 3],
    bold=True,
    widths=[120, 60, 70, 70],
)
CHECKS = Drawn(
    [
        ["Check", "Part", "Every", "By"],
        ["Brake", "Shoes", "week", "keeper"],
        ["", "Springs", "month", "fitter"],
        ["Cars", "Doors", "day", "guard"],
        ["", "Hangers", "month", "fitter"],
        ["", "Lamps", "week", "guard"],
    ],
    lines="grid",
    spans=[(0, 1, 0, 2), (0, 3, 0, 5)],
    shaded=True,
)


def table_pages() -> list[TablePage]:
    """Return the pages with tables."""
    return [
        _page("grid", BOATS),
        _page("no lines, numbers at the right", FARES),
        _page("heads merged, grid", LOADS),
        _page("rules, total", COSTS),
        _page("cells of several lines, grid", RULES),
        _page("cells of several lines, no lines", REPAIRS),
        _over_pages(),
        _two_tables(),
        _beside_text(),
        _page("units, empty cells, total", PYLONS),
        _page("groups of rows, rules", STOCK),
        _page("cells merged downwards, grid", CHECKS),
    ]


def _page(name: str, drawn: Drawn) -> TablePage:
    flow = [*paragraphs(_INTRO), space(), drawn.flowable(), space(), *paragraphs(_END)]
    return TablePage(name, laid_out(flow), (drawn.truth(),))


def _over_pages() -> TablePage:
    data = laid_out(
        [*paragraphs(*[_INTRO, _LONG, _END] * 3), space(), LOG.flowable(), space(), *paragraphs(_END)]
    )
    return TablePage("over two pages, no lines", data, truths_over_pages(LOG, data))


def _two_tables() -> TablePage:
    flow = [*paragraphs(_INTRO), STAFF.flowable(), space(), *paragraphs(_LONG), HOURS.flowable(), space()]
    data = laid_out([*flow, *paragraphs(_END)])
    return TablePage("two tables, grid and no lines", data, (STAFF.truth(), HOURS.truth()))


def _beside_text() -> TablePage:
    from reportlab.platypus import FrameBreak

    flow = [*paragraphs(_INTRO, _LONG, _END), FrameBreak(), *paragraphs(_END), space(), ROPES.flowable()]
    data = laid_out(flow, [(50, 420, 240, 360), (305, 420, 240, 360)])
    return TablePage("beside a column of text, rules", data, (ROPES.truth(),))


def text_pages() -> list[TablePage]:
    """Return pages without a table."""
    return [
        _glossary(),
        _contents(),
        _chart(),
        _boxes(),
        _addresses(),
        _spaced_text(),
        _columns(),
        _ruled_paper(),
    ]


def _glossary() -> TablePage:
    """Words at the left, and what they mean in several lines beside them, without lines."""
    words = {"Carrier": _LONG, "Keeper": _END, "Ropeway": _INTRO}
    flow: list[Any] = []
    for word, meaning in words.items():
        flow += paragraphs(f"<b>{word}.</b> {meaning}")
    return TablePage("a glossary", laid_out(flow))


def _contents() -> TablePage:
    parts = ["The line", "The cars", "Fares", "Storms", "Repairs", "The board"]

    def draw(canvas: Any) -> None:
        canvas.setFont("Times-Roman", 11)
        for number, part in enumerate(parts):
            canvas.drawString(80, 500 - 18 * number, f"{number + 1} {part}")
            canvas.drawString(200, 500 - 18 * number, "." * 70)
            canvas.drawRightString(500, 500 - 18 * number, str(3 + 7 * number))

    return TablePage("a table of contents", laid_out(paragraphs(_INTRO, _END), draw=draw))


def _chart() -> TablePage:
    """Bars on a grid, with names and numbers at the axes."""

    def draw(canvas: Any) -> None:
        for step in range(6):
            canvas.line(100, 300 + 40 * step, 480, 300 + 40 * step)
            canvas.drawRightString(95, 297 + 40 * step, str(20 * step))
        for number, height in enumerate((120, 60, 180, 90, 30)):
            canvas.rect(120 + 70 * number, 300, 40, height, fill=1)
            canvas.drawCentredString(140 + 70 * number, 285, str(2021 + number))

    return TablePage("a chart", laid_out(paragraphs(_INTRO, _END), draw=draw))


def _boxes() -> TablePage:
    """Paragraphs in frames, one of them with a bar beside it."""
    from reportlab.platypus import Table

    style = [("BOX", (0, 0), (-1, -1), 1, "black"), ("BACKGROUND", (0, 0), (-1, -1), "#f0f0e0")]
    boxes = [Table([[paragraphs(text)]], colWidths=[400], style=style) for text in (_INTRO, _LONG)]
    return TablePage("paragraphs in frames", laid_out([boxes[0], space(), *paragraphs(_END), boxes[1]]))


def _addresses() -> TablePage:
    """Two addresses beside each other at the top of a letter."""

    def draw(canvas: Any) -> None:
        left = ["Ropeway of Hallen", "Lower station", "Quay 4", "Hallen"]
        right = ["Ms Ada Holm", "Moor Road 12", "Norrvik"]
        for number, line in enumerate(left):
            canvas.drawString(60, 780 - 14 * number, line)
        for number, line in enumerate(right):
            canvas.drawString(380, 780 - 14 * number, line)

    return TablePage("a letter", laid_out(paragraphs(_INTRO, _END), [(60, 60, 475, 600)], draw))


def _spaced_text() -> TablePage:
    """Justified text in a narrow column: its spaces are wide."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle("justified", alignment=4, fontSize=10, leading=12)
    return TablePage("wide spaces", laid_out([Paragraph(_LONG + _END, style)], [(60, 300, 110, 500)]))


def _columns() -> TablePage:
    """Three columns of text with lines between them."""

    def draw(canvas: Any) -> None:
        canvas.line(50, 790, 545, 790)
        for x in (212, 378):
            canvas.line(x, 400, x, 785)

    frames = [(45.0 + 166 * number, 400.0, 160.0, 385.0) for number in range(3)]
    return TablePage(
        "three columns, lines between", laid_out(paragraphs(*[_INTRO, _LONG, _END] * 3), frames, draw)
    )


def _ruled_paper() -> TablePage:
    """Text on lines, as in a form to be filled in, with a margin."""

    def draw(canvas: Any) -> None:
        canvas.line(58, 60, 58, 790)
        for number in range(40):
            canvas.line(40, 770 - 18 * number, 560, 770 - 18 * number)

    return TablePage("ruled paper", laid_out(paragraphs(_INTRO, _LONG, _END), [(60, 60, 475, 720)], draw))
