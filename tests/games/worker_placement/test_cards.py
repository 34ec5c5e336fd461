"""Editions: the one that comes with Shopfloor, owners' own, and what is wrong with others (WP section 7)."""

import shutil
from pathlib import Path
from random import Random

import pytest

from shopfloor.engine.dice import FastDice
from shopfloor.engine.edition import EditionError
from shopfloor.games.worker_placement import cards, rules
from shopfloor.games.worker_placement.effects import EFFECTS, parse_effect, wording
from tests.games.worker_placement.table import options
from tests.playing import to_the_end

DATA = cards.OWN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the edition, to be edited."""
    shutil.copytree(DATA, tmp_path / "edition")
    return tmp_path / "edition"


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


def faults(folder: Path) -> list[str]:
    with pytest.raises(EditionError) as caught:
        cards.load(folder)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.rule("WP-1.6", "WP-T57")
def test_our_own_edition() -> None:
    own = cards.load()
    assert own is cards.load()
    assert own.business_names[0] == "Gunther Klaus"
    assert own.card_skills(0) == (1, 0, 0, 1, 0)
    assert own.card_skills(1) == (0, 0, 0, 2, 0)
    designer = own.job_names.index("Board Game Designer")
    assert own.job_needs(designer) == (1, 1, 2, 0, 0)
    assert (own.job_cash[designer], own.job_thumbs[designer]) == (5, 1)
    assert sum(own.at_end) == 2
    assert own.building_names[4] == "Life Coach"


def test_another_folder_with_the_same_contents_is_the_same_edition(folder: Path) -> None:
    assert cards.load(folder).hash == cards.load().hash
    edit(folder, "jobs.csv", "Dog Walker to the Stars", "Dog Walker")
    other = cards.load(folder)
    assert other.hash != cards.load().hash
    assert other.job_names[0] == "Dog Walker"


def test_an_owners_edition_is_played(folder: Path) -> None:
    """Other effects, copies of a card, bonuses on Worker cards, renamed buildings, Jobs with a price."""
    edit(
        folder,
        "management.csv",
        "gain_cash 5",
        "gain_cash 1 ; pay_thumbs 1; draw 2;steal_cubes 2 each; fill_job preview",
    )
    edit(
        folder, "management.csv", "M04,Glowing Feature Article,gain_thumbs 4,play,1", "M04,Twins,recall_meeple 3,play,2"
    )
    text = (folder / "management.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "management.csv").write_text(
        "".join(line for line in text if not line.startswith("M08")), encoding="utf-8"
    )
    lines = (folder / "workers.csv").read_text(encoding="utf-8").splitlines()
    lines = [lines[0] + ",effect", lines[1] + ",end_cash 2", *[line + "," for line in lines[2:]]]
    (folder / "workers.csv").write_text("\r\n".join(lines), encoding="utf-8-sig")
    edit(folder, "buildings.csv", "City College", "Stadtakademie")
    edit(folder, "jobs.csv", "J02,Envelope Stuffer,1,1,0,0,0,3,0", "J02,Envelope Stuffer,1,1,0,0,0,-1,−2")
    own = cards.load(folder)
    assert own.scripts[0] == (14, 2, 0, 0)
    assert own.business_ids.count("M04") == 2
    assert (own.job_cash[1], own.job_thumbs[1]) == (-1, -2)
    assert own.building_names[0] == "Stadtakademie"
    for seed in range(8):
        s = rules.start(2 + seed % 4, FastDice(seed), options(), own)
        assert s.space.name(s.space.parse("consult M04 copy 2")) == "consult M04 copy 2"
        to_the_end(s, Random(seed))


def test_an_unknown_effect_is_refused_with_what_is_known(folder: Path) -> None:
    edit(folder, "management.csv", "gain_thumbs 4", "gain_thumbs 4; win_the_game")
    (fault,) = faults(folder)
    assert fault.startswith("management.csv, line 5: the effect 'win_the_game' is not known; known are: gain_cash N, ")
    assert all(effect in fault for effect in EFFECTS)


@pytest.mark.parametrize(
    ("name", "old", "new", "wanted"),
    [
        ("management.csv", "draw 3", "draw 0", "management.csv, line 9: the effect 'draw 0' is not known"),
        ("management.csv", "draw 3", "draw three", "the effect 'draw three' is not known"),
        (
            "management.csv",
            "draw 3",
            "end_cash 3",
            "line 9: 'end_cash 3' does not fit the timing; it needs the timing 'hand_at_end'",
        ),
        (
            "management.csv",
            "end_cash 4",
            "gain_cash 4",
            "line 16: 'gain_cash 4' does not fit the timing; it needs the timing 'play'",
        ),
        (
            "management.csv",
            "draw 3,play",
            "draw 3,sometimes",
            "column 'timing' is 'sometimes'; known are: play, hand_at_end",
        ),
        ("management.csv", "draw 3", "", "line 9: column 'effect' is empty"),
        (
            "workers.csv",
            "W02,Jaques Mondieux,0,0,0,2,0",
            "W02,Jaques Mondieux,0,0,0,0,0",
            "workers.csv, line 3: the card has no skill",
        ),
        ("workers.csv", "W02", "W01", "workers.csv, line 3: the id 'W01' is already in workers.csv, line 2"),
        ("skills.csv", "S01", "W01", "skills.csv, line 2: the id 'W01' is already in workers.csv, line 2"),
        ("skills.csv", "S01", "...", "skills.csv, line 2: the id '...' has neither letters nor digits"),
        (
            "skills.csv",
            "Touch Typing,1,0,0,0,0,1",
            "Touch Typing,1,0,0,0,0,2",
            "skills.csv: 24 Skill cards; the game has exactly 23",
        ),
        (
            "jobs.csv",
            "J03,Password Resetter,1,0,1",
            "J03,Password Resetter,1,0,13",
            "jobs.csv, line 4: column 'tech' is '13'; it must be a whole number from 0 to 12",
        ),
        (
            "jobs.csv",
            "J03,Password Resetter,1,0,1",
            "J03,Password Resetter,0,0,0",
            "jobs.csv, line 4: the Job needs no skill",
        ),
        (
            "jobs.csv",
            "J03,Password Resetter,1,0,1,0,0,3,0,1",
            "J03,Password Resetter,1,0,1,0,0,x,0,1",
            "column 'cash' is 'x'",
        ),
        (
            "jobs.csv",
            "J03,Password Resetter,1,0,1,0,0,3,0,1",
            "J03,Password Resetter,1,0,1,0,0,3,0,2",
            "jobs.csv: 43 Job cards; the game has exactly 42",
        ),
        ("player_order.csv", "P2,2", "P2,1", "player_order.csv, line 3: the value 1 is already in line 2"),
        (
            "player_order.csv",
            "P5,5,1,rulebook,all,seed rulebook 000\n",
            "",
            "player_order.csv: 4 Player Order cards; the game has exactly 5",
        ),
        (
            "buildings.csv",
            "gain_thumbs 2",
            "gain_thumbs 3",
            "buildings.csv, line 7: the effect 'gain_thumbs 3' is not known",
        ),
        ("buildings.csv", "gain_cube life 1", "gain_cube clerical 1", "is already that of City College"),
        ("jobs.csv", "id,name", "number,name", "jobs.csv, line 1: column id missing"),
        ("workers.csv", "published", "hearsay", "column 'provenance' is 'hearsay'"),
    ],
)
def test_faults_are_told_with_file_and_line(folder: Path, name: str, old: str, new: str, wanted: str) -> None:
    edit(folder, name, old, new)
    assert any(wanted in fault for fault in faults(folder)), faults(folder)


def test_all_faults_are_told_at_once(folder: Path) -> None:
    edit(folder, "management.csv", "draw 3", "draw up")
    edit(folder, "jobs.csv", "J03,Password Resetter,1", "J03,Password Resetter,-1")
    (folder / "skills.csv").unlink()
    found = faults(folder)
    assert [fault.split(",")[0].split(":")[0] for fault in found] == ["skills.csv", "management.csv", "jobs.csv"]
    (folder / "workers.csv").write_text((folder / "workers.csv").read_text(encoding="utf-8").splitlines()[0])
    assert "workers.csv" in "\n".join(faults(folder))


def test_effects_are_read_as_they_are_written() -> None:
    for effect in EFFECTS:
        text = effect.replace(" N", " 12").replace(" D ", " 3 ").replace(" G ", " 4 ").replace(" K", " 56")
        step = parse_effect(f"  {text} ")
        assert step is not None
        assert wording(step) == text
    for text in ("", "draw", "draw 100", "draw -1", "draw 1 2", "gain_cash N", "fill_job", "steal_cash 4", "DRAW 1"):
        assert parse_effect(text) is None
