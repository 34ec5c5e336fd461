"""The page about the JSON API, made from the description that programs read."""

from __future__ import annotations

from typing import Any


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of a request's body: name, type in a word, whether it is needed, what it means."""
    for part in [schema, *schema.get("allOf", [])]:
        if "$ref" in part:
            schema = schemas[part["$ref"].rsplit("/", 1)[-1]]
    needed = schema.get("required", [])
    return [
        {"name": name, "type": _type(value), "needed": name in needed, "text": value.get("description", "")}
        for name, value in schema.get("properties", {}).items()
    ]


def _type(schema: dict[str, Any]) -> str:
    if "oneOf" in schema:
        return " or ".join(_type(one) for one in schema["oneOf"])
    kind = schema.get("type", "object")
    return "number" if kind == "integer" else "text" if kind == "string" else str(kind)


def _operation(method: str, path: str, told: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    security = told.get("security") or []
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return {
        "id": told["operationId"],
        "method": method.upper(),
        "path": path,
        "title": told.get("summary", ""),
        "text": told.get("description", ""),
        "token": "no" if not security else "may" if {} in security else "must",
        "parameters": [
            {"name": p["name"], "in": p["in"], "needed": p.get("required", False), "text": p.get("description", "")}
            for p in told.get("parameters", [])
        ],
        "fields": _fields(body, schemas) if body else [],
        "examples": body.get("examples", []),
        "answers": sorted(told.get("responses", {})),
    }


def chapters(description: dict[str, Any]) -> list[dict[str, Any]]:
    """The API by chapter, each with its operations; `description` is the OpenAPI document."""
    schemas = description["components"]["schemas"]
    operations = [
        (told.get("tags", [""])[0], _operation(method, path, told, schemas))
        for path, methods in description["paths"].items()
        for method, told in methods.items()
    ]
    return [
        {
            "title": tag["name"],
            "text": tag["description"],
            "operations": [o for name, o in operations if name == tag["name"]],
        }
        for tag in description["tags"]
    ]
