"""The JSON API under fire, made from its own description: whatever is sent, the answer is one that it promises."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from shopfloor.web.app import create_app
from shopfloor.web.settings import Settings
from tests.web.programs import Program, people_at_table
from tests.web.servers import ServerProcess, server_process

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    allow_header_conformance,
    unsupported_method,
]
BUSY = ("ANALYSIS_NOT_READY", "ANALYSIS_BUSY", "ADVICE_BUSY")
TURNS = itertools.count()


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose tables may be wrecked."""
    with server_process(tmp_path_factory.mktemp("fuzz")) as process:
        yield process
        assert "unexpected error" not in process.log()


@pytest.fixture(scope="module")
def people(target: ServerProcess) -> Iterator[list[Program]]:
    with httpx.Client(base_url=target.url) as client:
        yield people_at_table(client, 2)


def described() -> dict[str, Any]:
    """The operations of the API as it describes itself. A stream never ends: test_streams.py reads it."""
    schema = create_app(Settings(secret="for the description alone")).openapi_schema.to_schema()
    found: list[Any] = list(schemathesis.openapi.from_dict(schema).get_all_operations())
    names = {result.ok().definition.raw["operationId"]: result.ok() for result in found}
    del names["streamEvents"]
    return names


OPERATIONS = described()
POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
# Any text may stand for a table, so only what has numbers or a body can be sent in a form that is not described.
FIRE = [(name, POSITIVE) for name in OPERATIONS] + [
    (name, NEGATIVE) for name, operation in OPERATIONS.items() if operation.body or operation.query
]
FEW = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None)


def cases(name: str, mode: GenerationMode) -> Any:
    """Requests that the description allows (POSITIVE), or such that it does not."""
    return OPERATIONS[name].as_strategy(generation_mode=mode)


def without_waiting(name: str, case: Any) -> None:
    if name == "wait" and isinstance(case.query, dict):
        timeout = case.query.get("timeout", 25)
        if isinstance(timeout, int | float) and timeout > 0.05:
            case.query["timeout"] = 0.05


def sent(case: Any, target: ServerProcess, headers: dict[str, str] | None = None) -> Any:
    """Send a request and look at its answer. What takes the server long may say so: that is no fault of it."""
    answer = case.call(base_url=target.url, headers=headers, timeout=120)
    busy = answer.status_code == 503 and answer.json()["code"] in BUSY
    case.validate_response(answer, checks=[check for check in CHECKS if not (busy and check is not_a_server_error)])
    return answer


@pytest.mark.parametrize(("name", "mode"), FIRE)
def test_by_strangers(name: str, mode: GenerationMode, target: ServerProcess) -> None:
    @FEW
    @given(case=cases(name, mode))
    def fire(case: Any) -> None:
        without_waiting(name, case)
        if name == "createTable" and mode is POSITIVE:
            case.body |= {"game": "zahltag", "players": 2 + next(TURNS) % 3}  # no other game is there
        sent(case, target)

    fire()


@pytest.mark.parametrize(("name", "mode"), [fire for fire in FIRE if "{table_id}" in OPERATIONS[fire[0]].path])
def test_by_people_at_a_table(name: str, mode: GenerationMode, target: ServerProcess, people: list[Program]) -> None:
    """The same at a table that is there, with tokens that sit at it: this reaches what strangers never see."""

    @FEW
    @given(case=cases(name, mode))
    def fire(case: Any) -> None:
        without_waiting(name, case)
        person = people[next(TURNS) % 2]
        case.path_parameters["table_id"] = person.table
        if name == "act" and mode is POSITIVE:
            legal = person.legal()
            if legal["actions"]:  # some of them play on
                case.body |= {"action": legal["actions"][0]["id"], "based_on": legal["number"]}
        answer = sent(case, target, person.headers)
        if name == "renewToken" and answer.status_code == 200:
            person.token = answer.json()["token"]

    fire()
