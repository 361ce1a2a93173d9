"""Tables that the reader was not made with: written before it, and read once when it was done."""

from __future__ import annotations

from pdf_table_drawing import Drawn, TablePage, laid_out, paragraphs, space, truths_over_pages

_NOTE = (
    "The orchard society of Vellmark keeps its books by hand. What follows was copied from them in the "
    "autumn, after the press had been cleaned and the last casks were closed. Figures that could not be read "
    "are left empty, and none was rounded."
)
_MORE = (
    "Members who want to know more may look at the books on Thursdays, between four and six, in the room "
    "above the press. Nobody takes them home. Whoever finds a mistake writes it on the sheet beside the "
    "door, with a date and a name, and the treasurer answers within a month."
)

CASKS = Drawn(
    [
        ["Cellar", "Cask", "Variety", "Filled", "Litres"],
        ["North", "N1", "Graufuchs", "4 Oct", "228"],
        ["", "N2", "Red Tolland", "9 Oct", "225"],
        ["", "N3", "Red Tolland", "11 Oct", "114"],
        ["South", "S1", "Quince mix", "15 Oct", "300"],
        ["", "S2", "Graufuchs", "15 Oct", "228"],
    ],
    lines="grid",
    spans=[(0, 1, 0, 3), (0, 4, 0, 5)],
    right=[4],
    shaded=True,
)
HARVEST = Drawn(
    [
        ["Orchard", "Apples", "", "Pears", "", "Loss"],
        ["", "2024", "2025", "2024", "2025", ""],
        ["Upper field", "3,410", "2,980", "640", "702", "4 %"],
        ["Mill bank", "1,875", "2,115", "88", "61", "11 %"],
        ["Chapel wall", "904", "1,002", "0", "35", "7 %"],
        ["Total", "6,189", "6,097", "728", "798", "7 %"],
    ],
    heads=2,
    lines="rules",
    spans=[(1, 0, 2, 0), (3, 0, 4, 0)],
    under=[(1, 0, 2, 0), (3, 0, 4, 0)],
    right=[1, 2, 3, 4, 5],
    widths=[110, 60, 60, 60, 60, 50],
    total=True,
    font="Times",
    size=10,
)
PRESSES = Drawn(
    [
        ["Press", "Bought", "Pressure", "Yield", "Weight"],
        ["", "", "bar", "l/100 kg", "kg"],
        ["Old screw", "1911", "9", "48", ""],
        ["Hydraulic", "1974", "220", "67", "1,340"],
        ["Belt", "2009", "", "71", "2,105"],
        ["Bladder", "2021", "3", "63", "480"],
    ],
    heads=2,
    right=[2, 3, 4],
    widths=[90, 70, 70, 70, 70],
    bold=True,
)
DUTIES = Drawn(
    [
        ["Office", "Held by", "What it is for"],
        [
            "Treasurer",
            "Ilse Barrow",
            "Keeps the books, pays the bills and reports to the members each spring; signs nothing alone "
            "above two hundred florins",
        ],
        ["Cellar master", "Teun Abbing", "Tastes every cask once a week and writes down what was added"],
        [
            "Press warden",
            "Maud Ferrant and Olle Stig",
            "Cleans the presses, lends them to members by a list, and stops them when somebody stands "
            "behind the yellow line",
        ],
        ["Scribe", "vacant", "Writes the minutes"],
    ],
    lines="rows",
    widths=[80, 100, 250],
)
FEES = Drawn(
    [
        ["Service", "Members", "Guests"],
        ["Pressing, each 100 kg", "6.50", "9.00"],
        ["Pasteurising, each litre", "0.35", "0.50"],
        ["Hire of a cask, a year", "14.00", "22.00"],
        ["Grafting course", "0.00", "18.00"],
        ["Sum of a usual year", "41.20", "77.50"],
    ],
    right=[1, 2],
    striped=True,
    shaded=True,
    widths=[160, 80, 80],
)
TREES = Drawn(
    [
        ["Row", "Tree", "Planted", "Girth", "State"],
        *(
            [
                f"R{number // 5 + 1}-{number % 5 + 1}",
                ("Graufuchs", "Red Tolland", "Quince", "Medlar", "Bell pear")[number % 5],
                str(1950 + 3 * number % 70),
                f"{40 + 7 * number % 90} cm",
                ("sound", "canker", "hollow", "sound")[number % 4],
            ]
            for number in range(20)
        ),
    ],
    lines="columns",
    bold=True,
    repeat=True,
    right=[3],
    widths=[50, 120, 80, 70, 90],
)
BEES = Drawn(
    [["Hive", "Honey"], ["Linden", "18 kg"], ["Barn", "11 kg"], ["Brook", "23 kg"]], lines="rules", bold=True
)
WAX = Drawn(
    [["Candle", "Burns"], ["Taper", "3 h"], ["Pillar", "26 h"], ["Votive", "9 h"]], lines="rules", bold=True
)
SUGAR = Drawn(
    [
        ["Juice", "Oechsle", "Acid"],
        ["Graufuchs", "52", "8.1"],
        ["Red Tolland", "47", "6.4"],
        ["Quince mix", "44", "11.9"],
        ["Bell pear", "55", "3.2"],
    ],
    right=[1, 2],
    lines="head",
    widths=[80, 60, 50],
)
WEATHER = Drawn(
    [
        ["Month", "Rain mm", "Frost days", "Sun h"],
        ["Spring", "", "", ""],
        ["March", "61", "9", "112"],
        ["April", "38", "4", "171"],
        ["Summer", "", "", ""],
        ["June", "82", "0", "203"],
        ["July", "40", "0", "251"],
    ],
    spans=[(0, 1, 3, 1), (0, 4, 3, 4)],
    groups=[1, 4],
    lines="grid",
    right=[1, 2, 3],
    bold=True,
)


def unseen_pages() -> list[TablePage]:
    """Return the pages with these tables."""
    pages = [
        _page(name, drawn)
        for name, drawn in (
            ("cells merged downwards, grid", CASKS),
            ("heads merged, rules", HARVEST),
            ("units and empty cells, no lines", PRESSES),
            ("cells of several lines, a rule a row", DUTIES),
            ("stripes, sum", FEES),
            ("groups of rows, grid", WEATHER),
        )
    ]
    pages.append(_two_pages())
    pages.append(_side_by_side())
    pages.append(_in_column())
    return pages


def _page(name: str, drawn: Drawn) -> TablePage:
    flow = [*paragraphs(_NOTE), space(), drawn.flowable(), space(), *paragraphs(_MORE)]
    return TablePage(name, laid_out(flow), (drawn.truth(),))


def _two_pages() -> TablePage:
    data = laid_out(
        [*paragraphs(*[_NOTE, _MORE] * 5), space(), TREES.flowable(), space(), *paragraphs(_NOTE)]
    )
    return TablePage("two pages, head repeated, columns ruled", data, truths_over_pages(TREES, data))


def _side_by_side() -> TablePage:
    from reportlab.platypus import Table

    both = Table([[BEES.flowable(), "", WAX.flowable()]], colWidths=[170, 60, 170])
    data = laid_out([*paragraphs(_NOTE), space(), both, space(), *paragraphs(_MORE)])
    return TablePage("two tables side by side, rules", data, (BEES.truth(), WAX.truth()))


def _in_column() -> TablePage:
    flow = [*paragraphs(_NOTE, _MORE, _NOTE), space(), SUGAR.flowable(), space(), *paragraphs(_MORE, _NOTE)]
    data = laid_out(flow, [(50, 420, 240, 360), (305, 420, 240, 360)])
    return TablePage("in a column of text, rule below the head", data, (SUGAR.truth(),))
