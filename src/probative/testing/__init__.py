"""Test doubles, for our own tests and for the tests of those who build on Probative.

- `ScriptedModel`: answers as you tell it, without weights or a server.
- `ScriptedPolicy`: an evidence policy that scores as you tell it.
- `Recorder` and `ReplayModel`: keep the calls of a real model in a file, and play them back.
- `LoopbackServer`: an OpenAI-compatible server on this machine that misbehaves on demand.
"""

from probative.testing.policy import ScriptedPolicy
from probative.testing.recording import Recorder, ReplayModel
from probative.testing.scripted import ScriptedModel
from probative.testing.server import Faults, LoopbackServer

__all__ = ["Faults", "LoopbackServer", "Recorder", "ReplayModel", "ScriptedModel", "ScriptedPolicy"]
