"""The policy's data and training, on invented texts and a tiny encoder."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from probative.bench.splits import MULTIHOP_REPORTED
from probative.models.embedded.evidence_policy import EmbeddedPolicy
from probative.models.embedded.policy_store import ensure
from probative.models.evidence_policy import AFTER, BEFORE, CLS, COMPLETE, NOTHING, SEP
from training.policy.evaluation import Chosen, choose, figures
from training.policy.evidence import Evidence
from training.policy.examples import Examples, make_examples
from training.policy.export import LICENCES, export_policy
from training.policy.groups import Sampler
from training.policy.model import Policy, distilled_loss, packed, scores_of
from training.policy.sources import SOURCES, read_all
from training.policy.sources.questions import sentence_spans
from training.policy.training import Plan, save_policy, train_policy

TOWNS = ["molde", "narvik", "bergen", "voss", "alta", "moss"]
SHIPS = ["lark", "heron", "gull", "tern", "swan", "rook"]
PLAN = Plan(minutes=5, steps=40, decisions=16, candidates=4, rate=3e-3, dropout=0.0, workers=0, every=20)
COLOURS = ["red", "blue", "green", "grey", "black", "white"]


def invented(count: int) -> list[Evidence]:
    """A ship's town is to be found: one sentence names its builder, another the builder's town. The others
    tell of another ship, in other words, so that a tiny encoder learns in seconds which are right.
    """
    random = np.random.default_rng(1)
    rows = []
    for number in range(count):
        ship, other = random.choice(SHIPS, 2, replace=False)
        one, two = random.choice(COLOURS, 2, replace=False)
        texts = [
            f"the {ship} was made by {one}",
            f"{one} lives in {random.choice(TOWNS)}",
            f"the {other} was sold to {two}",
            f"{two} sails to {random.choice(TOWNS)}",
        ]
        order = random.permutation(4)
        gold = frozenset(int(np.flatnonzero(order == place)[0]) for place in (0, 1))
        sentences = tuple(texts[place] for place in order)
        part = "choose" if number % 5 == 0 else "train"
        source = "hotpotqa" if number % 2 else "fever"
        rows.append(Evidence(str(number), f"where was the {ship} made", sentences, gold, source, part))
    return rows


def tokenizer_of(rows: list[Evidence]) -> Tokenizer:
    words = sorted({word for row in rows for text in (row.query, *row.sentences) for word in text.split()})
    vocabulary = {word: 110 + place for place, word in enumerate(words)}
    tokenizer = Tokenizer(WordLevel({**vocabulary, "[UNK]": 100}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


@pytest.fixture(scope="module")
def rows() -> list[Evidence]:
    return invented(80)


@pytest.fixture(scope="module")
def examples(rows: list[Evidence]) -> Examples:
    return make_examples(rows, tokenizer_of(rows))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=160,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    folder = tmp_path_factory.mktemp("base")
    config.to_json_file(folder / "config.json")
    save_file(BertModel(config, add_pooling_layer=False).state_dict(), folder / "model.safetensors")
    return folder


def test_texts_are_kept_once_and_examples_find_them(rows: list[Evidence], examples: Examples) -> None:
    assert len(examples) == 80
    span = examples.places(3)
    assert span.stop - span.start == 4
    assert set(np.flatnonzero(examples.gold[span]).tolist()) == set(rows[3].gold)
    distinct = {text for row in rows for text in (row.query, *row.sentences)}
    assert len(examples.starts) == len(distinct) + 1
    query = tokenizer_of(rows).encode(rows[3].query).ids
    assert examples.text(int(examples.query[3]), 99).tolist() == query


def test_arrays_survive_the_file(examples: Examples, tmp_path: Path) -> None:
    examples.save(tmp_path / "all.npz")
    again = Examples.load(tmp_path / "all.npz")
    assert all(np.array_equal(value, getattr(again, name)) for name, value in vars(examples).items())


def test_a_sequence_is_query_chosen_and_candidate(examples: Examples) -> None:
    def text(place: int) -> list[int]:
        return examples.text(int(examples.sentence[place]), 99).tolist()

    group = Sampler(examples).state(0, [2])
    sequence = group.sequences[0].tolist()
    assert sequence[0] == CLS
    assert sequence.count(SEP) == 4  # "fever" is a running text: what stands beside is read, too
    assert sequence[sequence.index(BEFORE) :] == [BEFORE, AFTER, *text(1), SEP]
    assert group.sequences[2].tolist()[-len(text(2)) - 3 :] == [BEFORE, *text(2), AFTER, SEP]
    assert group.seconds[0] == sequence.index(SEP) + 1
    assert group.places == [0, 1, 3, -2, -3]
    assert group.sequences[-2].tolist()[-2:] == [COMPLETE, SEP]
    assert group.sequences[-1].tolist()[-2:] == [NOTHING, SEP]


def test_every_decision_has_something_right_and_stops_only_when_it_should(examples: Examples) -> None:
    sampler, random = Sampler(examples, 8), np.random.default_rng(0)
    ends = set()
    for number in range(400):
        group = sampler.draw(number % 80, random)
        right = {place for place, good in zip(group.places, group.right, strict=True) if good}
        assert right
        if right & {-2, -3}:
            assert len(right) == 1  # complete or nothing, and no sentence besides
            ends |= right
        else:
            span = examples.places(number % 80)
            assert all(examples.gold[span.start + place] for place in right)
    assert ends == {-2, -3}


def test_packing_marks_the_second_part_of_each_sequence() -> None:
    rows = [np.array([101, 7, 102, 8, 102], np.int32), np.array([101, 102, 9], np.int32)]
    tokens, kinds, lengths = packed(rows, [3, 2])
    assert tokens.tolist() == [101, 7, 102, 8, 102, 101, 102, 9]
    assert kinds.tolist() == [0, 0, 0, 1, 1, 0, 0, 1]
    assert lengths.tolist() == [5, 3]


def test_the_encoder_computes_what_transformers_computes(examples: Examples, base: Path) -> None:
    policy = Policy.from_folder(base).eval()
    torch.nn.init.normal_(policy.head.weight, generator=torch.Generator().manual_seed(1))
    group = Sampler(examples).state(0, [2])
    with torch.inference_mode():
        found = scores_of(policy, group.sequences, group.seconds, most_tokens=40)
        for row, second, score in zip(group.sequences, group.seconds, found, strict=True):
            tokens = torch.from_numpy(row.astype(np.int64))[None]
            kinds = (torch.arange(len(row)) >= second).long()[None]
            states = policy.encoder(input_ids=tokens, token_type_ids=kinds).last_hidden_state[0]
            wanted = policy.head(torch.cat([states[0], states.mean(0)]))
            assert float(score) == pytest.approx(float(wanted), abs=1e-4)


def test_figures_by_hand(examples: Examples, rows: list[Evidence]) -> None:
    gold = sorted(rows[1].gold)
    wrong = next(place for place in range(4) if place not in gold)
    whole = Chosen(1, order=[*gold, wrong], stopped_at=2, stopped_by=-2, nothing=[0.1])
    half = Chosen(
        3, order=[min(rows[3].gold), *(p for p in range(4) if p not in rows[3].gold)], nothing=[0.2]
    )
    found = figures(examples, [whole, half])["hotpotqa"]
    assert found["f1"] == pytest.approx(75.0)
    assert found["all"] == pytest.approx(50.0)
    # the first stopped with both; the second never did: 1 of 3 is right, of 2
    assert found["stop_f1"] == pytest.approx(100 * (1 + 2 / 5) / 2)


@pytest.fixture(scope="module")
def trained(
    examples: Examples, base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path, dict[str, Any]]:
    """The file of examples, the folder of a policy trained on them, and its manifest."""
    folder = tmp_path_factory.mktemp("trained")
    examples.save(folder / "all.npz")
    manifest = train_policy(folder / "all.npz", base, folder / "out", PLAN, "cpu")
    return folder / "all.npz", folder / "out", manifest


def mean_f1(policy: Policy, examples: Examples) -> float:
    found = figures(examples, choose(policy, examples, list(range(0, 80, 5))))
    return float(np.mean([row["f1"] for row in found.values()]))


@pytest.mark.slow
def test_training_learns_and_keeps_the_best_state(
    examples: Examples, base: Path, trained: tuple[Path, Path, dict[str, Any]]
) -> None:
    _, out, manifest = trained
    assert manifest["steps"] == PLAN.steps
    assert mean_f1(Policy.from_folder(out), examples) > mean_f1(Policy.from_folder(base), examples)
    rows = manifest["best"]["figures"].values()
    assert manifest["best"]["score"] == pytest.approx(np.mean([row["f1"] + row["all"] for row in rows]) / 2)


@pytest.mark.slow
def test_training_continues_from_its_checkpoint(
    base: Path, trained: tuple[Path, Path, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, manifest = trained
    again = tmp_path / "again"
    shutil.copytree(out, again)
    more = train_policy(file, base, again, replace(PLAN, steps=PLAN.steps + 2, every=100), "cpu")
    assert more["steps"] == PLAN.steps + 2
    assert more["best"]["score"] >= manifest["best"]["score"]
    assert json.loads((again / "manifest.json").read_text(encoding="utf-8"))["steps"] == PLAN.steps + 2


def test_what_is_exported_scores_as_what_was_trained(
    examples: Examples, rows: list[Evidence], base: Path, tmp_path: Path
) -> None:
    policy, trained, shipped = Policy.from_folder(base).eval(), tmp_path / "trained", tmp_path / "shipped"
    torch.nn.init.normal_(policy.head.weight, generator=torch.Generator().manual_seed(1))
    trained.mkdir()
    save_policy(policy, trained, base)
    words = tokenizer_of(rows).get_vocab()
    vocabulary = {f"[unused{at}]": at for at in range(160) if at not in words.values()}
    tokenizer = Tokenizer(WordLevel({**vocabulary, **words}, unk_token="[UNK]"))
    tokenizer.save(str(trained / "tokenizer.json"))
    examples.save(tmp_path / "all.npz")
    manifest = export_policy(trained, trained / "tokenizer.json", shipped, examples=tmp_path / "all.npz")
    assert manifest["data"]["fever"] == {
        "licence": "FEVER as in ERASER, CC BY-SA 3.0",
        "train": 32,
        "choose": 8,
    }
    assert set(LICENCES) >= set(SOURCES)
    group = Sampler(examples).state(0, [2])
    with torch.inference_mode():
        wanted = scores_of(policy, group.sequences, group.seconds).numpy()
    found = EmbeddedPolicy(ensure(tmp_path / "cache", shipped)).scores(
        tuple(row.tolist()) for row in group.sequences
    )
    scores = [found[tuple(row.tolist())] for row in group.sequences]
    assert scores == pytest.approx(wanted.tolist(), abs=0.1 * float(np.std(wanted)) + 0.05)
    assert np.corrcoef(wanted, scores)[0, 1] > 0.99


def test_rows_on_which_figures_are_reported_are_never_read(tmp_path: Path) -> None:
    (tmp_path / "hotpotqa").mkdir()
    (tmp_path / "training").mkdir()

    def row(number: int) -> dict[str, object]:
        return {
            "_id": str(number),
            "question": f"Who built boat {number}?",
            "answer": "Ada",
            "supporting_facts": [["Boat", 0]],
            "context": [["Boat", ["Ada built it.", " It is red."]]],
        }

    rows = [row(number) for number in range(MULTIHOP_REPORTED.stop + 2)]
    dev = tmp_path / "hotpotqa/hotpot_dev_distractor_sample.json"
    dev.write_text(json.dumps(rows), encoding="utf-8")
    # The first is reported on: it must not come in by another file.
    more = [row(MULTIHOP_REPORTED.start), row(900)]
    (tmp_path / "training/hotpotqa_more.jsonl").write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
    (tmp_path / "training/hotpotqa_paragraph_gold.jsonl").write_text("", encoding="utf-8")
    found = read_all(tmp_path, ["hotpotqa"])
    assert {one.id for one in found} == {str(number) for number in range(MULTIHOP_REPORTED.stop + 2)} - {
        str(number) for number in range(MULTIHOP_REPORTED.start, MULTIHOP_REPORTED.stop)
    } | {"900"}
    assert found[0].sentences == ("Boat: Ada built it.", "Boat: It is red.")
    assert found[0].gold == {0}
    assert {"wice", "hover"}.isdisjoint(SOURCES)


def test_sentences_keep_their_places() -> None:
    text = 'He said "no." Then he left in 1890. It rained.'
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        'He said "no.',
        "Then he left in 1890.",
        "It rained.",
    ]


def test_sentences_of_another_set_that_carries_the_claim_are_never_wrong() -> None:
    texts = ("the lark is red", "red is the lark", "the gull is grey", "the tern is white")
    row = Evidence("1", "the lark is red", texts, frozenset({0}), "fever", "train", also=frozenset({1}))
    sampler = Sampler(make_examples([row], tokenizer_of([row])), 4)
    seen = set()
    for number in range(60):
        seen |= set(sampler.draw(0, np.random.default_rng(number)).places)
    assert 1 not in seen
    assert {0, 2, 3} <= seen
    chosen = Chosen(0, order=[1], stopped_at=1, stopped_by=-2, nothing=[0.1])
    assert figures(sampler.examples, [chosen])["fever"]["f1"] == 100


def lines(sampler: Sampler, draws: int) -> set[tuple[int, ...]]:
    """Every sequence of many draws of the first example."""
    random = np.random.default_rng(3)
    return {tuple(row.tolist()) for _ in range(draws) for row in sampler.draw(0, random).sequences}


def test_gold_that_is_gone_does_not_stand_beside_a_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("the gull is grey", "the lark is red", "the tern is white")
    row = Evidence("1", "what is the lark", texts, frozenset({1}), "fever", "train")
    tokenizer = tokenizer_of([row])
    red = tokenizer.encode("red").ids[0]
    sampler = Sampler(make_examples([row], tokenizer), 3)
    monkeypatch.setattr("training.policy.groups.GONE", 0.0)
    assert any(red in line for line in lines(sampler, 30))
    monkeypatch.setattr("training.policy.groups.GONE", 1.0)
    assert not any(red in line for line in lines(sampler, 30))


def test_two_queries_about_one_text_need_the_evidence_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("the gull is grey", "the lark is red", "the tern is white", "the swan is black")
    rows = [
        Evidence("1", "is the lark red", texts, frozenset({1}), "fever", "train"),
        Evidence("2", "is the tern white", texts, frozenset({2}), "fever", "train"),
    ]
    tokenizer = tokenizer_of(rows)
    sampler = Sampler(make_examples(rows, tokenizer), 4)
    for name, value in {"TWO": 1.0, "GONE": 0.0, "WRONG": 0.0, "HIDING": 0.0}.items():
        monkeypatch.setattr(f"training.policy.groups.{name}", value)
    asked = tuple(tokenizer.encode("is the lark red is the tern white").ids)
    seen = set()
    for number in range(60):
        group = sampler.draw(0, np.random.default_rng(number))
        if tuple(group.sequences[0].tolist()[1 : group.seconds[0] - 1]) == asked:
            seen |= {place for place, good in zip(group.places, group.right, strict=True) if good}
    assert seen == {1, 2, -2}


def test_a_wrong_answer_leaves_the_evidence_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("the gull is grey", "the lark is red")
    rows = [
        Evidence(str(number), f"what is the {bird}", texts, frozenset({place}), "nq", "train", answer=answer)
        for number, (bird, place, answer) in enumerate([("gull", 0, "grey"), ("lark", 1, "red")])
    ]
    tokenizer = tokenizer_of(rows)
    sampler = Sampler(make_examples(rows, tokenizer), 2)
    for name, value in {"ANSWERED": 0.0, "MISLED": 1.0, "GONE": 0.0, "WRONG": 0.0, "HIDING": 0.0}.items():
        monkeypatch.setattr(f"training.policy.groups.{name}", value)
    misled = tokenizer.encode("what is the gull red").ids
    groups = [sampler.draw(0, np.random.default_rng(number)) for number in range(40)]
    found = [one for one in groups if one.sequences[0].tolist()[1 : one.seconds[0] - 1] == misled]
    assert found
    right = {place for one in found for place, good in zip(one.places, one.right, strict=True) if good}
    assert right == {0, -2}


@pytest.mark.slow
def test_a_policy_learns_from_a_trained_one(
    examples: Examples, base: Path, trained: tuple[Path, Path, dict[str, Any]], tmp_path: Path
) -> None:
    file, teacher, _ = trained
    plan = replace(PLAN, steps=12, every=12, teachers=str(teacher))
    train_policy(file, base, tmp_path / "pupil", plan, "cpu")
    groups = [Sampler(examples).state(number, []) for number in range(0, 80, 5)]

    def distance(folder: Path) -> float:
        """The mean cross entropy of a policy's probabilities under the teacher's."""
        taught, mine = Policy.from_folder(teacher).eval(), Policy.from_folder(folder).eval()
        with torch.inference_mode():
            losses = [
                distilled_loss(
                    scores_of(mine, group.sequences, group.seconds),
                    scores_of(taught, group.sequences, group.seconds).softmax(0),
                    torch.zeros(len(group.sequences), dtype=torch.long),
                    1,
                )
                for group in groups
            ]
        return float(torch.stack(losses).mean())

    assert distance(tmp_path / "pupil") < distance(base)


def test_claims_are_made_of_questions_and_go_where_those_go(tmp_path: Path) -> None:
    (tmp_path / "hotpotqa").mkdir()
    (tmp_path / "training").mkdir()
    (tmp_path / "2wikimultihopqa").mkdir()
    rows = [
        {
            "_id": str(number),
            "question": f"Who painted the boat number {number}?",
            "answer": "Ada",
            "supporting_facts": [["Boat", 0]],
            "context": [["Boat", ["Ada built it.", " It is red."]]],
        }
        for number in range(MULTIHOP_REPORTED.start)
    ]
    (tmp_path / "hotpotqa/hotpot_dev_distractor_sample.json").write_text(json.dumps(rows), encoding="utf-8")
    for name in ("hotpotqa_more", "hotpotqa_paragraph_gold", "2wiki_train"):
        (tmp_path / f"training/{name}.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "2wikimultihopqa/dev_sample.json").write_text("[]", encoding="utf-8")
    questions = {one.id: one for one in read_all(tmp_path, ["hotpotqa"])}
    claims = read_all(tmp_path, ["multihop_claims"])
    assert claims[0].query == "Ada painted the boat number 0."
    assert {one.part for one in claims} == {"train", "choose"}
    assert all(one.part == questions[one.id].part and one.gold == {0} for one in claims)
