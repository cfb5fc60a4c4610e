"""The API for people: its description as a page of ours, without a script of others."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.web.deps import SiteDep
from app.web.views import DocsView, Operation

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def docs(request: Request, site: SiteDep) -> Response:
    """Show every call of the API with an example."""
    schema = request.app.openapi()
    view = DocsView(schema["info"]["description"].strip().split("\n\n"), tuple(_operations(schema)))
    return site.pages.page("docs", view)


def _operations(schema: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in schema["paths"].items():
        for method, call in methods.items():
            content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
            yield Operation(
                method=method.upper(),
                path=path,
                description=call["description"],
                request=_pretty(content.get("example")),
                reply=_pretty(_reply_example(schema, call)),
            )


def _reply_example(schema: Mapping[str, Any], call: Mapping[str, Any]) -> Any:
    good = next(reply for status, reply in call["responses"].items() if status.startswith("2"))
    content = good.get("content", {}).get("application/json", {})
    if "example" in content:
        return content["example"]
    reference = content.get("schema", {}).get("$ref", "")
    model = schema["components"]["schemas"].get(reference.rpartition("/")[2], {})
    return next(iter(model.get("examples", [])), None)


def _pretty(example: Any) -> str | None:
    return None if example is None else json.dumps(example, indent=2, ensure_ascii=False)
