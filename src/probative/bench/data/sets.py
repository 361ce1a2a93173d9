"""The catalogue of data sets: their files, formats, checksums, licences and where to get them.

A checksum is that of the file our kept reports were made with. The published file has more rows than a sample
and another checksum; both are read, and the manifest of a run says which one it was.
"""

from __future__ import annotations

from typing import Literal

from probative.errors import InputError
from probative.registry import Registry
from probative.types import Value

Format = Literal["json", "lines", "lines.gz", "csv", "tsv", "folder"]


class DataFile(Value):
    """A file of a data set below the data folder; `fields` are those that its first row must have.

    A `folder` has files of any kind, `pattern` says which.
    """

    path: str
    format: Format
    fields: tuple[str, ...] = ()
    sha256: str = ""
    pattern: str = "*"


class DataSet(Value):
    """A published data set: its files, its licence and where to get it.

    `questions` names a function ("module:function") that takes the data folder and yields the questions
    (`probative.bench.data.multihop.Question`), for the leaderboard.
    """

    name: str
    title: str
    files: tuple[DataFile, ...]
    source: str
    licence: str
    questions: str = ""


_MULTIHOP = ("_id", "question", "answer", "supporting_facts", "context")
_ERASER = ("annotation_id", "query", "evidences", "classification")
_POISONED = ("question", "correct answer", "incorrect answer", "adv_texts")
_SETS = (
    DataSet(
        name="hotpotqa",
        title="HotpotQA, distractor setting, dev",
        files=(
            DataFile(
                path="hotpotqa/hotpot_dev_distractor_sample.json",
                format="json",
                fields=_MULTIHOP,
                sha256="d5cc22d269a6799af4fd62faea2e155d3b057ad48fe889d6f38fb35714be6eb1",
            ),
        ),
        source="https://hotpotqa.github.io (hotpot_dev_distractor_v1.json)",
        licence="CC BY-SA 4.0",
        questions="probative.bench.data.multihop:read_hotpotqa",
    ),
    DataSet(
        name="2wikimultihopqa",
        title="2WikiMultihopQA, dev",
        files=(
            DataFile(
                path="2wikimultihopqa/dev_sample.json",
                format="json",
                fields=_MULTIHOP,
                sha256="a12263bddf6ca3d020ebfd8be3eb61672a83b6db83da6d69af009eb178dc6e4c",
            ),
        ),
        source="https://github.com/Alab-NII/2wikimultihop (dev.json)",
        licence="Apache-2.0",
        questions="probative.bench.data.multihop:read_2wikimultihopqa",
    ),
    DataSet(
        name="2wiki-corpus",
        title="Pages of 2WikiMultihopQA",
        files=(
            DataFile(
                path="2wikimultihopqa/corpus.json",
                format="json",
                fields=("title", "text"),
                sha256="9d6e352952aafb18dab22bf8195039461321a44a949df902ae83bce134ad238a",
            ),
        ),
        source="https://github.com/OSU-NLP-Group/HippoRAG (2wikimultihopqa_corpus.json)",
        licence="Apache-2.0",
    ),
    DataSet(
        name="musique",
        title="MuSiQue, answerable",
        files=(
            DataFile(
                path="musique/train_sample.json",
                format="json",
                fields=("id", "paragraphs", "question", "answer"),
                sha256="bca674746844637f5c68408a96b67bc0542d98e7c53715f3acafe144bd5e4ff4",
            ),
        ),
        source="https://github.com/StonyBrookNLP/musique",
        licence="CC BY 4.0",
    ),
    DataSet(
        name="rgb",
        title="RGB, English facts with wrong documents",
        files=(
            DataFile(
                path="rgb/en_fact.json",
                format="lines",
                fields=("query", "answer", "fakeanswer", "positive", "positive_wrong", "negative"),
                sha256="92f4b2330ee407f74fbd923197028ef5140cfbc1f4b4092efec2d4d10ae6c9e5",
            ),
        ),
        source="https://github.com/chen700564/RGB (data/en_fact.json)",
        licence="CC BY-NC-SA",
    ),
    DataSet(
        name="hover",
        title="HoVer, dev, with texts",
        files=(
            DataFile(
                path="hover/dev_with_text_sample.jsonl",
                format="lines",
                fields=("uid", "claim", "num_hops", "context", "gold_sentences"),
                sha256="f5c22a5346adfca53aefa7cbcaf705484aafc637412031b458776007949ea832",
            ),
        ),
        source="https://hover-nlp.github.io",
        licence="MIT, CC BY-SA",
    ),
    *(
        DataSet(
            name=name,
            title=f"{title} in ERASER form",
            files=(
                DataFile(path=f"eraser/{name}/val.jsonl", format="lines", fields=_ERASER, sha256=sha256),
                DataFile(path=f"eraser/{name}/docs", format="folder"),
            ),
            source="https://www.eraserbenchmark.com",
            licence=licence,
        )
        for name, title, licence, sha256 in (
            (
                "fever",
                "FEVER",
                "CC BY-SA 3.0",
                "3c3d760266d05d0d2a08b499a4a76295f9f38d05420d0f2869afc4e9175666b2",
            ),
            (
                "multirc",
                "MultiRC",
                "ERASER",
                "4466f3a5bc86612278bfe0641ae3717b884bbd7cf451839ec7af5ba125020aea",
            ),
        )
    ),
    DataSet(
        name="wice",
        title="WiCE, dev",
        files=(
            DataFile(
                path="wice/dev.jsonl",
                format="lines",
                fields=("label", "supporting_sentences", "claim", "evidence"),
                sha256="67531ca79bde4c81d3752fb69d9cb0d3d6763de5c3028f548b83ef053a6f8042",
            ),
        ),
        source="https://github.com/ryokamoi/wice",
        licence="ODC-BY, CC BY-SA",
    ),
    DataSet(
        name="pubmedqa",
        title="PubMedQA, labelled",
        files=(
            DataFile(
                path="pubmedqa/ori_pqal.json",
                format="json",
                fields=("QUESTION", "CONTEXTS", "final_decision"),
                sha256="b2ab8b9665627fefc86273a9b2e49bb349f8b4d56c8f9dddf457cb838d2fb6d5",
            ),
            DataFile(
                path="pubmedqa/test_ground_truth.json",
                format="json",
                sha256="955597f02b50997a049face21504ea05b899389851877e0ea9e546bb7f471738",
            ),
        ),
        source="https://github.com/pubmedqa/pubmedqa",
        licence="MIT",
    ),
    DataSet(
        name="covidet",
        title="CovidET, with annotated triggers",
        files=(DataFile(path="covidet", format="folder"),),
        source="https://github.com/honglizhan/CovidET",
        licence="as its authors state; texts of people in distress",
    ),
    DataSet(
        name="bioasq",
        title="BioASQ, tasks 7B to 9B",
        files=(DataFile(path="bioasq", format="folder", pattern="**/*.json"),),
        source="http://participants-area.bioasq.org/datasets (an account is needed)",
        licence="BioASQ",
    ),
    DataSet(
        name="processbank",
        title="ProcessBank, questions",
        files=(DataFile(path="processbank/qa", format="folder"),),
        source="https://allenai.org/data/processbank",
        licence="Apache-2.0",
    ),
    DataSet(
        name="commonsenseqa",
        title="CommonsenseQA, dev",
        files=(
            DataFile(
                path="commonsenseqa/dev_rand_split.jsonl",
                format="lines",
                fields=("answerKey", "id", "question"),
                sha256="7af6f8497bd8895df91275000245fe66841d6dfaa97cf44d912e208fcc44a479",
            ),
        ),
        source="https://www.tau-nlp.org/commonsenseqa",
        licence="MIT",
    ),
    DataSet(
        name="truthfulqa",
        title="TruthfulQA",
        files=(
            DataFile(
                path="truthfulqa/TruthfulQA.csv",
                format="csv",
                fields=("Question", "Best Answer", "Correct Answers", "Incorrect Answers"),
                sha256="dd3ac8399c6fc0f5e6a59ed78da8bd2db30036140ce6217421a82fa576072d5a",
            ),
        ),
        source="https://github.com/sylinrl/TruthfulQA",
        licence="Apache-2.0",
    ),
    DataSet(
        name="poisonedrag",
        title="PoisonedRAG, questions with adversarial texts",
        files=(
            DataFile(
                path="poisonedrag/nq.json",
                format="json",
                fields=_POISONED,
                sha256="44df711454a9bada08e72e9e4a003a2cc845c43707ac93a3493e5168ec415cf2",
            ),
            DataFile(
                path="poisonedrag/msmarco.json",
                format="json",
                fields=_POISONED,
                sha256="d6bf508ebb0e31e09095995061bd483678e2ae8634f6ba5de1611e4adf9b1987",
            ),
        ),
        source="https://github.com/sleeepeer/PoisonedRAG (results/adv_targeted_results)",
        licence="MIT",
    ),
    DataSet(
        name="conflictqa",
        title="ConflictQA, StrategyQA questions",
        files=(
            DataFile(
                path="conflictqa/conflictQA-strategyQA-chatgpt.json",
                format="lines",
                fields=("question", "ground_truth", "parametric_memory"),
                sha256="36d20c83466356f06e8646b3a60dba0a303653739f06b79d99fd5a1c7c5841e0",
            ),
        ),
        source="https://github.com/OSU-NLP-Group/LLM-Knowledge-Conflict",
        licence="Apache-2.0",
    ),
    DataSet(
        name="umls",
        title="UMLS, the small graph of GIVE",
        files=(
            DataFile(
                path="umls/train.tsv",
                format="tsv",
                sha256="873ef4925516b83e7f6f8cc02b4be51d848828710a7f65a956f0ac4a9e452f35",
            ),
            DataFile(
                path="umls/test.tsv",
                format="tsv",
                sha256="a7eb529a3d2810fcc96341ccc97c625a5e202f8389673aa6bd317eeebbb79014",
            ),
            DataFile(path="umls/entity2text.txt", format="tsv"),
            DataFile(path="umls/relation2text.txt", format="tsv"),
        ),
        source="https://github.com/yao8839836/kg-bert (data/umls)",
        licence="Apache-2.0",
    ),
    DataSet(
        name="conceptnet",
        title="ConceptNet, 100,000 triples",
        files=(
            DataFile(
                path="conceptnet100k/train.txt",
                format="tsv",
                sha256="8fd8b132482fa17837e74084c6d3e0c88c828999990cffe1cf036013de906c16",
            ),
        ),
        source="https://home.ttic.edu/~kgimpel/commonsense.html (train100k.txt)",
        licence="CC BY-SA 4.0",
    ),
    DataSet(
        name="verdict",
        title="Claims with evidence and a label, 21 sets in one form",
        files=(
            DataFile(
                path="verdict/eval.jsonl.gz",
                format="lines.gz",
                fields=("set", "claim", "evidence", "label"),
                sha256="119f1f84e6ebaa0cfb742b9357a606a1971602a3151ba3c9dc42400c0333070f",
            ),
        ),
        source="the sets that docs/results.md names, written in the form that docs/bench.md describes",
        licence="of each set",
    ),
)
CATALOGUE = {data_set.name: data_set for data_set in _SETS}
"""The data sets that the package knows."""
PLUGINS = Registry("data set", {}, group="probative.data_sets", others=tuple(CATALOGUE))
"""Data sets of other packages: an entry point names a `DataSet`."""


def find_set(name: str) -> DataSet:
    """Return the data set of this name; raises `InputError` if there is none.

    >>> find_set("wice").licence
    'ODC-BY, CC BY-SA'
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    found = PLUGINS.load(name)
    if not isinstance(found, DataSet):
        raise InputError(
            f"{name} is not a data set but {type(found).__name__}",
            hint="its entry point must name a probative.bench.data.sets.DataSet",
        )
    return found
