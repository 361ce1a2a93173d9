"""What labels guarantee about a corpus, and a test of it without labels."""

from __future__ import annotations

from collections.abc import Sequence

from probative.calibration.labels import Calibration
from probative.calibration.self_test import SelfTest, Share, expected
from probative.text.labels import counted
from probative.views.blocks import Bar, Block, Span, Table, columns, cost, faint, line, strong

# The claims with a wrong verdict that are listed; the JSON has all.
MAX_LISTED = 8


def calibration_view(result: Calibration) -> Sequence[Block]:
    """Return the guarantee or why there is none, and the limits that were tested."""
    counts = (
        f"{counted(result.questions, 'question')}; answers that count: {result.supported}, "
        f"labelled: {result.labelled}, wrong: {result.wrong}"
    )
    if result.guarantee is not None:
        assert result.limit is not None
        said = [
            line(strong("guarantee:"), " ", result.guarantee.text, wrap=False),
            line(
                f"supported from a certainty of {result.limit:.0%} on; kept with {result.index}", wrap=False
            ),
        ]
    elif result.kind == "test":
        said = [line(strong("a test, not a guarantee:"), " ", Span(result.reason or ""), wrap=False)]
    else:
        said = [line(strong("no guarantee:"), " ", Span(result.reason or ""), wrap=False)]
        if result.missing:
            said.append(line(f"missing: {result.missing:,}"))
    # Neighbouring limits with the same answers are one row: that of the lowest.
    lowest = {(each.supported, each.wrong): each for each in result.limits}.values()
    rows = [
        (f"{each.limit:.0%}", f"{each.supported}", f"{each.wrong}", f"{each.bound:.1%}", _yes(each.passed))
        for each in lowest
    ]
    head = columns(
        "certainty from",
        "answers",
        "wrong",
        f"at most, {1 - result.delta:.0%} sure",
        "passes",
        right=range(5),
    )
    return [*said, line(faint(counts)), *([Table(rows, head)] if rows else [])]


def self_test_view(test: SelfTest) -> Sequence[Block]:
    """Return the shares with their intervals, the curve over limits, and the claims with a wrong verdict."""
    shares = (
        ("true claims believed", test.believed),
        ("falsified claims caught", test.caught),
        ("falsified claims believed", test.accepted),
        ("believed without the sentence", test.invented),
        ("contradicted without the sentence", test.denied),
    )
    kinds = ", ".join(f"{kind} {share.hits}/{share.n}" for kind, share in test.kinds.items() if share.n)
    curve = [
        (
            f"{point.limit:.0%}",
            f"{point.true}",
            f"{point.false}",
            f"{point.not_stated}",
            Bar(point.true, test.believed.n, 30),
        )
        for point in test.curve
    ]
    wrong = [claim for claim in test.claims if claim.verdict is not expected(claim.kind)]
    rows = [(claim.kind, claim.verdict.value, Span(claim.claim)) for claim in wrong[:MAX_LISTED]]
    more = f", the first {MAX_LISTED}" if len(wrong) > MAX_LISTED else ""
    made, asked = len(test.claims), test.asked or 0
    title = f"a test of this corpus, not a guarantee: {counted(made, 'claim')} made of its sentences"
    fewer = f"{asked} were asked for: the documents have too few whole sentences with names to change"
    by_share = [(name, *_share(share)) for name, share in shares]
    listed = Table(rows, columns("made", "verdict", "claim"))
    return [
        line(strong(title)),
        *([line(faint(fewer))] if made < asked else []),
        Table(by_share, columns("", "", "", "95% interval", right=(1, 2))),
        line(faint(f"right verdicts by kind: {kinds}")),
        line(),
        line("claims believed, by the lowest probability of supported"),
        Table(curve, columns("from", "true", "false", "not stated", "true claims", right=range(4))),
        *((line(), line(f"wrong verdicts{more}"), listed) if rows else ()),
        cost(test),
    ]


def _yes(passed: bool) -> str:
    return "yes" if passed else "no"


def _share(share: Share) -> tuple[str, str, str]:
    part = f"{share.hits / share.n:.0%}" if share.n else "–"
    return f"{share.hits} of {share.n}", part, f"{share.low:.0%} to {share.high:.0%}"
