"""The edition: the cards that come with the game, and cards that people type in."""

import json
from collections import Counter

import pytest

from shopfloor.engine.edition import EditionError
from shopfloor.games.men_at_work import cards
from shopfloor.games.men_at_work.cards import CARDS, GIRDER_HOW, RITA, WORKER_HOW, load
from shopfloor.games.men_at_work.pieces import COUNTS, KIND, KIND_NAMES, OF_COLOUR, PIECES

OWN = load()


@pytest.mark.rule("MW-1.1", "MW-1.2", "MW-1.3", "MW-1.9", "MW-1.10", "MW-1.14", "MW-D.1")
def test_the_pieces_of_the_box() -> None:
    counts = Counter(KIND_NAMES[kind] for kind in KIND)
    assert counts == {"support": 8, "girder": 28, "worker": 16, "hat": 16, "beam": 12, "brick": 12}
    assert sum(COUNTS) == PIECES == 92
    assert [len(colour) for colour in OF_COLOUR] == [7] * 4


@pytest.mark.rule("MW-1.4", "MW-1.5", "MW-D.6")
def test_thirty_six_cards_and_boss_rita() -> None:
    assert len(OWN.ids) == CARDS + 1
    assert OWN.ids[RITA] == "rita"
    assert Counter(OWN.whats[:CARDS]) == {0: 24, 1: 12}
    assert Counter(OWN.whats_even[:CARDS]) == {0: 18, 1: 18}
    assert set(Counter(OWN.girder_how[:CARDS]).values()) == {3}
    assert set(Counter(OWN.worker_how[:CARDS]).values()) == {4}


@pytest.mark.rule("MW-1.8", "MW-1.12", "MW-1.13")
def test_the_shapes_hold_hook_crane_platform_and_box() -> None:
    raw = OWN.shapes.raw
    assert [raw["pieces"][name]["count"] for name in ("hook", "crane", "platform")] == [1, 1, 1]
    assert raw["skyscraper"]["outer"] == [297, 297, 72]
    assert OWN.shapes.girder_length == 180


def edited(tmp_path, change, pieces=None):
    text = (cards.OWN / "cards.csv").read_text(encoding="utf-8")
    (tmp_path / "cards.csv").write_text(change(text), encoding="utf-8")
    if pieces is not None:
        (tmp_path / "pieces.json").write_text(pieces, encoding="utf-8")
    return tmp_path


def problems(folder) -> str:
    with pytest.raises(EditionError) as caught:
        load(folder)
    return str(caught.value)


def test_the_same_cards_have_the_same_hash(tmp_path) -> None:
    assert load(edited(tmp_path, lambda t: t)).hash == OWN.hash
    text = (cards.OWN / "pieces.json").read_text(encoding="utf-8")
    assert load(edited(tmp_path, lambda t: t, text)).hash == OWN.hash
    assert load(edited(tmp_path, lambda t: t, text.replace('"mass_g": 11.7', '"mass_g": 12.7'))).hash != OWN.hash
    assert load(edited(tmp_path, lambda t: t.replace("m01,girder", "m99,girder"))).hash != OWN.hash


@pytest.mark.rule("MW-A.13")
@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("m02,girder,orange,purple", "m02,girder,orange,orange", "line 3", "both colours are orange"),
        ("m02,girder,orange", "m02,girder,pink", "line 3", "known are: black, orange"),
        ("m02,girder", "m01,girder", "line 3", "already in line 2"),
        ("m03,girder", "m03,hammer", "line 4", "known are: girder, helmet"),
        (",TWO_BRICKS,girder", ",TEN_BRICKS,girder", "line 2", "TEN_BRICKS"),
        ("m01,", "m 1,", "line 2", "letters and digits"),
        ("rita,girder,purple,white,,", "rita,girder,purple,white,BALANCE,", "line 38", "no discard side"),
        ("rita,", "m37,", "cards.csv", "37 instruction cards"),
        ("reconstructed\nm02", "guessed\nm02", "line 2", "guessed"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, old, new, line, part) -> None:
    said = problems(edited(tmp_path, lambda text: text.replace(old, new, 1)))
    assert line in said
    assert part in said


def test_missing_cards_and_instructions(tmp_path) -> None:
    assert "35 instruction cards" in problems(edited(tmp_path, lambda t: t.replace(t.splitlines()[5] + "\n", "")))
    assert "0 cards with the id rita" in problems(edited(tmp_path, lambda t: t[: t.index("rita")]))
    assert "STRONG_WORKER" in problems(edited(tmp_path, lambda t: t.replace("STRONG_WORKER", "BALANCE")))
    assert "no lines" in problems(edited(tmp_path, lambda t: t.splitlines()[0]))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda d: d["pieces"]["girder"].update(count=27), "27 pieces of the kind girder"),
        (lambda d: d["pieces"]["girder"].update(mass_g="heavy"), "must be a number"),
        (lambda d: d["pieces"].pop("brick"), "'brick' is missing"),
        (lambda d: d["pieces"]["worker"]["parts"].pop(0), "worker's parts"),
        (lambda d: d["presets"].pop("expert"), "'expert' is missing"),
        (lambda d: d["presets"]["beginner"]["items"][0].update(piece="cow"), "'cow'"),
        (lambda d: d["presets"]["beginner"]["items"][3].update(colour="pink"), "'pink'"),
        (lambda d: d["pieces"]["beam"]["parts"][0].update(size=[1, 2, 0]), "three positive sizes"),
    ],
)
def test_shapes_that_cannot_be(tmp_path, change, part) -> None:
    shapes = json.loads((cards.OWN / "pieces.json").read_text(encoding="utf-8"))
    change(shapes)
    assert part in problems(edited(tmp_path, lambda t: t, json.dumps(shapes)))
    assert "JSON" in problems(edited(tmp_path, lambda t: t, "{"))


@pytest.mark.rule("MW-A.6")
def test_boss_rita_may_have_no_deck_side(tmp_path) -> None:
    blank = load(edited(tmp_path, lambda t: t.replace("rita,girder,purple,white,,,girder", "rita,,,,,,")))
    assert blank.whats[RITA] == -1


@pytest.mark.rule("MW-5.1", "MW-5.2", "MW-5.3")
def test_names_of_the_instructions() -> None:
    assert len(GIRDER_HOW) == 12
    assert len(WORKER_HOW) == 9
    card = OWN.ids.index("m29")
    assert (OWN.whats[card], OWN.colours[card]) == (1, (1, 3))
    assert GIRDER_HOW[OWN.girder_how[card]] == "STRONG_WORKER"
    assert WORKER_HOW[OWN.worker_how[card]] == "ONE_BEAM"
