"""The edition and the language of effects: what is wrong is refused with file, line and what would be right."""

from pathlib import Path

import pytest

from shopfloor.engine.edition import EditionError
from shopfloor.engine.refusals import IllegalAction
from shopfloor.games.temp_worker_assassins import GAME, actions, cards, effects
from shopfloor.games.temp_worker_assassins.layout import swap_action, swapped_target
from tests.games.temp_worker_assassins.table import OWN, A, ask, hand, legal, office, on_top, one, play, refused, target

FILES = ("stationery.csv", "starting_deck.csv", "turn_markers.csv", "departments.csv", "targets.csv")


def edition(folder: Path, **lines: str) -> cards.Cards:
    """Our edition with some lines replaced: by id, the whole line up to the provenance."""
    for file in FILES:
        found = []
        for line in (cards.OWN / file).read_text(encoding="utf-8").splitlines():
            key = line.split(",")[0]
            found.append(f"{lines[key]},owner,,," if key in lines else line)
        (folder / file).write_text("\n".join(found) + "\n", encoding="utf-8")
    return cards.load(folder)


def faults(folder: Path, **lines: str) -> list[str]:
    with pytest.raises(EditionError) as caught:
        edition(folder, **lines)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.rule("TA-1.1", "TA-1.2", "TA-6.13", "TA-3.4", "TA-3.6", "TA-9.4")
def test_what_the_rulebook_says_is_in_the_edition() -> None:
    by_name = dict(zip(OWN.names, OWN.effects, strict=True))
    assert by_name["Compact Disk Shuriken"] == "attack 2"
    assert by_name["Shatterable Ruler"] == "attack 1; draw 1"
    assert by_name["Fully Loaded Stapler"] == "discard 2 identical; attack 4"
    assert by_name["Fairly Sharp Pencil"] == "attack 1"
    assert by_name["Jagged Covering Letter"] == "discard 1; draw 1"
    halfling, giant = target("Halfling"), target("Giant")
    assert (OWN.defence[halfling], OWN.bounty[halfling], OWN.bonuses[halfling]) == (7, 2, "")
    assert OWN.new_hand[giant] == 7
    groups = dict(zip(OWN.department_names, OWN.department_groups, strict=True))
    assert sorted(OWN.department_groups).count("starting") == 5
    assert groups["Haunted Helpdesk"] == "four_player"
    assert next(n for n, g in groups.items() if g == "first_game") == "Tainted Training Dept"
    for name in ("Appalling Admin Dept", "Inverted Inventory Dept"):
        assert len(OWN.spaces_of(OWN.department_names.index(name))) == 2


def test_a_changed_card_works_at_once(tmp_path: Path) -> None:
    own = edition(tmp_path, ST16="ST16,Inkling of an Idea,pen,draw 1; discard 1; attack 7,2")
    assert own.hash != OWN.hash
    s = office("Pencil Idea", deck="9*Pencil", targets="Chairman", edition=own)
    play(s, A, "attempt Chairman", "play Idea", "discard Pencil")
    assert s.attack_total() == 7
    assert cards.loaded(own.hash) is own


@pytest.mark.rule("TA-6.4")
@pytest.mark.parametrize(
    ("line", "what", "why"),
    [
        ("ST16,Inkling,pen,levitate 2,2", "the effect 'levitate 2' is not known", "known on a card: attack N;"),
        ("ST16,Inkling,pen,draw two,2", "the effect 'draw two' is not known", "draw N; discard N identical;"),
        ("ST16,Inkling,pen,evict 1,2", "the effect 'evict 1' is not known", "known on a card"),
        ("ST16,Inkling,pen,draw 0,2", "'draw 0' has the number 0", "from 1 to 99"),
        ("ST16,Inkling,pen,may attack 2,2", "'may attack 2' has a 'may'", "only what is done can be optional"),
        ("ST16,Inkling,pen,discard 1 biro,2", "no card has the tag 'biro'", "there are: band, blade"),
        ("ST16,Inkling,pen,attack_per biro 1 max 3,2", "no card has the tag 'biro'", "there are"),
        ("ST16,Inkling,pen,choose draw 1,2", "has 1 options", "2 to 4"),
        ("ST16,Inkling,pen,choose draw 1 / jump 2,2", "the effect 'jump 2' is not known", "known on a card"),
        ("ST16,Inkling,pen,choose draw 1 / choose clear / draw 2,2", "'choose clear' has 1 options", "2 to 4"),
        ("ST16,Inkling,identical,draw 1,2", "a tag is 'identical'", "meaning of its own"),
        ("ST16,Inkling,pen,,2", "column 'effect' is empty", "needs a value"),
        ("ST16,Inkling,pen,draw 1; ,2", "the effect '' is not known", "known on a card"),
        ("ST16,Inkling,pen,draw 1,3", "61 Stationery Supply cards", "exactly 60"),
        ("ST16,Shatterable Ruler,pen,draw 1,2", "the name 'Shatterable Ruler' is already in line 3", "of its own"),
        ("ST16,Monday,pen,draw 1,2", "the name 'Monday' is also in stationery.csv", "names tell cards apart"),
        ("TM1,Monday,day,attack 1,2", "6 Turn Marker cards", "exactly 5"),
        ("D1,Fairly Sharp Pencil,pencil,attack 1,5", "9 Starting Deck cards", "exactly 10"),
    ],
)
def test_cards_that_are_wrong(tmp_path: Path, line: str, what: str, why: str) -> None:
    found = faults(tmp_path, **{line.split(",", maxsplit=1)[0]: line})
    fitting = [fault for fault in found if what in fault]
    assert fitting, found
    assert why in fitting[0]
    file = {"S": "stationery.csv", "T": "turn_markers.csv", "D": "starting_deck.csv"}[line[0]]
    assert file in fitting[0]
    if "exactly" not in why:
        assert "line " in fitting[0]


@pytest.mark.parametrize(
    ("line", "what", "why"),
    [
        ("DP20,Cursed Call Centre,other,1,new_hand 6,,,1", "'new_hand 6' is not known", "known on a space: draw N"),
        ("DP20,Cursed Call Centre,other,2,draw 1,,,1", "'spaces' is not 1", "columns space_1"),
        ("DP20,Cursed Call Centre,odd,1,draw 1,,,1", "column 'group' is 'odd'", "starting, hard"),
        ("DP20,Cursed Call Centre,other,1,draw 1,,,2", "column 'copies' is '2'", "from 1 to 1"),
        ("DP20,Cursed Call Centre,hard,1,draw 1,,,1", "4 Departments of the group 'hard'", "exactly 3"),
        ("DP06,Recycling,hard,1,trash 1,,,1", "'Recycling' has 1 spaces", "named like a starting Department"),
        ("DP07,Forbidden Stationery Cupboard (Hard Mode),hard,2,gain 1,gain 1,,1", "has 2 spaces", "one space fewer"),
        ("DP05,Cellar,starting,0,,,,1", "no Department 'Security'", "the rules name it"),
        ("DP09,Haunted Helpdesk,four_player,1,draw 2,,,1", "'Haunted Helpdesk' has 1 spaces", "at least 2"),
        ("DP36,Toxic Tea Point,other,3,relocate 1,relocate 1,draw 1,1", "3 spaces with 'relocate'", "at most two"),
    ],
)
def test_departments_that_are_wrong(tmp_path: Path, line: str, what: str, why: str) -> None:
    found = faults(tmp_path, **{line.split(",", maxsplit=1)[0]: line})
    fitting = [fault for fault in found if what in fault]
    assert fitting, found
    assert why in fitting[0]
    assert fitting[0].startswith("departments.csv")


@pytest.mark.parametrize(
    ("line", "what", "why"),
    [
        ("T02,Intern Imp,4,1,draw 2,,target,2", "'draw 2' is not known", "known on a bonus: trash N; gain N; research"),
        ("T02,Intern Imp,4,1,may gain 1,,target,2", "has a 'may'", "may be declined anyhow"),
        ("T02,Intern Imp,4,1,,end_per name:Unicorn 1,target,2", "there is no target 'Unicorn'", "of this edition"),
        ("T02,Intern Imp,four,1,,,target,2", "column 'defence' is 'four'", "whole number from 0 to 99"),
        ("T02,Intern Imp,4,1,,,target,3", "46 Targets", "exactly 45"),
        ("T02,Intern Imp,4,1,,,zombie,2", "2 lines of the stack 'zombie' with 7 cards", "one line with 5 copies"),
        ("T02,Audit Wraith,4,1,,,target,2", "is already in line", "of its own"),
    ],
)
def test_targets_that_are_wrong(tmp_path: Path, line: str, what: str, why: str) -> None:
    found = faults(tmp_path, **{line.split(",", maxsplit=1)[0]: line})
    fitting = [fault for fault in found if what in fault]
    assert fitting, found
    assert why in fitting[0]
    assert fitting[0].startswith("targets.csv")


def test_files_that_are_missing_or_empty(tmp_path: Path) -> None:
    with pytest.raises(EditionError) as caught:
        cards.load(tmp_path)
    assert [problem.file for problem in caught.value.problems] == list(FILES)
    edition(tmp_path)
    (tmp_path / "targets.csv").write_text("id,name,defence,bounty,bonus,end_bonus,stack,copies,provenance\n")
    with pytest.raises(EditionError, match="no lines after the first"):
        cards.load(tmp_path)
    (tmp_path / "targets.csv").write_text("id,name\nT1,Imp\n")
    with pytest.raises(EditionError, match="columns defence, bounty"):
        cards.load(tmp_path)


def test_our_own_edition_read_from_a_folder_is_the_same(tmp_path: Path) -> None:
    assert edition(tmp_path).hash == OWN.hash
    assert repr(OWN) == f"Cards({OWN.hash})"


# -- the language -------------------------------------------------------------------------------------------------


def test_texts_are_read_and_written_back() -> None:
    for place, texts in (
        (effects.CARD, OWN.effects),
        (effects.SPACE, OWN.space_effects),
        (effects.BONUS, OWN.bonuses),
        (effects.END_BONUS, OWN.end_bonuses),
    ):
        for text in texts:
            if text:
                assert effects.join(effects.read(text, place)) == text


@pytest.mark.rule("TA-A46", "TA-A30")
def test_a_choice_in_the_middle(tmp_path: Path) -> None:
    line = "DP11,Sadistic Statistics Dept,first_game,1,choose draw 1 / may trash 1 / cycle; draw 2,,,1"
    own = edition(tmp_path, DP11=line)
    for choice, more, cards_after in (
        ("choose 1", (), "Blunt Blunt Blunt Pencil Pencil"),
        ("choose 2", ("decline",), "Blunt Blunt Pencil Pencil"),
        ("choose 2", ("trash Pencil",), "Blunt Blunt Pencil"),
        ("choose 3", (), "Blunt Blunt Blunt Blunt"),
    ):
        s = office("2*Pencil", deck="9*Blunt", edition=own)
        play(s, A, "occupy Statistics")
        assert legal(s, A) == ["choose 1", "choose 2", "choose 3"]
        play(s, A, choice, *more)
        assert (hand(s, A), ask(s)) == (cards_after, "B place")


@pytest.mark.rule("TA-6.4", "TA-A30", "TA-A43")
def test_several_picks_and_optional_steps_on_cards(tmp_path: Path) -> None:
    own = edition(
        tmp_path,
        ST16="ST16,Inkling of an Idea,pen,may discard 2; draw 1,2",
        ST09="ST09,Permanently Permanent Marker,pen,may clear; gain 2; attack 1,3",
        ST10="ST10,Overstuffed Ring Binder,paper,discard 1 pencil; may recover 1; trash 2,2",
    )
    s = office("Idea 2*Pencil", deck="9*Blunt", targets="Chairman", edition=own)
    play(s, A, "attempt Chairman", "play Idea", "discard Pencil", "decline")
    assert (hand(s, A), s.left) == ("Blunt Pencil", -1)
    s = office("Marker Pencil", deck="9*Blunt", targets="Chairman", edition=own, row="2*Stamp 2*Note", supply="Badge")
    play(s, A, "attempt Chairman", "play Marker", "decline", "gain Stamp", "gain Badge")
    assert (hand(s, A), s.attack_total()) == ("Badge Pencil Stamp", 1)
    s = office("Binder 2*Pencil", deck="9*Blunt", targets="Chairman", edition=own)
    play(s, A, "attempt Chairman")
    refused(s, A, "play Binder", "CARD_NOT_PLAYABLE", why="trash", count=2)
    s = office("Binder 3*Pencil Shuriken", deck="9*Blunt", targets="Chairman", edition=own)
    play(s, A, "attempt Chairman", "play Binder", "discard Pencil", "recover Pencil", "trash Pencil", "trash Pencil")
    assert hand(s, A) == "Pencil Shuriken"
    # Gain 2 with a row of 1 and nothing behind it cannot be fulfilled.
    s = office("Marker Pencil", deck="9*Blunt", targets="Chairman", edition=own, row="Stamp", supply="")
    play(s, A, "attempt Chairman")
    refused(s, A, "play Marker", "CARD_NOT_PLAYABLE", why="row")


@pytest.mark.rule("TA-A41")
def test_two_spaces_to_relocate_from(tmp_path: Path) -> None:
    line = "DP11,Sadistic Statistics Dept,first_game,1,relocate 1; draw 2,,,1"
    own = edition(tmp_path, DP11=line)
    s = office("Pencil", deck="9*Blunt", edition=own, picks="DP25+DP11+DP12+DP13+DP10")
    play(s, A, "occupy Phantom")  # nobody to move yet
    s.current_player, s.choices = A, ()
    play(s, A, "occupy Training 1")
    s.current_player, s.choices = A, ()
    play(s, A, "occupy Statistics")
    assert legal(s, A) == ["move from Tainted Training Dept 1", "move from Phantom Facilities Dept 1"]
    s.occupant[s.spaces[-1]] = -1
    play(s, A, "move from Phantom", "move to Training 2")
    assert (hand(s, A), ask(s)) == ("Blunt Blunt Pencil", "B place")
    # A space with relocate is moved to: its instruction goes first, then the rest of the first one.
    s = office("Pencil", deck="9*Blunt", edition=own, picks="DP25+DP11+DP12+DP13+DP10")
    play(s, A, "occupy Training 1")
    s.current_player, s.choices = A, ()
    play(s, A, "occupy Phantom", "move from Training 1", "move to Statistics")
    assert ask(s) == "A move_from"
    assert legal(s, A) == ["move from Phantom Facilities Dept 1"]
    events = play(s, A, "move from Phantom", "move to Training 2")
    assert one(events, "relocated").facts["number"] == 2
    assert (hand(s, A), ask(s), s.returns_to) == ("Blunt Blunt Pencil", "B place", ())


@pytest.mark.rule("TA-A38", "TA-7.4", "TA-A32")
def test_a_bonus_of_several_parts(tmp_path: Path) -> None:
    own = edition(tmp_path, T02="T02,Intern Imp,4,1,new_hand 6; gain 2; release_self,,target,2")
    s = office("2*Shuriken", deck="9*Pencil", targets="Imp", edition=own, row="2*Stamp 2*Note")
    play(s, A, "attempt Imp", "play Shuriken", "play Shuriken")
    assert (len(s.hand[A]), s.unplaced[A], ask(s)) == (6, 5, "A gain")
    play(s, A, "gain Stamp", "decline")
    assert (len(s.hand[A]), ask(s)) == (7, "B place")


# -- the table of actions -----------------------------------------------------------------------------------------


def test_the_table_follows_the_edition() -> None:
    space = actions.make_space(OWN)
    assert space is GAME.space(OWN)
    sorts = actions.layout(OWN)
    assert sorts.size == space.size
    names = [space.name(i) for i in range(space.size)]
    assert names[sorts.occupy] == "occupy Really Spooky Recycling Area 1"
    assert names[sorts.attempt + OWN.zombie] == "attempt Typing Pool Zombie"
    assert names[sorts.play] == "play Compact Disk Shuriken"
    assert names[sorts.keep - 1] == "gain Guillotine (Mostly for Paper)"
    assert names[sorts.swap] == "swap Intern Imp"
    assert space.parse("YES") == space.parse("accept") == actions.ACCEPT
    for i in range(len(OWN.target_names)):
        if i != OWN.zombie:
            action = swap_action(sorts, OWN.zombie, i)
            assert names[action] == f"swap {OWN.target_names[i]}"
            assert swapped_target(sorts, OWN.zombie, action) == i


@pytest.mark.rule("TA-T72", "TA-A45")
def test_a_zombie_is_never_swapped() -> None:
    space = actions.make_space(OWN)
    for attempt in (
        lambda: space.parse("swap Typing Pool Zombie"),
        lambda: space.encode(actions.Swap("Typing Pool Zombie")),
    ):
        with pytest.raises(IllegalAction) as caught:
            attempt()
        assert caught.value.refusal.code == "MALFORMED"


def test_loaded_dice_draw_what_they_should() -> None:
    s = office("", deck="Pencil Letter Blunt Shuriken")
    on_top(s, A, "Shuriken", "Letter")
    play(s, A, "occupy Statistics")
    assert hand(s, A) == "Letter Shuriken"
