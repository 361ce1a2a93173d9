"""The reader's training on a tiny model: it learns, resumes exactly, and its adapter merges."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny import tiny_llama, write_gguf

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from reader_files import write_sources  # noqa: E402

from probative.bench.data import splits  # noqa: E402
from training.large.model import hidden_states  # noqa: E402
from training.reader import __main__ as reader  # noqa: E402
from training.reader import data as reader_data  # noqa: E402
from training.reader.arrays import Arrays, load, make_arrays, save  # noqa: E402
from training.reader.base import load_base  # noqa: E402
from training.reader.batches import HOPS, plan  # noqa: E402
from training.reader.example import Example, Message  # noqa: E402
from training.reader.inputs import input_moments  # noqa: E402
from training.reader.loop import Trainer  # noqa: E402
from training.reader.lora import (  # noqa: E402
    add_lora,
    linear_layers,
    load_adapter,
    merge,
    read_lora,
    reduce_rank,
    save_adapter,
    set_lora,
    write_lora,
)
from training.reader.measure import Tokens, measure  # noqa: E402
from training.reader.options import Options  # noqa: E402
from training.reader.tokens import encoder_of  # noqa: E402

TOWNS = ("Molde", "Voss", "Alta", "Moss")
SMALL = Options(
    steps=56,
    tokens=512,
    keep=2,
    keep_weight=0.1,
    rank=4,
    rate=1e-2,
    form="after",
    evaluate_every=8,
    checkpoint_every=8,
    seed=2,
)


def invented() -> list[Example]:
    """Where a boat lies, if that is said; and what must stay as it is."""
    found = []
    for number in range(60):
        town = TOWNS[number % 4]
        asked = f"[1] Boat {number} lies in {town}.\n\nWhere is boat {number}?"
        messages = (Message("system", "answer"), Message("user", asked))
        part = "validation" if number % 6 == 0 else "train"
        found.append(Example(messages, town, "answer", "after", "hotpotqa", part))  # type: ignore[arg-type]
        messages = (Message("system", "answer"), Message("user", f"[1] Tar.\n\nWhere is boat {number}?"))
        found.append(Example(messages, "unknown", "unknown", "after", "squad2", part))  # type: ignore[arg-type]
        messages = (Message("system", "carries"), Message("user", f"node: {town}\n\nIn {town}."))
        found.append(Example(messages, "yes", "carries", "after", "2wiki_triples", part))  # type: ignore[arg-type]
        text = (Message("text", f"According to this text: {town}"),)
        found.append(Example(text, " It is so.", "keep", "text", "fool_me_twice", part))  # type: ignore[arg-type]
    return found


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_gguf(file)
    return file


@pytest.fixture(scope="module")
def arrays(gguf: Path) -> Arrays:
    return make_arrays(invented(), encoder_of(gguf), {"seed": 0})


@pytest.fixture(scope="module")
def new_model(arrays: Arrays) -> Callable[[], Any]:
    return lambda: tiny_llama(int(arrays.tokens.max()) + 8)


def trained(
    model: Any, arrays: Arrays, out: Path, options: Options = SMALL, until: int | None = None
) -> Trainer:
    trainer = Trainer(model, arrays, options, out, lambda text: None)
    trainer.run(until)
    return trainer


@pytest.fixture(scope="module")
def done(new_model: Callable[[], Any], arrays: Arrays, tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    """A whole run; `stopped`, in the same folder, is its checkpoint after step 48."""
    folder = tmp_path_factory.mktemp("run")
    trainer = trained(new_model(), arrays, folder, until=48)
    shutil.copytree(folder, folder / "stopped")
    trainer.run()
    return trainer


def test_the_chat_is_framed_as_the_embedded_model_frames_it(arrays: Arrays, gguf: Path) -> None:
    from gguf import GGUFReader

    vocabulary = GGUFReader(gguf).fields["tokenizer.ggml.tokens"].contents()
    text = "".join(vocabulary[token] for token in arrays.example(0)).replace("Ġ", " ").replace("Ċ", "\n")
    assert text == (
        "<|im_start|>system\nanswer<|im_end|>\n"
        "<|im_start|>user\n[1] Boat 0 lies in Molde.\n\nWhere is boat 0?<|im_end|>\n"
        "<|im_start|>assistant\nMolde<|im_end|>"
    )
    target = arrays.example(0)[arrays.cuts[0] :]
    assert "".join(vocabulary[token] for token in target) == "Molde<|im_end|>"
    assert arrays.example(3)[0] == 0  # a text begins with the token that begins documents


def test_arrays_survive_the_file(arrays: Arrays, tmp_path: Path) -> None:
    save(arrays, tmp_path / "a.npz")
    again = load(tmp_path / "a.npz")
    assert np.array_equal(again.tokens, arrays.tokens)
    assert (again.sources, again.kinds, again.facts) == (arrays.sources, arrays.kinds, arrays.facts)


def test_a_plan_holds_only_training_examples_and_is_the_same_again(arrays: Arrays) -> None:
    made = plan(arrays, steps=30, tokens=512, keep=2, forms=("after",), seed=1)
    seen = np.concatenate([np.concatenate([batch.numbers, batch.keep]) for batch in made])
    assert set(arrays.part[seen]) == {0}
    assert all(len(b.numbers) * arrays.lengths[b.numbers].max() <= 512 or len(b.numbers) == 1 for b in made)
    again = plan(arrays, steps=30, tokens=512, keep=2, forms=("after",), seed=1)
    assert all(np.array_equal(a.numbers, b.numbers) for a, b in zip(made, again, strict=True))
    assert "hotpotqa" in HOPS


@pytest.mark.slow
def test_the_loss_falls_and_the_best_state_is_kept(done: Trainer) -> None:
    losses = [line["loss"] for line in done.history]
    assert [line["step"] for line in done.history] == [8, 16, 24, 32, 40, 48, 56]
    assert losses[-1] < 0.7 * losses[0]
    assert done.best == max(line["choice"] for line in done.history)
    assert all(line["moved"] >= 0 for line in done.history)


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_exactly(
    done: Trainer, new_model: Callable[[], Any], arrays: Arrays, tmp_path: Path
) -> None:
    shutil.copytree(done.out / "stopped", tmp_path / "run")
    resumed = Trainer(new_model(), arrays, SMALL, tmp_path / "run", lambda text: None)
    resumed.resume()
    assert resumed.step == 48
    resumed.run()
    assert all(torch.equal(a, b) for a, b in zip(resumed.trained, done.trained, strict=True))
    assert resumed.history == done.history


@pytest.mark.slow
def test_a_schedule_fits_the_minutes_given(
    new_model: Callable[[], Any], arrays: Arrays, tmp_path: Path
) -> None:
    options = Options(minutes=5, max_steps=2, tokens=256, keep=1, rank=2, form="after", checkpoint_every=0)
    trainer = trained(new_model(), arrays, tmp_path, options)
    assert (trainer.step, trainer.steps) == (2, 2)
    none = Trainer(
        new_model(),
        arrays,
        Options(minutes=1e-9, form="after", rank=2, tokens=256),
        tmp_path,
        lambda text: None,
    )
    assert none.time_steps() == 1


@pytest.mark.slow
def test_a_checkpoint_of_other_options_is_refused(
    done: Trainer, new_model: Callable[[], Any], arrays: Arrays
) -> None:
    other = Trainer(new_model(), arrays, Options(steps=24, rank=4), done.out, lambda text: None)
    with pytest.raises(ValueError, match="other options"):
        other.resume()


@pytest.mark.slow
def test_the_adapter_merged_gives_the_same_logits(
    done: Trainer, new_model: Callable[[], Any], arrays: Arrays, tmp_path: Path
) -> None:
    save_adapter(read_lora(done.model), tmp_path / "adapter.safetensors")
    merged = new_model()
    plain = new_model()
    merge(merged, load_adapter(tmp_path / "adapter.safetensors"))
    ids = torch.from_numpy(arrays.example(0).astype(np.int64))[None]
    done.model.eval()
    with torch.no_grad():
        tuned = done.model(ids).logits
        assert (merged.eval()(ids).logits - tuned).abs().mean() < 0.05  # what 8 bits cost
        assert not torch.allclose(plain.eval()(ids).logits, tuned, atol=0.5)
        set_lora(done.model, False)
        assert torch.allclose(plain(ids).logits, done.model(ids).logits, atol=1e-5)
        set_lora(done.model, True)


@pytest.mark.slow
def test_a_higher_rank_begins_where_a_lower_one_ended(done: Trainer, new_model: Callable[[], Any]) -> None:
    higher = new_model()
    add_lora(higher, rank=6, alpha=3)
    write_lora(higher, read_lora(done.model))
    ids = torch.arange(12)[None]
    with torch.no_grad():
        assert torch.allclose(higher(ids).logits, done.model.eval()(ids).logits, atol=1e-4)
    assert read_lora(higher)["layers.0.mlp.up_proj.A"].shape[0] == 6


@pytest.mark.slow
def test_the_layers_are_read_as_the_models_own_pass_reads_them(done: Trainer, arrays: Arrays) -> None:
    ids, _, _ = done.tokens.batch(np.array([0, 1]))
    with torch.no_grad():
        own = done.model.model(input_ids=ids, use_cache=False).last_hidden_state
        assert torch.allclose(hidden_states(done.model.model, ids), own, atol=1e-5)


def test_all_weights_tuned_and_reduced(new_model: Callable[[], Any], arrays: Arrays, tmp_path: Path) -> None:
    options = Options(
        steps=6, tokens=512, keep=2, rate=2e-3, full=True, form="after", evaluate_every=6, checkpoint_every=0
    )
    trainer = trained(new_model(), arrays, tmp_path, options)
    assert not (tmp_path / "checkpoint.pt").exists()
    ids = torch.from_numpy(arrays.example(0).astype(np.int64))[None]
    moments = input_moments(trainer.model, trainer.tokens, trainer.validation, torch.float32)
    with torch.no_grad():
        tuned = trainer.model.eval()(ids).logits
        for inputs in (None, moments):  # at full rank nothing is lost
            merged = new_model().eval()
            merge(merged, reduce_rank(trainer.model, trainer.plain, 128, inputs))
            assert torch.allclose(merged(ids).logits, tuned, atol=1e-3)
    errors = []
    for inputs in (None, moments):  # at a low one, less is lost where the inputs are known
        reduced = reduce_rank(trainer.model, trainer.plain, 2, inputs)
        lost = 0.0
        for (name, _, _, now), (_, _, _, was) in zip(
            linear_layers(trainer.model), linear_layers(trainer.plain), strict=True
        ):
            rest = now.weight.detach() - was.weight - reduced[f"{name}.B"] @ reduced[f"{name}.A"]
            lost += float(torch.trace(rest @ moments[name] @ rest.T))
        errors.append(lost)
    assert errors[1] < errors[0]
    name, _, _, now = next(linear_layers(trainer.model))
    was = next(linear_layers(trainer.plain))[3].weight
    left, values, right = torch.linalg.svd(now.weight.detach() - was)
    by_hand = (left[:, :2] * values[:2]) @ right[:2]
    plainly = reduce_rank(trainer.model, trainer.plain, 2)
    assert torch.allclose(plainly[f"{name}.B"] @ plainly[f"{name}.A"], by_hand, atol=1e-5)


@pytest.mark.slow
def test_all_tokens_right_is_greedy_exact_match(done: Trainer, arrays: Arrays) -> None:
    numbers = arrays.where(
        part="validation", tasks=("answer", "unknown", "carries"), forms=("after", "around")
    )
    found = measure(done.model, done.tokens, numbers, torch.float32)
    greedy = []
    for number in found.numbers[::2]:
        ids, cut = arrays.example(number).astype(np.int64), int(arrays.cuts[number])
        now = torch.from_numpy(ids[:cut])[None]
        with torch.no_grad():
            for _ in range(len(ids) - cut):
                now = torch.cat([now, done.model(now).logits[:, -1:].argmax(-1)], dim=1)
        greedy.append(now[0].tolist() == ids.tolist())
    assert found.exact[::2].tolist() == greedy
    assert any(greedy)
    assert not all(greedy)


def test_nothing_has_moved_before_the_first_step(
    new_model: Callable[[], Any], arrays: Arrays, tmp_path: Path
) -> None:
    trainer = Trainer(new_model(), arrays, SMALL, tmp_path, lambda text: None)
    (batch,) = trainer.batches(1)
    assert float(trainer.moved(batch).detach()) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.model
def test_a_gguf_file_is_read_as_the_engine_reads_it(gguf: Path, tmp_path: Path, arrays: Arrays) -> None:
    import ctranslate2

    from probative.models.embedded.convert import convert_language_model

    convert_language_model(gguf, tmp_path, lambda part: None)
    ids = arrays.example(1)[:40].astype(np.int64)
    with torch.no_grad():
        logits = load_base(gguf)(torch.from_numpy(ids)[None]).logits[0]
    mine = torch.log_softmax(logits, -1)[torch.arange(39), torch.from_numpy(ids[1:])].numpy()
    vocabulary = json.loads((tmp_path / "vocabulary.json").read_text())
    engine = ctranslate2.Generator(str(tmp_path), compute_type="float32")
    theirs = engine.score_batch([[vocabulary[token] for token in ids]])[0].log_probs
    assert np.corrcoef(mine, theirs)[0, 1] > 0.99


@pytest.mark.slow
def test_the_commands_run_from_data_to_figures(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sources(tmp_path / "data", reported_from=30)
    monkeypatch.setattr(splits, "MULTIHOP_REPORTED", slice(30, None))
    monkeypatch.setattr(reader_data, "INVENTED", {"train": 10, "validation": 2})
    monkeypatch.setattr(reader_data, "GENRES", 60)
    monkeypatch.setattr(reader_data, "FROM_PAGES", {"train": 40, "validation": 10})

    def run(*words: str) -> str:
        reader.commands().run(words)
        return capsys.readouterr().out

    base, examples, report = ["--base", str(gguf)], str(tmp_path / "r.npz"), str(tmp_path / "report.npz")
    run("prepare", "--data", str(tmp_path / "data"), *base, "--out", examples, "--report", report)
    assert json.loads((tmp_path / "r.json").read_text())["licences"]["squad"] == "CC BY-SA 4.0"
    small = ["--steps", "2", "--rank", "2", "--tokens", "600", "--keep", "1", "--evaluate-every", "2"]
    out = tmp_path / "out"
    run("train", "--examples", examples, *base, "--out", str(out), *small, "--form", "after")
    facts = json.loads((out / "manifest.json").read_text())
    assert facts["steps"] == 2
    assert any(name.startswith("exact answer/hotpotqa/around") for name in facts["figures"])
    assert load_adapter(out / "adapter.safetensors")["layers.0.self_attn.q_proj.A"].shape[0] == 2
    said = run(
        *("evaluate", "--examples", report, *base, "--part", "report"),
        *("--adapter", str(out / "adapter.safetensors"), "--out", str(tmp_path / "f.json")),
    )
    assert "exact answer/hotpotqa/around noise 4" in said
    assert json.loads((tmp_path / "f.json").read_text())["part"] == "report"


@pytest.mark.slow
def test_measured_batches_do_not_see_past_an_example(done: Trainer, arrays: Arrays) -> None:
    tokens = Tokens.on(torch.device("cpu"), arrays)
    short, long = int(np.argmin(arrays.lengths)), int(np.argmax(arrays.lengths))
    alone = measure(done.model, tokens, np.array([short]), torch.float32)
    together = measure(done.model, tokens, np.array([short, long]), torch.float32)
    place = together.numbers.tolist().index(short)
    assert together.loss[place] == pytest.approx(alone.loss[0], abs=1e-5)
