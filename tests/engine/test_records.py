"""The text of a record, line by line (how games replay from it: tests/conformance/test_records.py)."""

import hashlib
import json

import pytest

from shopfloor.engine.records import Record, RecordError, dump, load, seed_text

RECORD = Record(
    game="toy",
    rules_version="3",
    edition="0123456789abcdef",
    players=2,
    options={"weather": "rain"},
    seed=7,
    decisions=((0, 4), (1, 0)),
    names=("Ada", "Bo"),
    finished=True,
    standing=((0, 2), (1, 1)),
)
LINES = [
    '{"shopfloor": 1, "game": "toy", "rules": "3", "edition": "0123456789abcdef", "players": 2, '
    '"options": {"weather": "rain"}, "seed": 7, "names": ["Ada", "Bo"]}',
    '{"n": 1, "seat": 0, "action": 4, "do": "do 4"}',
    '{"n": 2, "seat": 1, "action": 0, "do": "do 0"}',
]


def signed(*lines: str, end: str = '{"decisions": 2, "finished": true, "places": {"0": 2, "1": 1}}') -> str:
    """A record of these lines with a digest that fits."""
    body = "".join(line + "\n" for line in lines)
    digest = hashlib.sha256((body + end).encode()).hexdigest()
    return body + end[:-1] + f', "digest": "{digest}"}}\n'


def test_a_record_is_a_few_lines_of_json() -> None:
    text = dump(RECORD, lambda action: f"do {action}")
    assert text == signed(*LINES)
    assert load(text) == RECORD


def test_what_is_written_can_be_read() -> None:
    for changes in ({"names": ()}, {"finished": False, "standing": ()}, {"decisions": ()}, {"seed": "ab" * 32}):
        record = Record(**(RECORD.__dict__ | changes))
        assert load(dump(record, str)) == record


@pytest.mark.parametrize(
    ("line", "change", "what"),
    [
        (1, {"shopfloor": 9}, "not a record of this format"),
        (1, {"game": 5}, "'game' must be a text"),
        (1, {"rules": None}, "'rules' must be a text"),
        (1, {"edition": []}, "'edition' must be a text"),
        (1, {"players": "2"}, "'players' must be a whole number"),
        (1, {"players": True}, "'players' must be a whole number"),
        (1, {"options": [1]}, "'options' must be an object of texts"),
        (1, {"options": {"weather": 1}}, "'options' must be an object of texts"),
        (1, {"seed": 1.5}, "'seed' must be a whole number"),
        (1, {"names": "Ada"}, "'names' must be a list of texts"),
        (1, {"names": [None]}, "'names' must be a list of texts"),
        (1, {"names": ["\ud800"]}, "lone surrogate"),
        (2, {"n": 2}, "decision 1 was expected here"),
        (3, {"seat": None}, "'seat' must be a whole number"),
        (3, {"action": "0"}, "'action' must be a whole number"),
        (4, {"decisions": 3}, "3 decisions announced, 2 found"),
        (4, {"finished": 1}, "'finished' must be true or false"),
        (4, {"places": [2, 1]}, "'places' must be an object"),
        (4, {"places": {"a": 1, "1": 1}}, "'places' must be an object"),
        (4, {"digest": "0" * 64}, "the digest does not fit"),
    ],
)
def test_each_fault_is_named_with_its_line(line: int, change: dict[str, object], what: str) -> None:
    lines = signed(*LINES).splitlines()
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | change)
    with pytest.raises(RecordError) as caught:
        load("\n".join(lines))
    assert caught.value.line == line
    assert what in caught.value.what


def test_a_number_of_thousands_of_digits_and_what_json_calls_none() -> None:
    for odd in ("1" * 5000, "NaN", "Infinity", "-Infinity"):
        lines = [LINES[0], LINES[1].replace("4", odd, 1), LINES[2]]
        with pytest.raises(RecordError, match="line 2: this is not a line of JSON"):
            load(signed(*lines))


def test_no_record_without_its_seed() -> None:
    assert seed_text(7) == 7
    assert seed_text(b"\x01" * 32) == "01" * 32
    with pytest.raises(ValueError, match="needs the seed"):
        seed_text(None)
