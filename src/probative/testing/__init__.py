"""Test doubles and assertions for the tests of Probative and of software that uses it.

- `assert_supported`: fails if a text claims what passages do not support.
- `ScriptedModel`: a model that answers from a script, without weights or a server.
- `ScriptedPolicy`: an evidence policy that scores with a function.
- `ScriptedVerdict`: a verdict model that judges with a function.
- `Recorder` and `ReplayModel`: record the calls of a real model in a file, and replay them.
- `LoopbackServer`: an OpenAI-compatible server on this machine with configurable faults.
"""

from probative.testing.claims import assert_supported
from probative.testing.recording import Recorder, ReplayModel
from probative.testing.scripted import ScriptedModel, ScriptedPolicy, ScriptedVerdict
from probative.testing.server import Faults, LoopbackServer

__all__ = [
    "Faults",
    "LoopbackServer",
    "Recorder",
    "ReplayModel",
    "ScriptedModel",
    "ScriptedPolicy",
    "ScriptedVerdict",
    "assert_supported",
]
