"""What every client run checks, whichever generation of the protocol it speaks."""
import json

TOOLS = [
    "memory_observe",
    "memory_propose",
    "memory_context",
    "memory_search",
    "memory_get",
    "memory_proposal_status",
    "memory_report",
]


def check_tools(listed) -> None:
    assert [name for name, _, _ in listed] == TOOLS, listed
    for name, hints, schema in listed:
        said = hints.model_dump(by_alias=True)
        for hint in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"):
            assert isinstance(said[hint], bool), (name, said)
        assert "null" not in json.dumps(schema), (name, schema)


async def check_recall(call, calls: int) -> None:
    servings = set()
    for _ in range(calls):
        said, content, failed = await call("memory_context", {})
        assert not failed, content
        assert json.loads(content[0].text) == said
        assert said["text"].startswith("<countersign-memory ")
        servings.add(said["serving_id"])
    assert len(servings) == calls, "each recall has a serving of its own"
    said, _, failed = await call("memory_context", {"layer": "other/tenant"})
    assert failed and said["error"]["code"] == "outside_layer", said
