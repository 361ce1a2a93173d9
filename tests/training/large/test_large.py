"""The large model's training on a tiny model: rows in tokens, the adapter's gradients, a whole run."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from probative.models.task_prompts import Line, read_reply  # noqa: E402
from probative.verdict.judgement import Calibration  # noqa: E402
from training.large import __main__ as large  # noqa: E402
from training.large.arrays import CITED, HEADER, PROMPT, REPLY, Arrays, Encoded  # noqa: E402
from training.large.batches import choose_rows, make_batch, plan_batches  # noqa: E402
from training.large.bundles import bundle_rows, kept_rows  # noqa: E402
from training.large.figures import claim_figures, reply_figures, set_figures  # noqa: E402
from training.large.gguf import Gguf  # noqa: E402
from training.large.measure import read_verdicts, write_replies  # noqa: E402
from training.large.model import (  # noqa: E402
    add_adapters,
    hidden_states,
    load_model,
    merge_adapter,
    remove_adapters,
)
from training.large.options import Options  # noqa: E402
from training.large.rows import Row, claims_digest, encode_rows  # noqa: E402
from training.large.sources import check_apart  # noqa: E402
from training.large.tokens import Tokens, tokens_of  # noqa: E402
from training.large.train import reply_loss, train  # noqa: E402
from training.reader.lora import load_adapter, read_lora, save_adapter  # noqa: E402
from training.reader.proofs import Proofs  # noqa: E402

CPU = torch.device("cpu")
DIARY = (Line("It rained.", "Diary (2024)"), Line("Ada left.", "Diary (2024)"), Line("So what?", "Note"))


def claim(text: str, reply: str, source: str = "public", **more: Any) -> Row:
    return Row("verdict", text, DIARY, reply, source, **more)


@pytest.fixture(scope="module")
def tokens(tiny: Path) -> Tokens:
    return tokens_of(Gguf(tiny))


@pytest.fixture
def model(tiny: Path) -> Any:
    return load_model(Gguf(tiny), CPU, torch.float32)


@pytest.fixture(scope="module")
def arrays(tokens: Tokens) -> Arrays:
    rows = [
        row
        for name in "abcdefgh"
        for row in (
            claim(f"It rained on {name}.", "yes", cited=(0,)),
            claim(f"{name} left.", "no", "bundle_name", cited=(1,)),
            claim(f"{name} came.", "maybe", either=True),
            Row("answer", f"Who left {name}?", DIARY, "Ada", "questions", (1,)),
            Row("answer", f"Who came {name}?", DIARY, "unknown", "questions"),
        )
    ]
    words = [ids[0] for ids in tokens.encode(("yes", "no", "maybe"))]
    return Arrays.of(list(encode_rows(rows, tokens)), {"verdicts": words, "claims": claims_digest(rows)})


def text_of(tokens: Tokens, ids: Any, roles: Any, role: int) -> str:
    return tokens.decode(
        [token for token, is_role in zip(ids, np.asarray(roles) == role, strict=True) if is_role]
    )


def test_a_row_has_a_prompt_with_headers_and_a_reply_with_numbers(tokens: Tokens) -> None:
    (row,) = encode_rows([claim("It rained.", "yes", cited=(0, 2))], tokens)
    assert text_of(tokens, row.ids, row.roles, HEADER) == "# Diary (2024)\n# Note\n"
    assert text_of(tokens, row.ids, row.roles, REPLY) == "yes"
    assert text_of(tokens, row.ids, row.roles, CITED) == " 1 3"
    shown = [token for token in row.ids if token > tokens.end]
    assert tokens.decode(shown) == (
        "system\nverdict\nuser\nClaim: It rained.\n# Diary (2024)\n1. It rained.\n2. Ada left.\n# Note\n"
        "3. So what?\nClaim: It rained.\nassistant\nyes 1 3"
    )


def test_unmarked_rows_learn_no_end_and_no_numbers(tokens: Tokens) -> None:
    rows = [claim("It rained.", "yes"), Row("answer", "Who?", DIARY, "Ada", "questions")]
    first, second = encode_rows(rows, tokens)
    assert text_of(tokens, first.ids, first.roles, REPLY) == "yes"
    assert text_of(tokens, second.ids, second.roles, REPLY) == "Ada ["
    assert first.ids[-1] != tokens.end != second.ids[-1]


def test_arrays_are_read_back_and_lose_only_their_headers(arrays: Arrays, tmp_path: Path) -> None:
    arrays.save(tmp_path / "rows.npz")
    again = Arrays.load(tmp_path / "rows.npz")
    bare = again.without_headers()
    assert again.facts == arrays.facts
    assert again.about == arrays.about
    for number in range(len(arrays)):
        assert np.array_equal(again.ids(number), arrays.ids(number))
        kept = arrays.roles(number) != HEADER
        assert np.array_equal(bare.ids(number), arrays.ids(number)[kept])
        assert np.array_equal(bare.roles(number), arrays.roles(number)[kept])


def test_chosen_rows_have_the_share_of_our_own(arrays: Arrays) -> None:
    total = int(arrays.lengths.sum()) * 3
    chosen = choose_rows(arrays, Options(tokens=total, share=0.5))
    own = np.char.startswith(arrays.values("source")[chosen].astype(str), "bundle_")
    assert arrays.lengths[chosen][own].sum() == pytest.approx(total / 2, rel=0.05)
    batches = plan_batches(arrays.lengths, chosen, 400, seed=1)
    assert sorted(np.concatenate(batches)) == sorted(chosen)
    assert all(len(batch) * arrays.lengths[batch].max() <= 400 for batch in batches)


def test_chosen_rows_have_the_share_of_claims_and_no_claim_that_nobody_judged(arrays: Arrays) -> None:
    total = int(arrays.lengths.sum()) * 3
    some = Arrays.of(
        [Encoded(arrays.ids(n), arrays.roles(n), dict(arrays.facts[n])) for n in range(len(arrays))], {}
    )
    some.labelled[:10:5] = False
    chosen = choose_rows(some, Options(tokens=total, share=0.0, claims=0.25))
    is_claim = some.values("task")[chosen] == "verdict"
    assert some.lengths[chosen][is_claim].sum() == pytest.approx(total / 4, rel=0.1)
    assert not {0, 5} & set(chosen)
    some.taught[:10:5] = 1 / 3
    assert {0, 5} <= set(choose_rows(some, Options(tokens=total, taught=0.5)))
    assert not {0, 5} & set(choose_rows(some, Options(tokens=total)))


@pytest.mark.parametrize("merged_below", [0, 10**9])
def test_the_gradients_are_those_of_the_written_out_formula(
    model: Any, merged_below: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.large.model.MERGED_BELOW", merged_below)
    add_adapters(model, rank=3, scale=2.0)
    layer = model.model.layers[0].self_attn.q_proj
    torch.nn.init.normal_(layer.B)
    x = torch.randn(2, 5, layer.base.in_features, requires_grad=True)
    seen = torch.randn(2, 5, layer.base.out_features)
    results = []
    for forward in (layer, lambda x: layer.base(x) + 2.0 * (x @ layer.A.T) @ layer.B.T):
        out = forward(x)
        results.append((out, *torch.autograd.grad((out * seen).sum(), (x, layer.A, layer.B))))
    for ours, plain in zip(*results, strict=True):
        assert torch.allclose(ours, plain, atol=1e-5)


def test_a_merged_adapter_reads_as_the_trained_one(model: Any, tmp_path: Path) -> None:
    ids = torch.randint(3, 50, (2, 9))
    plain = hidden_states(model.model, ids)
    add_adapters(model, rank=4, scale=2.0)
    for layer in model.model.layers:
        torch.nn.init.normal_(layer.mlp.up_proj.B, std=0.1)
    trained = hidden_states(model.model, ids).detach()
    save_adapter(read_lora(model), tmp_path / "adapter.safetensors")
    remove_adapters(model)
    assert torch.equal(hidden_states(model.model, ids), plain)
    merge_adapter(model, load_adapter(tmp_path / "adapter.safetensors"))
    assert (hidden_states(model.model, ids) - trained).abs().max() < 0.02 < (plain - trained).abs().max()


def test_our_pass_is_that_of_transformers(model: Any) -> None:
    ids = torch.randint(3, 50, (2, 9))
    assert torch.allclose(hidden_states(model.model, ids), model.model(input_ids=ids)[0], atol=1e-5)


def test_any_word_for_not_supported_is_right_where_the_label_says_no_more(model: Any, arrays: Arrays) -> None:
    batch = make_batch(arrays, np.array([2]), Options(cited=0.0), CPU)
    words = arrays.about["verdicts"]
    hidden = hidden_states(model.model, batch.ids)[0, batch.columns[0] - 1]
    chances = model.lm_head(hidden).log_softmax(-1)
    loss = reply_loss(model, batch, words)
    assert loss.item() == pytest.approx(-chances[words[1:]].logsumexp(0).item(), rel=1e-4)


def test_training_lowers_the_loss_and_leaves_the_model_as_it_was(model: Any, arrays: Arrays) -> None:
    before = model.model.layers[0].mlp.up_proj.weight.clone()
    said: list[str] = []
    options = Options(tokens=60_000, step_tokens=400, rank=4, rate=1e-2, headers=False)
    adapter, log = train(model, arrays, options, said.append)
    assert log["history"][-1]["loss"] < log["history"][0]["loss"] * 0.7
    assert log["skipped"] == 0
    assert adapter["layers.0.mlp.up_proj.A"].shape == (4, 32)
    assert torch.equal(model.model.layers[0].mlp.up_proj.weight, before)


def test_a_student_learns_the_verdicts_of_its_teacher(
    tiny: Path, model: Any, arrays: Arrays, tmp_path: Path
) -> None:
    """It learns them against the labels, also for rows without one, and the rows of other tasks stay."""
    arrays.save(tmp_path / "rows.npz")
    adapter, _ = train(
        model, arrays, Options(tokens=20_000, step_tokens=400, rank=4, rate=1e-2), lambda _: None
    )
    save_adapter(adapter, tmp_path / "teacher.safetensors")
    words = f"label --base {tiny} --examples {tmp_path}/rows.npz --adapter {tmp_path}/teacher.safetensors"
    large.commands().run([*words.split(), "--out", str(tmp_path / "labels.npz")])
    rows = Arrays.load(tmp_path / "rows.npz")
    for facts in rows.facts[::5]:
        facts["labelled"] = False
    taught = Arrays.of(
        [Encoded(rows.ids(n), rows.roles(n), rows.facts[n], bool(rows.either[n])) for n in range(len(rows))],
        rows.about,
    ).with_teacher(tmp_path / "labels.npz")
    assert np.isnan(taught.taught).any(1).sum() == 16
    assert taught.taught[np.isfinite(taught.taught[:, 0])].sum(1) == pytest.approx(1, abs=1e-3)
    batch = make_batch(taught, np.array([0, 1, 3]), Options(taught=0.5, cited=0.0), CPU)
    sums = torch.zeros(3, dtype=torch.float64).index_add_(0, batch.rows, batch.weights)
    given = torch.zeros(3, dtype=torch.float64).index_add_(0, batch.rows, batch.taught.sum(1))
    assert given.tolist() == pytest.approx([1 / 3, 1 / 6, 0.0], abs=1e-3)
    assert (sums + given).tolist() == pytest.approx([1 / 3] * 3, abs=1e-3)
    labels = replace(Options(tokens=20_000, step_tokens=400, rank=4, rate=1e-2), taught=1.0)
    learned, _ = train(model, taught, labels, lambda _: None)
    merge_adapter(model, learned)
    claims = np.flatnonzero(rows.values("task") == "verdict")
    logits = torch.from_numpy(read_verdicts(model, rows, claims)).softmax(-1).numpy()
    assert np.abs(logits - taught.taught[claims]).mean() < 0.1
    rows.about["claims"] = "others"
    with pytest.raises(ValueError, match="are about other claims"):
        rows.with_teacher(tmp_path / "labels.npz")


@pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")  # on processors without such numbers
def test_a_model_in_bfloat16_trains_and_is_measured(tiny: Path, arrays: Arrays, tokens: Tokens) -> None:
    model = load_model(Gguf(tiny), CPU, torch.bfloat16)
    adapter, log = train(model, arrays, Options(tokens=4000, step_tokens=1000, rank=2), lambda _: None)
    assert log["skipped"] == 0
    merge_adapter(model, adapter)
    numbers = np.arange(3)
    assert np.isfinite(read_verdicts(model, arrays, numbers)).all()
    assert len(write_replies(model, arrays, numbers, tokens)) == 3


def test_steps_without_a_finite_gradient_are_skipped(model: Any, arrays: Arrays) -> None:
    model.model.norm.weight.data[0] = float("nan")
    _, log = train(model, arrays, Options(tokens=4000, step_tokens=1000, rank=2), lambda _: None)
    assert log["skipped"] == log["steps"] > 0


def test_a_run_of_the_study_writes_adapter_log_figures_and_logits(
    tiny: Path, arrays: Arrays, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays.save(tmp_path / "trained.npz")
    facts = [{"label": 0}, {"label": 1}, {"label": 2}, {"accept": ["Ada"], "noise": 0, "cited": [1]}]
    measured = Arrays.load(tmp_path / "trained.npz")
    for number, row in enumerate(measured.facts):
        row |= facts[min(number % 5, 3)] | ({"accept": [], "cited": None} if number % 5 == 4 else {})
    measured.save(tmp_path / "measured.npz")
    words = f"study --base {tiny} --examples {tmp_path}/trained.npz --measured {tmp_path}/measured.npz"
    large.commands().run(
        [*words.split(), "--out", str(tmp_path / "runs"), "--runs", "narrow,bare", "--tokens", "3000"]
    )
    kept_files = [str(tmp_path / f"runs/{name}.npz") for name in ("narrow", "bare")]
    large.commands().run(["figures", "--measured", f"{tmp_path}/measured.npz", *kept_files])
    for name in ("narrow", "bare"):
        log = json.loads((tmp_path / f"runs/{name}.log.json").read_text())
        assert log["tokens"] >= (3000 if name == "narrow" else 2000)
        figures = json.loads((tmp_path / f"runs/{name}.json").read_text())
        assert figures["verdict"]["public"]["rows"] == 16
        assert figures["questions +0"]["rows"] == 16
        with np.load(tmp_path / f"runs/{name}.npz") as kept:
            assert kept["logits"].shape == (24, 3)
            assert len(kept["replies"]) == 16
    curves = tmp_path / "curves.json"
    words = f"calibrate --measured {tmp_path}/measured.npz {kept_files[0]} --out {curves}"
    large.commands().run(words.split())
    fitted = json.loads(curves.read_text())
    assert Calibration.from_dict(fitted["curves"]).support.claim == pytest.approx(0, abs=5)
    assert 0 <= fitted["mean_balanced"] <= 100
    assert len(fitted["calibration_error"]) == 2
    capsys.readouterr()
    large.commands().run(["compare", *(str(tmp_path / f"runs/{name}.json") for name in ("narrow", "bare"))])
    table = capsys.readouterr().out.splitlines()
    assert table[0] == "|  | narrow | bare |"
    assert table[2].startswith("| mean of the English sets | ")
    adapter, log = tmp_path / "runs/narrow.safetensors", tmp_path / "runs/narrow.log.json"
    words = f"ship --adapter {adapter} --examples {tmp_path}/trained.npz --measured {tmp_path}/measured.npz"
    out = tmp_path / "large"
    large.commands().run([*words.split(), "--out", str(out), kept_files[0], str(curves), str(log)])
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["adapter_sha256"] == sha256((out / "adapter.safetensors").read_bytes()).hexdigest()
    assert manifest["runs"][0]["tokens"] == json.loads(log.read_text())["tokens"]
    assert json.loads((out / "calibration.json").read_text())["curves"] == fitted["curves"]


def test_a_run_that_is_cut_short_goes_on_as_if_it_had_not_been(
    model: Any, arrays: Arrays, tmp_path: Path
) -> None:
    options = Options(tokens=6000, step_tokens=600, rank=2, rate=1e-3)
    whole, log = train(model, arrays, options, lambda text: None)
    state, calls = tmp_path / "state.pt", 0
    while not state.is_file() or calls < 50:
        part, cut = train(model, arrays, replace(options, call_seconds=0.05), lambda text: None, state)
        calls += 1
        if cut["steps"] == log["steps"]:
            break
    assert calls > 1
    assert cut["tokens"] == log["tokens"]
    assert all(torch.allclose(part[name], whole[name], atol=1e-5) for name in whole)


def test_figures_are_those_worked_out_by_hand() -> None:
    chances = np.array([[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])
    labels = np.array([0, 0, 1, 2])
    values = set_figures(labels, chances)
    assert (values["balanced"], values["auroc"], values["three_way"]) == (50.0, 0.75, 50.0)
    kept = claim_figures(labels, chances, ["a", "a", "b", "b"])
    assert (kept["right"], kept["wrong_and_supported"]) == (50.0, 25.0)
    assert kept["kinds"] == {"a": "1 of 2", "b": "1 of 2"}
    fact = {"source": "reported", "noise": 4, "accept": ["the pier"], "cited": [0, 1]}
    unknown = replace(Row("answer", "", (), "", ""), facts=fact | {"accept": [], "cited": None}).facts
    values = reply_figures([fact, fact, unknown], ["Pier [1 2]", "old pier [1]", "unknown"])["reported +4"]
    assert values["exact"] == pytest.approx(200 / 3)
    assert values["cited"] == pytest.approx(200 / 3)


def test_replies_are_read_whatever_stands_in_them() -> None:
    assert read_reply("Oslo [1 x]") == ("Oslo", (0,))
    assert read_reply("no 12 3") == ("no", (11, 2))
    assert read_reply("") == ("", ())


def test_bundles_are_trained_on_or_measured_and_never_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import random

    monkeypatch.setattr("training.large.documents.FOLDER", tmp_path / "none")
    documents = [
        {
            "id": name,
            "title": f"Notice {name}",
            "date": None,
            "text": f"The hall {name} is green. Ada paints it.",
        }
        for name in "abcd"
    ]
    gold = [{"doc": "b", "text": "The hall b is green."}]
    bundle = {
        "documents": documents,
        "claims": [
            {"claim": "Hall b is green.", "kind": "true_literal", "label": "supported", "sentences": gold}
        ],
        "questions": [
            {
                "q": "Which colour has hall b?",
                "kind": "single",
                "answer": "green",
                "accept": ["green"],
                "sentences": gold,
            }
        ],
    }
    (tmp_path / "bundles").mkdir()
    lines = [json.dumps({"bundle": f"B-{number}", **bundle}) for number in range(3)]
    (tmp_path / "bundles/x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    kept = list(kept_rows(tmp_path))
    assert [row.facts["bundle"] for row in kept] == ["B-0", "B-0"]
    assert len(kept[0].lines) == 8
    assert kept[0].cited == (2,)
    rows = list(bundle_rows(tmp_path, random.Random(1)))
    marked = [row for row in rows if row.cited]
    assert len({row.source for row in rows}) >= 3
    assert marked
    assert all(row.lines[index].text == "The hall b is green." for row in marked for index in row.cited or ())
    with pytest.raises(ValueError, match="trained on and measured, for example 'Hall b"):
        check_apart(rows, kept[:1], ())


def test_prompt_tokens_are_no_targets(arrays: Arrays) -> None:
    batch = make_batch(arrays, np.arange(5), Options(), CPU)
    for row, column in zip(batch.rows.tolist(), batch.columns.tolist(), strict=True):
        assert arrays.roles(row)[column] not in (PROMPT, HEADER)
    sums = torch.zeros(5, dtype=torch.float64).index_add_(0, batch.rows, batch.weights)
    assert sums[0].item() == pytest.approx(1.25 / 5)


def test_claims_are_known_again_in_other_tokens_and_others_are_not() -> None:
    rows = [claim("It rained.", "yes"), Row("answer", "Who?", DIARY, "Ada", "questions")]
    assert claims_digest(rows) == claims_digest([claim("It rained.", "no", "other")])
    assert claims_digest(rows) != claims_digest([claim("It snowed.", "yes")])
    assert claims_digest(rows) != claims_digest([*rows, claim("It rained.", "yes")])


def test_a_model_learns_from_decisions_between_sentences_as_well(
    model: Any, arrays: Arrays, tmp_path: Path
) -> None:
    """Two candidates of a decision: after training, the claim is likelier after the right one."""
    claim, right, wrong = [7, 8, 9], [10, 11], [12, 13]
    texts = [[*right, *claim], [*wrong, *claim]] * 4
    lengths = np.array([len(text) for text in texts], np.int32)
    proofs = Proofs(
        tokens=np.concatenate(texts).astype(np.uint16),
        starts=np.cumsum([0, *lengths[:-1]]).astype(np.int64),
        lengths=lengths,
        cuts=np.full(8, 2, np.int32),
        decision=np.repeat(np.arange(4), 2).astype(np.int32),
        right=np.tile([True, False], 4),
        choose=np.repeat([False, True], 4),
        source=np.zeros(8, np.uint8),
        sources=np.array(["own"]),
    )
    proofs.save(tmp_path / "proofs.npz")
    options = Options(tokens=8000, step_tokens=400, rank=4, rate=1e-2, proofs=str(tmp_path / "proofs.npz"))
    _, log = train(model, arrays, options, lambda _: None)
    assert log["hits"] == {"hit own": 1.0}
    turned = replace(proofs, right=~proofs.right)
    turned.save(tmp_path / "proofs.npz")
    _, log = train(model, arrays, options, lambda _: None)
    assert log["hits"] == {"hit own": 1.0}
