"""The drawing: what stands in it, whether it can be read, and that nothing in a name can break it."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probative.give.reasoning import Reasoning
from probative.give.result import EntityGroup, Knowledge, Member
from probative.types import Triple
from probative.views.drawing import lines as lines_of
from probative.views.drawing import picture as pictures
from probative.views.drawing.connections import KINDS, Connection, all_connections, knowledge_connections
from probative.views.drawing.layout import Box, make_clusters, place_clusters, shortened, wrapped
from probative.views.drawing.lines import MAX_LINES, route
from probative.views.drawing.picture import MAX_ALONE
from probative.views.reasoning import picture_of

SVG = "{http://www.w3.org/2000/svg}"
RELATIONS = ["affects", "location of", "part of", "manifestation of", "treats"]


def draw(groups: list[EntityGroup], knowledge: Knowledge, question: str, answer: str | None = None) -> str:
    return pictures.draw(groups, knowledge_connections(knowledge), question, answer)


def connect(clusters: list[lines_of.Cluster], knowledge: Knowledge) -> tuple[list[lines_of.Line], int]:
    return lines_of.connect(clusters, knowledge_connections(knowledge))


def group(*names: str, intermediate: bool = False) -> EntityGroup:
    return EntityGroup(members=tuple(Member(name=name) for name in names), intermediate=intermediate)


def triple(head: str, relation: str, tail: str) -> Triple:
    return Triple(head=head, relation=relation, tail=tail)


MELATONIN = [
    group("melatonin", "hormone"),
    group("insomnia", "sleep disorder"),
    group("pineal gland", "gland"),
]
KNOWN = Knowledge(
    expert=(triple("hormone", "affects", "sleep disorder"), triple("Pineal_Gland", "makes", "hormone")),
    affirmative=(triple("melatonin", "is a", "hormone"), triple("melatonin", "treats", "insomnia")),
    counterfactual=(triple("melatonin", "not causes", "insomnia"),),
)


def classed(root: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in root.iter() if name in one.get("class", "").split()]


def said(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def crowded(groups: int, members: int, edges: int, seed: int = 0) -> tuple[list[EntityGroup], Knowledge]:
    chance = random.Random(seed)
    made = [
        group(
            *(f"entity {at} of a group {number}" for at in range(members)), intermediate=number == groups - 1
        )
        for number in range(groups)
    ]
    sets: dict[str, list[Triple]] = {"expert": [], "affirmative": [], "counterfactual": []}
    for one in made:
        for other in one.members[1:]:
            sets["affirmative"].append(triple(one.name, chance.choice(RELATIONS), other.name))
    for number in range(edges):
        a, b = chance.sample(made, 2)
        kind = chance.choice(sorted(sets))
        relation = ("not " if kind == "counterfactual" else "") + chance.choice(RELATIONS) + f" {number}"
        sets[kind].append(triple(chance.choice(a.members).name, relation, chance.choice(b.members).name))
    return made, Knowledge(**{kind: tuple(some) for kind, some in sets.items()})


def test_every_connection_is_drawn_in_the_way_of_its_kind() -> None:
    root = ET.fromstring(draw(MELATONIN, KNOWN, "Does melatonin help?", "yes"))
    expert, dashed = classed(root, "expert"), classed(root, "affirmative")
    assert (len(expert), len(dashed), len(classed(root, "counterfactual"))) == (2, 2, 1)
    assert all(one.get("stroke-dasharray") is None for one in [*expert, *classed(root, "counterfactual")])
    assert all(one.get("stroke-dasharray") for one in dashed)
    # One cross for the counterfactual line, one in the legend.
    assert len(classed(root, "cross")) == 2
    assert len(classed(root, "arrow")) == 5
    assert sorted(
        text for text in said(root) if text in {"affects", "makes", "is a", "treats", "not causes"}
    ) == [
        "affects",
        "is a",
        "makes",
        "not causes",
        "treats",
    ]


def test_groups_members_question_answer_and_legend_are_there() -> None:
    groups = [*MELATONIN[:2], group("pineal gland", "gland", intermediate=True)]
    root = ET.fromstring(draw(groups, KNOWN, "Does melatonin help?", "yes"))
    assert len(classed(root, "group")) == 3
    assert len(classed(root, "intermediate")) == 1
    assert len(classed(root, "member")) == 6
    assert len(classed(root, "queried")) == 3
    texts = said(root)
    for expected in (
        "Does melatonin help?",
        "Answer: yes",
        "group: melatonin",
        "intermediate group: pineal gland",
    ):
        assert expected in texts
    for expected in ("read in the graph: 2", "extrapolated: 2", "counterfactual (judged false): 1"):
        assert expected in texts
    paper = classed(root, "paper")[0]
    assert paper.get("fill") == "#ffffff"
    assert "No answer" in said(ET.fromstring(draw(groups, KNOWN, "Does it?", None)))


def test_nothing_comes_from_elsewhere() -> None:
    picture = draw(MELATONIN, KNOWN, "Does melatonin help?", "yes")
    for word in ("href", "<style", "<script", "<image", "url(", "@import"):
        assert word not in picture
    assert picture.count("http") == 1  # the namespace


def test_the_same_input_gives_the_same_drawing() -> None:
    groups, knowledge = crowded(5, 4, 200)
    assert draw(groups, knowledge, "Why?", "so") == draw(groups, knowledge, "Why?", "so")


@pytest.mark.slow
@pytest.mark.parametrize("groups", [2, 3, 4, 5])
@pytest.mark.parametrize("members", [1, 2, 4])
@pytest.mark.parametrize("edges", [8, 40])
def test_no_label_covers_another_or_a_name(groups: int, members: int, edges: int) -> None:
    """With up to 5 groups of 4; a crowd of 40 parallel lines between two single members may be too many."""
    if edges / (members * members * groups * (groups - 1) / 2) > 6:
        pytest.skip("too many lines for so few members")
    some, knowledge = crowded(groups, members, edges, seed=edges)
    root = ET.fromstring(draw(some, knowledge, "Why?", "so"))
    labels = [box(one[0]) for one in classed(root, "relation")]
    names = [box(one[1]) for one in classed(root, "member")]
    assert len(labels) == min(MAX_LINES, edges + groups * (members - 1))
    for at, one in enumerate(labels):
        assert not any(one.meets(other) for other in labels[:at])
        assert not any(one.meets(name) for name in names)
    for at, one in enumerate(names):
        assert not any(one.meets(other) for other in names[:at])


@pytest.mark.parametrize("members", [2, 3, 4])
def test_connections_within_one_group_stay_clear_too(members: int) -> None:
    one = group(*(f"entity {at}" for at in range(members)))
    inner = tuple(
        triple(one.name, f"{relation} {number}", other.name)
        for other in one.members[1:]
        for number, relation in enumerate(RELATIONS[:3])
    )
    for groups in ([one], [one, group("far")], [group("far"), one, group("away")]):
        root = ET.fromstring(draw(groups, Knowledge(affirmative=inner), "Why?", "so"))
        labels = [box(each[0]) for each in classed(root, "relation")]
        assert len(labels) == 3 * (members - 1)
        for at, label in enumerate(labels):
            assert not any(label.meets(other) for other in labels[:at])


def box(rect: ET.Element) -> Box:
    return Box(*(float(rect.get(name, "0")) for name in ("x", "y", "width", "height")))


def test_too_many_lines_are_merged_then_cut_with_experts_first() -> None:
    pair = [group("a"), group("b")]
    many = Knowledge(
        expert=tuple(triple("a", f"r{number}", "b") for number in range(40)),
        affirmative=tuple(triple("a", f"s{number}", "b") for number in range(30)),
    )
    root = ET.fromstring(draw(pair, many, "Why?", None))
    assert (len(classed(root, "expert")), len(classed(root, "affirmative"))) == (1, 1)
    assert {"r0 +39", "s0 +29"} <= set(said(root))
    assert not classed(root, "note")

    groups, knowledge = crowded(5, 4, 400)
    root = ET.fromstring(draw(groups, knowledge, "Why?", None))
    drawn = classed(root, "line")
    assert len(drawn) == MAX_LINES
    assert all("expert" in one.get("class", "") for one in drawn)
    (note,) = classed(root, "note")
    told = sum(len((one.text or "").split("; ")) for one in root.iter(f"{SVG}title")) - 20 - 1
    whole = sum(len(getattr(knowledge, kind)) for kind in ("expert", "affirmative", "counterfactual"))
    assert note.text == f"{whole - told} more connections are not drawn"


def test_after_experts_the_other_kinds_are_kept_alike() -> None:
    groups, knowledge = crowded(5, 4, 300)
    few = knowledge.model_copy(update={"expert": knowledge.expert[:10]})
    drawn = classed(ET.fromstring(draw(groups, few, "Why?", None)), "line")
    kinds = [one.get("class", "").split()[1] for one in drawn]
    assert kinds.count("expert") == 10
    assert kinds.count("affirmative") == kinds.count("counterfactual") == 25


def test_names_can_hold_anything() -> None:
    odd = "<b>&amp;\"'\x00\x1b[31m\u202e\ufffe]]>"
    groups = [group(odd, "x" * 300), group("", "光合作用 " * 20)]
    knowledge = Knowledge(
        expert=(triple(odd, "<&>", ""),), counterfactual=(triple("x" * 300, "not " + "r" * 200, odd),)
    )
    picture = draw(groups, knowledge, odd, odd)
    root = ET.fromstring(picture)
    assert len(classed(root, "line")) == 2
    assert any(text.startswith("<b>&amp;") for text in said(root))
    assert "<b>" not in picture
    assert not any(character in picture for character in "\x00\x1b\u202e\ufffe")
    assert max(len(text) for text in said(root)) < 60


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=4), st.text(max_size=40), st.text(max_size=8))
def test_whatever_is_given_the_drawing_is_xml(names: list[str], question: str, relation: str) -> None:
    groups = [group(*names[:2]), *([group(*names[2:])] if names[2:] else [])]
    triples = tuple(triple(head, relation, tail) for head in names for tail in names)
    knowledge = Knowledge(expert=triples[:8], counterfactual=triples[8:])
    root = ET.fromstring(draw(groups, knowledge, question, relation))
    assert root.tag == f"{SVG}svg"
    assert len(classed(root, "member")) == len(names)


def test_entities_outside_groups_stand_alone_and_are_counted() -> None:
    chain = tuple(triple(f"e{number}", "leads to", f"e{number + 1}") for number in range(30))
    root = ET.fromstring(draw([], Knowledge(expert=chain), "Where to?", None))
    assert len(classed(root, "member")) == MAX_ALONE
    assert len(classed(root, "line")) == MAX_ALONE - 1
    assert [one.text for one in classed(root, "note")] == [
        f"{30 - MAX_ALONE + 1} more connections are not drawn",
        f"{31 - MAX_ALONE} more entities are not drawn",
    ]
    assert not classed(root, "group")


def test_nothing_at_all_is_still_a_picture() -> None:
    root = ET.fromstring(draw([], Knowledge(), "Why?", None))
    assert said(root)[:2] == ["Why?", "No answer"]


def test_a_connection_of_a_member_with_itself_is_a_loop() -> None:
    root = ET.fromstring(
        draw([group("a"), group("b")], Knowledge(expert=(triple("a", "is", "A"),)), "?", None)
    )
    assert len(classed(root, "line")) == 1


def test_an_entity_in_two_groups_is_connected_within_its_own_group_or_across() -> None:
    """`hormone` is near both; its link with melatonin is an inner one, that with gland goes across."""
    groups = [group("melatonin", "hormone"), group("insulin", "hormone"), group("gland")]
    clusters = make_clusters(groups, [])
    knowledge = Knowledge(
        affirmative=(triple("insulin", "is a", "hormone"),), expert=(triple("hormone", "from", "gland"),)
    )
    lines, lost = connect(clusters, knowledge)
    assert lost == 0
    expert, inner = lines
    assert (inner.start.cluster, inner.end.cluster) == (1, 1)
    assert (expert.start.cluster, expert.end.cluster) == (0, 2)


def test_what_is_known_between_groups_is_drawn_between_them_at_their_own_entities() -> None:
    """`melatonin` and `hormone` both stand in two groups: an expert line must not stay inside the first."""
    groups = [group("melatonin", "hormone"), group("gland", "hormone", "melatonin"), group("hormone")]
    between = (triple("melatonin", "is a", "hormone"),)
    for kind in ("expert", "counterfactual"):
        ((line,), _) = connect(make_clusters(groups, []), Knowledge(**{kind: between}))
        assert (line.start.cluster, line.start.position) == (0, 0)
        assert (line.end.cluster, line.end.position) == (2, 0)
    ((line,), _) = connect(make_clusters(groups, []), Knowledge(affirmative=between))
    assert (line.start.cluster, line.end.cluster) == (0, 0)


def test_lines_leave_a_member_towards_the_middle_and_not_through_its_neighbours() -> None:
    groups, knowledge = crowded(4, 4, 24)
    clusters = make_clusters(groups, [])
    lines, _ = connect(clusters, knowledge)
    place_clusters(clusters, [], 1.5)
    route(lines, clusters)
    for line in lines:
        if line.inner:
            continue
        for spot, point in ((line.start, line.curve[0]), (line.end, line.curve[-1])):
            inner_side = {
                "left": spot.box.x + spot.box.width + 3,
                "right": spot.box.x - 3,
                "top": spot.box.y + spot.box.height + 3,
                "bottom": spot.box.y - 3,
            }[clusters[spot.cluster].side]
            assert point[1 if clusters[spot.cluster].across else 0] == pytest.approx(inner_side)


@settings(deadline=None)
@given(st.text(max_size=80), st.integers(min_value=2, max_value=30), st.integers(min_value=1, max_value=4))
def test_wrapped_text_keeps_within_its_lines(text: str, width: int, most: int) -> None:
    lines = wrapped(text, width, most)
    assert 1 <= len(lines) <= most
    if text.isascii():
        assert all(len(line) <= width for line in lines)
        if not lines[-1].endswith("…"):
            assert "".join(lines).replace(" ", "") == "".join(text.split())
        assert len(shortened(text, width)) <= width


def test_the_page_finds_every_connection_by_its_id_and_the_deciding_ones_are_bold() -> None:
    fact = triple("hormone", "affects", "sleep disorder")
    reasoning = Reasoning(
        question="Does melatonin help?",
        form="yes-no",
        answer="yes",
        verdict="extrapolated",
        facts=(fact,),
        knowledge=KNOWN,
        groups=tuple(MELATONIN),
        uncertain=(triple("gland", "affects", "insomnia"),),
    )
    connections = all_connections(reasoning)
    assert [one.id for one in connections] == [
        *("expert-0", "expert-1", "affirmative-0", "affirmative-1", "counterfactual-0", "uncertain-0"),
        *("similar-0", "similar-1"),
    ]
    assert [one.id for one in connections if one.deciding] == ["expert-0", "similar-0", "similar-1"]
    root = ET.fromstring(picture_of(reasoning, connections))
    strokes = [one for one in root.iter() if one.get("data-ids") and one.get("stroke")]
    assert {one.get("data-ids") for one in strokes} == {one.id for one in connections}
    bold = {one.get("data-ids") for one in strokes if one.get("stroke-width") == "3"}
    assert bold == {"expert-0", "similar-0", "similar-1"}
    assert {one.get("data-kind") for one in strokes} == {*KINDS}
    assert {"extrapolated: 2", "similar entities: 2", "undecided: 1"} <= {*said(root)}
    similar = [one for one in strokes if one.get("data-kind") == "similar"]
    assert not any(mark.get("class") == "arrow" for one in similar for mark in one.iter())  # either way


def test_facts_that_are_no_expert_knowledge_are_drawn_too() -> None:
    fact = triple("moss", "grows in", "shade")
    read = Reasoning(question="Where?", form="text", answer="shade", verdict="read", facts=(fact,))
    assert all_connections(read) == [Connection("expert", fact, "expert-0", deciding=True)]
    assert said(ET.fromstring(picture_of(read)))[:2] == ["Where?", "Answer: shade (read from the graph)"]
