"""The embedded policy: the engine against numpy on a tiny model, odd input, and the shipped weights."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tiny_policy import plain_score, ship_tiny, write_manifest

from probative.errors import InputError, WeightsError
from probative.models.embedded import shipped as weights_of_package
from probative.models.embedded.encoder import EmbeddedPolicy
from probative.models.embedded.shipped import policy as policy_source
from probative.models.embedded.store import ready_weights
from probative.models.evidence_policy import PolicyScores, PolicyState, decision_sequences
from probative.models.loading import load_policy
from training.policy.export import quantized

STATE = PolicyState(
    "the lark was built in molde",
    ("ada: a red sail",),
    ("ada: the lark was built by ada", "heron: a heron was red", "lark: the lark sails in molde"),
)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ship_tiny(tmp_path_factory.mktemp("tiny") / "policy")


@pytest.fixture(scope="module")
def policy(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> EmbeddedPolicy:
    return EmbeddedPolicy(ready_weights(policy_source(shipped), tmp_path_factory.mktemp("cache")))


def flat(weighed: PolicyScores) -> list[float]:
    return [*weighed.candidates, weighed.complete, weighed.nothing]


@pytest.mark.model
def test_scores_are_those_of_the_same_weights_in_numpy(policy: EmbeddedPolicy, shipped: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(shipped / "tokenizer.json"))
    query, *texts = (
        tokenizer.encode(text, add_special_tokens=False).ids
        for text in (STATE.query, *STATE.chosen, *STATE.candidates)
    )
    rows, second = decision_sequences(query, texts[:1], texts[1:])
    wanted = [plain_score(shipped, row, second) for row in rows]
    found = flat(policy.weigh([STATE])[0])
    assert np.std(wanted) > 0.2
    assert found == pytest.approx(wanted, abs=0.15)
    assert np.corrcoef(wanted, found)[0, 1] > 0.99


@pytest.mark.model
def test_decisions_keep_their_order_and_do_not_touch_each_other(policy: EmbeddedPolicy) -> None:
    other = PolicyState("a heron was red", (), STATE.candidates[::-1] * 20)
    alone = [policy.weigh([STATE])[0], policy.weigh([other])[0]]
    together = policy.weigh([STATE, other])
    for one, two in zip(alone, together, strict=True):
        assert flat(one) == pytest.approx(flat(two), abs=1e-4)
    assert len(set(together[1].candidates)) == 3  # equal texts have equal scores


@pytest.mark.model
def test_the_same_call_gives_the_same_scores(policy: EmbeddedPolicy) -> None:
    states = [STATE, PolicyState("ada", STATE.candidates, STATE.candidates * 9)]
    assert policy.weigh(states) == policy.weigh(states)


@pytest.mark.model
def test_no_candidates_and_no_decisions(policy: EmbeddedPolicy) -> None:
    (weighed,) = policy.weigh([PolicyState("the lark", (), ())])
    assert weighed.candidates == ()
    assert np.isfinite([weighed.complete, weighed.nothing]).all()
    assert policy.weigh([]) == []


@pytest.mark.model
@pytest.mark.parametrize("text", ["", " ", "Die Lärche, 鳥が赤い", "a\x00red\x07sail", "\n\t", "🦜" * 30])
def test_any_text_is_weighed(policy: EmbeddedPolicy, text: str) -> None:
    (weighed,) = policy.weigh([PolicyState(text, (text,), (text, "red"))])
    assert np.isfinite(flat(weighed)).all()


@pytest.mark.model
def test_control_characters_do_not_count(policy: EmbeddedPolicy) -> None:
    one, two = policy.weigh(
        [PolicyState("the lark", (), ("a re\x00d sail",)), PolicyState("the lark", (), ("a red sail",))]
    )
    assert one == two


@pytest.mark.model
def test_a_separator_in_a_text_is_a_text(policy: EmbeddedPolicy) -> None:
    before = policy.usage.prompt_tokens
    policy.weigh([PolicyState("the lark", (), ("a [SEP] b",))])
    spelled = policy.usage.prompt_tokens - before
    policy.weigh([PolicyState("the lark", (), ("a red b",))])
    assert spelled > policy.usage.prompt_tokens - before - spelled


@pytest.mark.model
def test_long_texts_are_cut_as_in_training(policy: EmbeddedPolicy) -> None:
    long = PolicyState("lark " * 72, ("red " * 64,), ("ada " * 112,))
    longer = PolicyState("lark " * 500, ("red " * 300,), ("ada " * 5000,))
    assert policy.weigh([long]) == policy.weigh([longer])


@pytest.mark.model
@pytest.mark.parametrize(
    "state", [("q", (), ("a",)), PolicyState("q", (), ("a\ud800",)), PolicyState("q", (), (3,))]
)
def test_what_is_no_decision_is_refused(policy: EmbeddedPolicy, state: PolicyState) -> None:
    with pytest.raises(InputError):
        policy.weigh([state])


@pytest.mark.model
def test_each_decision_is_a_call_and_each_distinct_sequence_is_read_once(
    shipped: Path, tmp_path: Path
) -> None:
    policy = EmbeddedPolicy(ready_weights(policy_source(shipped), tmp_path / "cache"), threads=1)
    policy.weigh([PolicyState("the lark", (), ("red", "red")), PolicyState("the lark", (), ("red",))])
    # [CLS] the lark [SEP] and one token and [SEP], for red, complete and nothing
    assert (policy.usage.calls, policy.usage.prompt_tokens) == (2, 18)


@pytest.mark.model
def test_threads_may_share_it(policy: EmbeddedPolicy) -> None:
    states = [
        PolicyState(f"the lark {'was ' * number}", STATE.chosen, STATE.candidates * 4) for number in range(8)
    ]
    alone = [policy.weigh([state])[0] for state in states]
    before, gate = policy.usage.calls, threading.Barrier(4)

    def work(number: int) -> list[PolicyScores]:
        gate.wait(timeout=120)
        return [policy.weigh([state])[0] for state in states]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(4)):
            assert found == alone
    assert policy.usage.calls == before + 32


def test_it_is_converted_once_and_again_when_damaged(shipped: Path, tmp_path: Path) -> None:
    first = ready_weights(policy_source(shipped), tmp_path)
    stamp = (first.folder / "model.bin").stat().st_mtime_ns
    assert ready_weights(policy_source(shipped), tmp_path).folder == first.folder
    assert (first.folder / "model.bin").stat().st_mtime_ns == stamp
    (first.folder / "head.npy").write_bytes(b"damaged")
    again = ready_weights(policy_source(shipped), tmp_path)
    assert again.manifest.files == first.manifest.files
    assert not list(tmp_path.glob("policy.scratch-*"))


def test_other_weights_have_a_folder_of_their_own(shipped: Path, tmp_path: Path) -> None:
    other = ship_tiny(tmp_path / "other", seed=4)
    assert policy_source(shipped).converted_folder != policy_source(other).converted_folder


def test_processes_convert_it_once(shipped: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: ready_weights(policy_source(shipped), tmp_path), range(3)))
    assert len({weights.fingerprint for weights in found}) == 1
    assert capfd.readouterr().err.count("preparing") == 1


def test_missing_damaged_and_strange_weights_are_told(shipped: Path, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"has no model\.safetensors") as missing:
        ready_weights(policy_source(tmp_path / "nowhere"), tmp_path)
    assert "install probative-evidence again" in missing.value.hint
    copy = tmp_path / "copy"
    shutil.copytree(shipped, copy)
    with (copy / "model.safetensors").open("ab") as file:
        file.write(b"x")
    with pytest.raises(WeightsError, match="damaged"):
        ready_weights(policy_source(copy), tmp_path)
    (copy / "config.json").write_text("{}", encoding="utf-8")
    shutil.copyfile(shipped / "model.safetensors", copy / "model.safetensors")
    write_manifest(copy)
    with pytest.raises(WeightsError, match="could not be converted"):
        ready_weights(policy_source(copy), tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("policy*/"))
    (copy / "manifest.json").write_text("[]", encoding="utf-8")
    with pytest.raises(WeightsError, match="manifest"):
        ready_weights(policy_source(copy), tmp_path)


def test_rounding_a_row_twice_changes_nothing() -> None:
    draw = np.random.default_rng(0)
    weights = {"a.weight": draw.normal(size=(20, 30)), "b.bias": draw.normal(size=30)}
    once = quantized(weights)
    twice = quantized(weights_of_package.restored(once))
    assert np.array_equal(once["a.weight"], twice["a.weight"])
    restored = weights_of_package.restored(once)["a.weight"]
    step = np.abs(weights["a.weight"]).max(axis=1, keepdims=True) / 127
    assert (np.abs(restored - weights["a.weight"]) <= 0.5001 * step).all()


needs_weights = pytest.mark.skipif(not weights_of_package.has_policy(), reason="no weights in this copy")


@pytest.mark.model
@needs_weights
def test_the_shipped_policy_prefers_what_carries_the_claim() -> None:
    policy = load_policy()
    assert policy.name == "embedded:policy"
    claim = "The engineer who designed the Grey Heron was born in Molde."
    texts = (
        "Grey Heron: The Grey Heron was a ferry designed by Ada Lind.",
        "Ada Lind: Ada Lind was an engineer, born in Molde.",
        "Sund Line: The Sund Line ran ferries for forty years.",
        "Herring: Herring is a fish of cold seas.",
    )
    first, second, done = policy.weigh(
        [
            PolicyState(claim, (), texts),
            PolicyState(claim, texts[:1], texts[1:]),
            PolicyState(claim, texts[:2], texts[2:]),
        ]
    )
    assert set(np.argsort(first.candidates)[-2:]) == {0, 1}
    assert np.argmax(flat(second)) == 0
    assert done.complete > max(done.candidates)


@needs_weights
def test_what_is_shipped_is_small_and_whole() -> None:
    assert set(weights_of_package.checked(weights_of_package.POLICY)) == set(weights_of_package.FILES)
    assert sum((weights_of_package.POLICY / name).stat().st_size for name in weights_of_package.FILES) < 25e6
