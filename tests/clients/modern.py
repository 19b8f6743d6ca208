"""Drives `countersign mcp` as a client of the stateless era does. Needs `mcp` 2.x.

Usage: modern.py CALLS PROGRAM ARGUMENT... ; prints one line, `ok`, or ends with a traceback.
"""
import asyncio
import sys

from mcp import Client, StdioServerParameters, stdio_client

from checks import TOOLS, check_recall, check_tools


async def main(calls: int, program: str, arguments: list[str]) -> None:
    server = StdioServerParameters(command=program, args=arguments)
    async with Client(stdio_client(server)) as client:
        listed = (await client.list_tools()).tools
        check_tools([(t.name, t.annotations, t.input_schema) for t in listed])

        async def call(name: str, given: dict):
            result = await client.call_tool(name, given)
            return result.structured_content, result.content, result.is_error

        await check_recall(call, calls)
        refused = False
        try:
            refused = (await client.call_tool("memory_approve", {"id": "C-1"})).is_error
        except Exception:
            refused = True
        assert refused, "memory_approve was not refused"
    print("ok", len(TOOLS))


asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
