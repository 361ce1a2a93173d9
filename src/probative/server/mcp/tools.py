"""The tools that an MCP server offers: those of the verbs, and two that ask a verb in another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import Field

from probative.errors import InputError
from probative.server.mcp.evidence import EvidenceList, evidence_of
from probative.server.mcp.summaries import claim_text, summary
from probative.server.state.catalog import Catalog
from probative.types import Value
from probative.verbs.requests import Options, VerbRequest, with_options
from probative.verbs.spec import Tool, VerbSpec
from probative.verbs.table import VERBS
from probative.verbs.tools import CITE, DATA, DocumentArguments, ToolText
from probative.verify.verification import Verification


class FindEvidence(DocumentArguments):
    """The arguments of `find_evidence`."""

    question: ToolText | None = Field(
        default=None, description="A question in one sentence. Give this or a claim, not both."
    )
    claim: ToolText | None = Field(
        default=None, description="A statement that can be read alone. Give this or a question, not both."
    )
    options: Options = Field(
        default_factory=dict,
        description="options of ask for a question, or of verify_text for a claim, by name",
    )


class CheckClaim(DocumentArguments):
    """The arguments of `check_claim`."""

    claim: ToolText = Field(description="The claim, as one statement that can be read alone.")


def _same(result: Value) -> Value:
    return result


@dataclass(frozen=True)
class VerbTool:
    """A tool: how it is described, the verb that it calls, and what becomes of the result.

    `verb` names the verb by the arguments that are given. `renamed` maps arguments to fields of the request.
    """

    tool: Tool
    verb: Callable[[Mapping[str, Any]], str]
    result: type[Value]
    convert: Callable[[Any], Value] = _same
    summary: Callable[[Any], str] = summary
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool.name

    def request(self, catalog: Catalog, given: Value) -> tuple[VerbSpec, VerbRequest]:
        """Return the verb and the request that the arguments mean; raises `InputError`."""
        fields = given.model_dump(exclude_none=True, exclude={"corpus", "passages", "graph"})
        spec = VERBS.load(self.verb(fields))
        renamed = {self.renamed.get(name, name): value for name, value in fields.items()}
        return spec, spec.request(**renamed, **_sources(catalog, given))


def _sources(catalog: Catalog, given: Value) -> dict[str, Any]:
    """Return the source of a request: passages, or the corpus or the graph that is meant."""
    if "graph" in type(given).model_fields:
        return {"graph": _named(getattr(given, "graph", None), catalog.graphs, "graph")}
    if not isinstance(given, DocumentArguments):
        return {}
    if given.passages is None:
        return {"corpus": _named(given.corpus, catalog.corpora, "corpus")}
    if given.corpus is not None:
        raise InputError("give a corpus or passages, not both")
    return {
        "passages": tuple(
            passage if isinstance(passage, str) else passage.model_dump() for passage in given.passages
        )
    }


def _named(name: str | None, registered: Sequence[str], kind: str) -> str:
    """Return the name that is given, or the only one that is registered; raises `InputError`."""
    if name is not None:
        return name
    if len(registered) == 1:
        return registered[0]
    raise InputError(
        f"no {kind} is named",
        hint=f"name one of {', '.join(registered)}" if registered else f"this server has no {kind}",
    )


def _question_or_claim(fields: Mapping[str, Any]) -> str:
    if ("question" in fields) == ("claim" in fields):
        raise InputError("give a question or a claim, and not both")
    return "ask" if "question" in fields else "verify"


FIND_EVIDENCE = VerbTool(
    Tool(
        "Find evidence",
        "Find the passages that carry the answer to a question, or the sentences that support or "
        "contradict a claim. Use it to write an answer of your own from quotes: each piece has its text "
        f"and a citation, and what no document says is listed as missing. {CITE} {DATA}",
        FindEvidence,
        "find_evidence",
    ),
    _question_or_claim,
    EvidenceList,
    evidence_of,
    renamed={"claim": "text"},
)
CHECK_CLAIM = VerbTool(
    Tool(
        "Check a claim",
        "Judge one claim against a corpus or given passages: supported, contradicted or insufficient, "
        "with the sentences that decide it and their citations. Use it for a single statement, and "
        f"verify_text for more. {CITE} {DATA}",
        CheckClaim,
        "check_claim",
    ),
    lambda _: "verify",
    Verification,
    summary=claim_text,
    renamed={"claim": "text"},
)


def tools() -> dict[str, VerbTool]:
    """Return every tool by its name; a host shows them in this order."""
    ask, verify = VERBS.load("ask"), VERBS.load("verify")
    documents, others = [_described(FIND_EVIDENCE, ask, verify)], list[VerbTool]()
    for spec in VERBS.specs():
        if spec.tool is not None:
            reads_documents = issubclass(spec.tool.arguments, DocumentArguments)
            (documents if reads_documents else others).append(_of_verb(spec, spec.tool))
    every = (*documents, _described(CHECK_CLAIM, verify), *others)
    return {tool.name: tool for tool in every}


def _of_verb(spec: VerbSpec, tool: Tool) -> VerbTool:
    named = replace(tool, name=tool.name or spec.name)
    return _described(VerbTool(named, lambda _: spec.name, spec.result), spec)


def _described(tool: VerbTool, *verbs: VerbSpec) -> VerbTool:
    """Return a tool whose arguments have the options of its verbs in their JSON schema."""
    groups = [group for spec in verbs for group in spec.tool_options]
    taken = {name for spec in verbs for name in spec.signature.parameters}
    arguments = with_options(tool.tool.arguments, groups, taken)
    return replace(tool, tool=replace(tool.tool, arguments=arguments))
