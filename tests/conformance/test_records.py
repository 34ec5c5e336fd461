"""Records of every game: written, read and replayed byte for byte; refused, with the line, where they were touched."""

import hashlib
import json
from collections.abc import Iterator
from random import Random

import pytest

from shopfloor.engine.dice import Seed, make_dice
from shopfloor.engine.game import Game
from shopfloor.engine.records import MAX_BYTES, Record, RecordError, dump, load, record_of, replay
from tests.conformance.cases import Case, every_case, every_count, every_game, plain_cases
from tests.playing import decisions

SEALED = bytes(range(32))


def played(case: Case, seed: Seed, most: int = 5000, names: tuple[str, ...] = ()) -> tuple[Record, list, list]:
    """A record of a random game; its states and its events, step by step."""
    s = case.start(make_dice(seed))
    states, events, made = [s.encode()], [s.drain()], []
    for decision in decisions(s, Random(str(seed)), most=most):
        made.append(decision)
        states.append(s.encode())
        events.append(s.drain())
    return record_of(case.game, case.edition(), seed, case.players, case.options, made, s, names), states, events


def write(game: Game, record: Record) -> str:
    return dump(record, game.space(game.edition()).name)


@every_case
def test_a_record_replays_byte_for_byte(case: Case) -> None:
    for seed in (19, SEALED):
        record, states, events = played(case, seed, names=tuple(case.names))
        text = write(case.game, record)
        again = load(text)
        assert again == record
        assert write(case.game, again) == text
        steps = list(replay(again, case.game))
        assert [step.state.encode() for step in steps] == states
        assert [list(step.events) for step in steps] == events
        assert [step.decision for step in steps] == [None, *record.decisions]
        assert record.finished
        assert steps[-1].state.over()


@every_count
def test_a_game_under_way_has_a_record_too(case: Case) -> None:
    record, states, _ = played(case, 20, most=9)
    again = load(write(case.game, record))
    assert again == record
    assert not again.finished
    assert [step.state.encode() for step in replay(again, case.game)] == states


@every_count
def test_names_of_all_kinds_survive(case: Case) -> None:
    odd = ["Zoë \u2028 line", 'quote " \\ slash', "tab\tand\nline\r\u0085", "\u2029 \x0b \x0c \x1c \x1e"]
    odd += ["{n}", "日本", "😀"]
    for names in (tuple(odd[: case.players]), tuple(odd[-case.players :])):
        record, _, _ = played(case, 21, most=5, names=names)
        text = write(case.game, record)
        assert load(text).names == names
        assert load(text) == record


@every_count
def test_a_record_is_readable(case: Case) -> None:
    record, _, _ = played(case, 22)
    lines = write(case.game, record).splitlines()
    assert len(lines) == len(record.decisions) + 2
    assert json.loads(lines[0])["game"] == case.game.id
    for line, (seat, action) in zip(lines[1:-1], record.decisions, strict=True):
        value = json.loads(line)
        assert (value["seat"], value["action"]) == (seat, action)
        assert case.game.space(case.edition()).parse(value["do"]) == action


# -- touched ------------------------------------------------------------------------------------------------------


def small() -> tuple[Case, str]:
    case = plain_cases()[0]
    return case, write(case.game, played(case, 23, most=12)[0])


def refused(game: Game, text: str) -> RecordError:
    """Reading and replaying fail with a RecordError, whatever the text."""
    with pytest.raises(RecordError) as caught:
        list(replay(load(text), game))
    error = caught.value
    assert 0 <= error.line <= text.count("\n") + 2
    assert error.what
    assert error.line == 0 or str(error).startswith(f"line {error.line}: ")
    return error


@every_game
def test_cut_short(game: Game) -> None:
    case = next(c for c in plain_cases() if c.game is game)
    text = write(game, played(case, 24, most=12)[0])
    assert refused(game, "").line == 0
    for end in range(1, len(text) - 1):
        error = refused(game, text[:end])
        assert error.line in (text[:end].count("\n"), text[:end].count("\n") + 1)
    assert load(text[:-1]) == load(text)  # a file that has lost its last line end has lost nothing


@every_game
def test_lines_missing_twice_or_in_another_order(game: Game) -> None:
    case = next(c for c in plain_cases() if c.game is game)
    lines = write(game, played(case, 25, most=12)[0]).splitlines(keepends=True)
    for i in range(len(lines)):
        missing = refused(game, "".join(lines[:i] + lines[i + 1 :]))
        twice = refused(game, "".join(lines[: i + 1] + lines[i:]))
        if 0 < i < len(lines) - 1:
            assert missing.line == (i + 1 if i < len(lines) - 2 else len(lines) - 1)
            assert twice.line == i + 2
            if i < len(lines) - 2:
                swapped = refused(game, "".join([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]))
                assert swapped.line == i + 1


def test_every_byte_counts() -> None:
    case, text = small()
    rng = Random(26)
    reference = load(text)
    for at in range(len(text) - 1):
        for other in {rng.choice("0123456789"), rng.choice(' "{}[],:abcxyz\n\t'), chr(rng.randrange(32, 0x2100))}:
            changed = text[:at] + other + text[at + 1 :]
            if changed != text:
                refused(case.game, changed)
        refused(case.game, text[:at] + text[at + 1 :] if text[at] != text[at + 1] else text[:at] + text[at + 2 :])
    assert load(text) == reference


# -- touched, and the digest made to fit: whoever can write Python can do that --------------------------------------


def resign(lines: list[str]) -> str:
    end = json.loads(lines[-1])
    end.pop("digest", None)
    body = "".join(line + "\n" for line in lines[:-1])
    last = json.dumps(end, ensure_ascii=False, separators=(", ", ": "))
    end["digest"] = hashlib.sha256((body + last).encode(errors="surrogatepass")).hexdigest()
    return body + json.dumps(end, ensure_ascii=False, separators=(", ", ": ")) + "\n"


STRANGE: tuple[object, ...] = (
    *(None, True, -1, 0, 1.5, 10**30, "", "x", "\ud800", [], {}, [None], {"0": 1}, {"x": 1}, {"0": "1"}, {"0": 10**30}),
    *(float("nan"), float("inf"), "0" * 64, "g" * 64, "-5", {"first_player": "9"}, {"first_player": 0}, [1, 2]),
)


def forged(text: str) -> Iterator[tuple[int, str, str]]:
    """Each field of each line with strange values: (line, field, text)."""
    lines = text.splitlines()
    for i in (0, 1, len(lines) // 2, len(lines) - 1) if len(lines) < 20 else (len(lines) - 1,):
        value = json.loads(lines[i])
        for key in [*value, "more"]:
            for strange in STRANGE:
                changed = json.dumps(value | {key: strange}, separators=(", ", ": "))
                yield i + 1, key, resign([*lines[:i], changed, *lines[i + 1 :]])
            without = json.dumps({k: v for k, v in value.items() if k != key}, separators=(", ", ": "))
            yield i + 1, key, resign([*lines[:i], without, *lines[i + 1 :]])


@every_game
@pytest.mark.parametrize("most", [12, 5000])
def test_forged_records_are_refused_or_replay(game: Game, most: int) -> None:
    """Nothing but a RecordError comes out, and what is accepted is a game by the rules."""
    case = next(c for c in plain_cases() if c.game is game)
    text = write(game, played(case, 27, most=most)[0])
    refusals: list[tuple[int, int]] = []
    for line, _, changed in forged(text):
        try:
            for _ in replay(load(changed), game):
                pass
        except RecordError as error:
            refusals.append((line, error.line))
    assert len(refusals) > 50
    assert all(found == 0 or found >= line for line, found in refusals)  # another seed shows in a later line


@every_game
def test_what_does_not_belong_together(game: Game) -> None:
    case = next(c for c in plain_cases() if c.game is game)
    record = played(case, 28)[0]
    changed: list[tuple[dict[str, object], int, str]] = [
        ({"game": "chess"}, 1, "chess"),
        ({"rules_version": "0"}, 1, "version 0"),
        ({"edition": "0" * 16}, 1, "0" * 16),
        ({"players": 99}, 1, "99"),
        ({"options": {"no such option": "1"}}, 1, "no such option"),
        ({"seed": "abc"}, 1, "hexadecimal"),
        ({"seed": -4}, 1, "-4"),
        ({"standing": ()}, len(record.decisions) + 2, "places"),
        ({"decisions": record.decisions[:-1]}, len(record.decisions) + 1, "not over"),
        ({"decisions": (*record.decisions, record.decisions[-1])}, len(record.decisions) + 2, "GAME_OVER"),
        ({"decisions": ((99, 0), *record.decisions[1:])}, 2, "decision 1"),
        ({"decisions": (*record.decisions[:3], (record.decisions[3][0], 10**9))}, 5, "decision 4"),
    ]
    for changes, line, part in changed:
        other = Record(**({name: getattr(record, name) for name in Record.__dataclass_fields__} | changes))
        error = refused(game, dump(other, str))
        assert (error.line, part in error.what) == (line, True), error


def test_files_that_are_no_records() -> None:
    case, text = small()
    for other in ("hello\n", "[]\n", "{}\n", "\n\n\n", "{" * 10**5, "[" * 10**5, "\0" * 9, "1" * 9999, "\ud800"):
        refused(case.game, other)
    for harmless in ("\ufeff" + text, text.replace("\n", "\r\n"), text + "\n\n"):
        assert load(harmless) == load(text)
    assert refused(case.game, " " * (MAX_BYTES + 1)).line == 0
    assert refused(case.game, text.replace('"shopfloor": 1', '"shopfloor": 2')).line == 1


@every_game
def test_an_owners_edition_goes_by_its_hash(game: Game, tmp_path) -> None:
    case = next(c for c in plain_cases() if c.game is game)
    record = played(case, 29)[0]
    for file in (game.folder / "data").glob("*.csv"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    same = game.edition(tmp_path)
    assert len(list(replay(record, game, same))) == len(record.decisions) + 1
