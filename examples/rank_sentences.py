"""Rank sentences by how well they support a claim, with the embedded model.

    python examples/rank_sentences.py

The model reads a sentence and is asked how probable the claim is after it. What counts is how much
more probable the sentence makes the claim than it was with no evidence: the gain, in nats.
"""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

import probative

CLAIM = "The lighthouse at Kerrin Point was lit by electricity."
SENTENCES = [
    "The headland is rocky and lies on the western shore of the bay.",
    "In 1931 the lighthouse at Kerrin Point was wired to the island's new power station.",
    "The village school has two classrooms and a small library.",
    "Its oil lamp was taken out, and a bulb of a thousand watts took its place.",
    "Fishing boats from three villages pass the headland every morning.",
    "The keeper's daughter later wrote a book about seabirds.",
]


def main() -> None:
    """Score every sentence in one batch and draw the ranking."""
    model = probative.load_model()
    before = "\n\nGoing by what is written above, it is true that:"
    prompts = ["Nothing is known." + before, *(sentence + before for sentence in SENTENCES)]
    with probative.Trace("rank") as trace:
        nothing, *scores = model.score([(prompt, f" {CLAIM}") for prompt in prompts])
    gains = [score.log_probability - nothing.log_probability for score in scores]

    console = Console()
    console.print(f"[bold]Claim:[/] {CLAIM}\n")
    table = Table("gain", "", "sentence", box=None)
    highest = max(gains)
    for gain, sentence in sorted(zip(gains, SENTENCES, strict=True), reverse=True):
        bar = "█" * max(1, round(20 * gain / highest)) if gain > 0 else ""
        table.add_row(f"{gain:+.1f}", f"[green]{bar}[/]", sentence)
    console.print(table)
    cost = trace.usage
    made = (
        f"{cost.calls} scores of {cost.scored_tokens} tokens" if cost.calls else "every score from the cache,"
    )
    console.print(
        f"\n{made} in {cost.seconds:.1f} s; model: {model.name}, no key, no server", highlight=False
    )


if __name__ == "__main__":
    main()
