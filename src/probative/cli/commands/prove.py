"""`probative prove`: hints about the claim and its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from probative.cli.framework import verb_command
from probative.cli.framework.verb_command import VerbCall
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.mcse.result import Proof


@dataclass(frozen=True)
class Extras(verb_command.Extras):
    """What `prove` tells beyond its result."""

    def check(self, call: VerbCall) -> None:
        """Print a hint about a claim that takes long, or that claims nothing."""
        from probative.cli.views.terminal import print_note
        from probative.verdict.lines import claims_nothing

        judges = not call.values["no_verdict"]
        if call.run.fail_on is not None and not judges:
            raise InputError("--fail-on needs the verdict", hint="leave out --no-verdict")
        claim: str | None = call.values["claim"]
        if claim is None or call.batch.source is not None or call.run.dry_run:
            return
        assert call.method is not None
        limit = call.method.long_claim
        if limit is not None and len(claim) > limit:
            print_note(
                f"hint: a claim of {len(claim):,} characters is read again with every sentence, which may "
                "take minutes; --dry-run counts the tokens"
            )
        if judges and (problem := claims_nothing(claim)) is not None:
            print_note(f"hint: {problem}, so there will be no verdict, only the sentences nearest to it")

    def show(self, proof: Proof, case: Mapping[str, Any]) -> None:
        """Print a proof in its text, and its cost."""
        from probative.cli.views.terminal import print_note
        from probative.cli.views.usage import show_usage
        from probative.views.terminal import show_result

        text = case["sentences"]
        show_result(proof, text=text)
        if isinstance(text, str) and len(proof.evidence) == 1 and "\n" in proof.evidence[0].text.strip():
            print_note("hint: use --lines for a text with one sentence on each line")
        others = {proof.policy: proof.policy_usage, proof.verdict_model: proof.verdict_usage}
        show_usage(proof.usage, proof.model, others)
