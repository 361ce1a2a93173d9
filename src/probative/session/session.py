"""`Session`: models opened once, one cache, one budget, and the verbs on top of them.

The verbs are made from the table (`probative.verbs.table`); their types are in `session.pyi`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter
from typing import Any

from probative.errors import ProbativeError
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.types import Value
from probative.verbs import BUILT_IN
from probative.verbs.spec import BoundVerb, VerbSpec
from probative.verbs.table import VERBS


class Session(SessionBase):
    """Opened models with their cache and budget, and the verbs: `ask`, `prove` and all others of the table.

    `model`, `judge_model` and `encoder` are names or opened objects; what is not given comes from `settings`,
    which default to those in force. Each model is opened when it is first needed, and shared with the other
    sessions of the process. A `judge_model` extracts and judges features where a language model does that;
    the model answers. `verdict` is ``embedded``, the verdict model of the package; ``model``, where the judge
    or the model gives the verdicts; or a `VerdictModel` of your own. `prompts` is a folder of prompts that
    take the place of ours. With `dry_run`, calls and tokens are counted and no model is called.

    Each verb has three methods: `ask` for one case, `ask_all` for many side by side, which yields the index
    of each with its result or its error as they finish, and `ask_async` for an event loop. What `max_active`
    cases ask at a time goes out as one batch; with a budget, one case runs at a time, so that the budget is
    spent on whole results.

    A session may be shared between threads. Its budget covers everything it does; `usage` is what it has
    cost so far. Close it, or use it as a context manager.

    >>> with Session() as session:
    ...     proof = session.prove("Cats sleep.", ["Dogs bark.", "Cats sleep all day."], k=1, method="bm25")
    >>> proof.indexes
    (1,)
    """

    def run_verb(
        self, spec: VerbSpec, *given: Any, progress: UsageProgress | None = None, **keywords: Any
    ) -> Any:
        """Run a verb for one case, with the arguments of its method."""
        case, arguments = spec.split(given, keywords)
        with spec.bind(self, **arguments).opened(False) as (run, tools):
            return self._run(run, case, progress, tools)

    def run_verb_all(
        self, spec: VerbSpec, *given: Any, **keywords: Any
    ) -> Iterator[tuple[int, Value | ProbativeError]]:
        """Run a verb for many cases, with the arguments of its method."""
        arguments = spec.split_all(given, keywords)
        cases, active = arguments.pop("cases"), arguments.pop("max_active", spec.max_active)
        return self._yield_all(spec.bind(self, **arguments), cases, active)

    def _yield_all(
        self, bound: BoundVerb, cases: Iterable[Any], max_active: int
    ) -> Iterator[tuple[int, Value | ProbativeError]]:
        with bound.opened(True) as (run, tools):
            yield from self._run_all(run, cases, max_active, tools)

    def __getattr__(self, name: str) -> Any:
        """Return a method of a verb that another package added to the table."""
        verb = name.removesuffix("_all").removesuffix("_async")
        if name.startswith("_") or verb not in VERBS.entries():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return methods_of(VERBS.load(verb))[name].__get__(self)


def methods_of(spec: VerbSpec) -> dict[str, Callable[..., Any]]:
    """Return the methods of a verb by name: for one case, for many, and awaited."""

    def one(self: Session, /, *given: Any, **keywords: Any) -> Any:
        return self.run_verb(spec, *given, **keywords)

    def many(self: Session, /, *given: Any, **keywords: Any) -> Any:
        return self.run_verb_all(spec, *given, **keywords)

    async def awaited(self: Session, /, *given: Any, **keywords: Any) -> Any:
        return await run_in_thread(getattr(self, spec.name), *given, **keywords)

    one.__doc__ = spec.bind.__doc__
    many.__doc__ = f"Run `{spec.name}` for many cases side by side; see `Session`."
    awaited.__doc__ = f"Run `{spec.name}`, which takes the same arguments, without blocking the event loop."
    methods = {spec.name: one, f"{spec.name}_all": many, f"{spec.name}_async": awaited}
    for name, method in methods.items():
        method.__name__, method.__qualname__ = name, f"Session.{name}"
        form = spec.signature_all if method is many else spec.signature
        own = Parameter("self", Parameter.POSITIONAL_ONLY)
        method.__signature__ = form.replace(parameters=[own, *form.parameters.values()])  # type: ignore[attr-defined]
    return methods


for built_in in BUILT_IN:
    for name, method in methods_of(VERBS.load(built_in)).items():
        setattr(Session, name, method)
