"""How well whole questions are answered: scope and RAG, gold evidence alone, and evidence that lacks a page.

Passages are single sentences with their page's title, all of a question's distractors included. Exact match
(EM) ignores case, articles and punctuation; F1 is over the words of both answers. Both are of all questions:
an answer is required even where the verdict is not `supported`. "EM of these" is the exact match of the
supported answers. The tuned reader reads its answers, any other model picks them.

With `lacking=true` each question is also asked without one of its gold pages, where the remaining passages
cannot contain the answer. "AUROC answerable" and "AUROC complete" say how well the two cases are separated by
the reader's probability of an answer and by the policy's of a complete chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.data.drawing import draw
from probative.bench.data.multihop import Question, read_questions
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.ours.answer_methods import METHODS, NO_ANSWER, answer_row, without_gold_page
from probative.bench.experiments.ours.bars import table_bars
from probative.bench.experiments.ours.named_options import check_known, chosen_names, is_on
from probative.bench.findings import difference_finding, ranked_finding, share_text
from probative.bench.metrics import answer_f1, auroc, auroc_interval, exact_match
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row, counted_rows, finished_rows
from probative.bench.significance import each_against, paired_table
from probative.bench.splits import MULTIHOP_FILES
from probative.bench.statistics import mean_cell, percent_cell, score_cell

# Questions of each set, unless --limit says otherwise.
QUESTIONS = 200
DEFAULT = ("rag", "words", "embedded", "gold")
SETS = tuple(MULTIHOP_FILES)
COLUMNS = ("EM", "F1", "supported", "EM of these", "all gold", "pieces")
MORE_COLUMNS = ("AUROC answerable", "AUROC complete", "calls", "tokens")


class Answers(Experiment):
    """Answers each question with each method.

    Options, with commas between names: `sets`, `methods`; `lacking=true` asks also without a gold page;
    `tuning=true` takes the questions that settings were tuned on.
    """

    name = "answers"
    title = "How well are multi-hop questions answered, and is missing evidence noticed?"
    paper = "ours"
    shown_as = "results, answers"
    limit_of = "questions of each set, each of which is a case with every method"
    data = SETS
    calls_per_case = 4.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return chosen_names(settings, "sets", SETS, SETS)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set (200 without a limit) for each method."""
        check_known(settings, ("sets", "methods", "lacking", "tuning"))
        methods = methods_of(settings)
        cases = []
        for name in self.data_of(settings):
            questions = read_questions(settings.data, name, tuning=is_on(settings, "tuning"))
            for question in draw(questions, settings.limit or QUESTIONS, settings.seed):
                variants: dict[str, Question | None] = {"whole": question}
                if is_on(settings, "lacking"):
                    variants["lacking"] = without_gold_page(question)
                cases += [
                    Case(f"{name}/{method}/{question.id}/{variant}", (name, method, variant, asked))
                    for method in methods
                    for variant, asked in variants.items()
                    if asked is not None
                ]
        return cases

    def run(self, case: Case, lab: Lab) -> Row:
        name, method, variant, question = case.content
        about = {"set": name, "method": method, "question": question.id, "lacking": variant == "lacking"}
        return {**about, **answer_row(lab, question, method)}

    def wrong(self, case: Case) -> Row:
        name, method, variant, question = case.content
        about = {"set": name, "method": method, "question": question.id, "lacking": variant == "lacking"}
        return {**about, **NO_ANSWER, "right": question.answer}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = tuple(
            _table([row for row in good if row["set"] == name], name) for name in self.data_of(settings)
        )
        tests = _tests(good, methods_of(settings))
        ranked = [ranked_finding(table, "EM", "exact match") for table in tables]
        return Report(
            tables=(*tables, *tests),
            plots=table_bars("Exact match", tables, "EM"),
            findings=(*filter(None, ranked), difference_finding(tests, "exact match"), *_trusted(tables)),
        )


def _trusted(tables: Sequence[Table]) -> Iterator[str]:
    """Yield how many supported answers of the last method that chooses its evidence are right."""
    for table in tables:
        for row in table.rows:
            cell = row.cells[COLUMNS.index("EM of these")]
            if row.name == METHODS["embedded"].title and isinstance(cell, Cell) and cell.n:
                yield f"{table.title}, {row.name}: {share_text(cell)} answers marked supported match exactly."


def methods_of(settings: Settings) -> tuple[str, ...]:
    """Return the methods of the option `methods`."""
    return chosen_names(settings, "methods", DEFAULT, tuple(METHODS))


def _table(rows: Sequence[Row], name: str) -> Table:
    table_rows = []
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == method]
        table_rows.append(TableRow(name=METHODS[method].title, cells=_cells(own)))
        if any(row["computed"] is not None for row in own):
            computed = [{**row, "answer": row["computed"] or row["answer"]} for row in own]
            table_rows.append(
                TableRow(name=f"{METHODS[method].title}, with what is computed", cells=_cells(computed))
            )
    return Table(
        title=f"Answers on {name}", corner="method", columns=COLUMNS + MORE_COLUMNS, rows=tuple(table_rows)
    )


def _cells(rows: Sequence[Row]) -> tuple[Cell, ...]:
    whole = [row for row in rows if not row["lacking"]]
    exact = [float(exact_match(row["answer"], row["right"])) for row in whole]
    of_these = [value for value, row in zip(exact, whole, strict=True) if row["supported"]]
    return (
        percent_cell(exact),
        score_cell([answer_f1(row["answer"], row["right"]) for row in whole]),
        percent_cell([float(row["supported"]) for row in whole]),
        percent_cell(of_these),
        percent_cell([float(row["all_gold"]) for row in whole]),
        mean_cell([row["pieces"] for row in whole]),
        _separation(rows, "answerable"),
        _separation(rows, "completeness"),
        mean_cell([row["calls"] for row in finished_rows(whole)]),
        mean_cell([row["tokens"] for row in finished_rows(whole)]),
    )


def _separation(rows: Sequence[Row], field: str) -> Cell:
    """Return the AUROC of a field for questions with all evidence against the same without a page."""
    lacking = {row["question"]: row[field] for row in rows if row["lacking"] and row[field] is not None}
    whole = [
        row[field]
        for row in rows
        if not row["lacking"] and row["question"] in lacking and row[field] is not None
    ]
    if not whole or not lacking:
        return Cell(value=None, n=0)
    low = list(lacking.values())
    return Cell(value=auroc(whole, low), **auroc_interval(whole, low)._asdict(), n=len(whole) + len(low))


def _tests(rows: Sequence[Row], methods: Sequence[str]) -> tuple[Table, ...]:
    """Return paired tests of each method against the first one, on exact match."""
    groups: dict[str, dict[str, dict[str, float]]] = {}
    titles = {method: METHODS[method].title for method in methods}
    for row in rows:
        if not row["lacking"]:
            by_method = groups.setdefault(row["set"], {title: {} for title in titles.values()})
            exact = float(exact_match(row["answer"], row["right"]))
            by_method[titles[row["method"]]][row["question"]] = exact
    pairs = each_against(titles.values(), titles[methods[0]])
    return paired_table("Paired tests of exact match", pairs, groups)
