"""The JSON API under fire, from its own description: whatever is sent, the answer is one that the description promises."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

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


@pytest.fixture(scope="module")
def api(target: ServerProcess) -> Any:
    # A stream never ends: test_streams.py reads it.
    return schemathesis.openapi.from_url(f"{target.url}/api/openapi.json").exclude(operation_id="streamEvents")


schema = schemathesis.pytest.from_fixture("api")
FEW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def _without_waiting(case: Any) -> None:
    if case.operation.definition.raw.get("operationId") == "wait" and case.query:
        timeout = case.query.get("timeout")
        if isinstance(timeout, int | float) and 0 <= timeout <= 60:
            case.query["timeout"] = min(timeout, 0.05)
        elif timeout is None:
            case.query["timeout"] = 0.0


@schema.parametrize()
@FEW
def test_by_strangers(case: Any) -> None:
    _without_waiting(case)
    case.call_and_validate(checks=[*CHECKS, negative_data_rejection])


@schema.parametrize()
@FEW
def test_by_people_at_a_table(case: Any, people: list[Program]) -> None:
    """The same with a table that is there and a token that sits at it: this reaches what strangers never see."""
    _without_waiting(case)
    person = people[next(TURNS) % 2]
    if case.path_parameters and "table_id" in case.path_parameters:
        case.path_parameters["table_id"] = person.table
    headers = person.headers
    if case.body and isinstance(case.body, dict) and isinstance(case.body.get("action"), int | str):
        legal = person.legal()
        if legal["actions"] and next(TURNS) % 3 == 0:  # some of them play on
            case.body |= {"action": legal["actions"][0]["id"], "based_on": legal["number"]}
    case.call_and_validate(headers=headers, checks=CHECKS)
