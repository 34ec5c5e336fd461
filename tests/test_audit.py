"""What is known to be weak stops the audit, and what could not be asked about is not taken for sound."""

from typing import Any

from tools import audit
from tools.bootstrap import ROOT

SOUND: dict[str, Any] = {"name": "rope", "version": "1.0", "vulns": []}
WEAK: dict[str, Any] = {
    "name": "string",
    "version": "2.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}, {"id": "PYSEC-2", "fix_versions": []}],
}
UNASKED: dict[str, Any] = {"name": "thread", "skip_reason": "not found"}


def test_sound_packages() -> None:
    answer = audit.of_python({"dependencies": [SOUND, SOUND]})
    assert (answer.asked, answer.weak, answer.unasked) == (2, [], [])
    assert audit.status([answer], where_possible=False) == 0


def test_weak_packages_stop_it_everywhere() -> None:
    answer = audit.of_python({"dependencies": [SOUND, WEAK, UNASKED]})
    assert answer.weak == ["string 2.0: PYSEC-1, mended in 2.1", "string 2.0: PYSEC-2, mended in no version yet"]
    assert answer.asked == 2
    assert [audit.status([answer], possible) for possible in (False, True)] == [1, 1]


def test_silence_is_not_a_good_answer() -> None:
    answer = audit.of_python({"dependencies": [SOUND, UNASKED]})
    assert answer.unasked == ["thread"]
    assert [audit.status([answer], possible) for possible in (False, True)] == [2, 0]
    refused = audit.of_browser({"message": "405 Method Not Allowed"})
    assert refused.unasked == ["all packages (405 Method Not Allowed)"]
    assert audit.status([refused], where_possible=False) == 2
    assert audit.of_browser({}).unasked


def test_packages_of_the_browser() -> None:
    told = {
        "vulnerabilities": {"b": {"severity": "high"}, "a": {"severity": "low"}},
        "metadata": {"dependencies": {"total": 9}},
    }
    answer = audit.of_browser(told)
    assert (answer.asked, answer.weak) == (9, ["a: low", "b: high"])
    assert audit.status([answer], where_possible=True) == 1


def test_every_lock_is_asked_about() -> None:
    locks = {file.stem for file in (ROOT / "requirements").glob("*.txt")}
    assert locks == set(audit.LOCKS)
