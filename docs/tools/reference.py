"""Write the rows of the verbs in docs/reference.md from their table; a test holds that they are current."""

from __future__ import annotations

from inspect import Parameter, Signature
from pathlib import Path

from probative.verbs import BUILT_IN
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS

REFERENCE = Path(__file__).parents[1] / "reference.md"
START = "<!-- verbs: made by docs/tools/reference.py -->\n"
END = "<!-- end of verbs -->\n"


def main() -> None:
    """Write the rows."""
    text = REFERENCE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    REFERENCE.write_text(f"{before}{START}\n{verb_table()}\n{END}{after}", encoding="utf-8")


def verb_table() -> str:
    """Return the table of the verbs: one row for one case, one for many."""
    rows = [row for name in BUILT_IN for row in _rows(VERBS.load(name))]
    return "\n".join(("| function or method of a session | meaning |", "| --- | --- |", *rows, ""))


def _rows(spec: VerbSpec) -> tuple[str, str]:
    result = spec.result.__name__
    one = f"| `{spec.name}{_shown(spec.signature)}` | {spec.help}: {_article(result)} `{result}` |"
    many = f"| `{spec.name}_all{_shown(spec.signature_all)}` | many {spec.cases_name} side by side: yields "
    return one, f"{many}each index with its `{result}` or its error |"


def _article(name: str) -> str:
    return "an" if name[0] in "AEIOU" else "a"


def _shown(form: Signature) -> str:
    """Return a signature without types."""
    plain = [parameter.replace(annotation=Parameter.empty) for parameter in form.parameters.values()]
    return str(Signature(plain))


if __name__ == "__main__":
    main()
