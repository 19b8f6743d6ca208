"""Drives `countersign mcp` as a client of the handshake era does. Needs `mcp` 1.x.

Usage: legacy.py CALLS PROGRAM ARGUMENT... ; prints one line, `ok`, or ends with a traceback.
"""
import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from checks import TOOLS, check_recall, check_tools


async def main(calls: int, program: str, arguments: list[str]) -> None:
    async with stdio_client(StdioServerParameters(command=program, args=arguments)) as (r, w):
        async with ClientSession(r, w) as session:
            hello = await session.initialize()
            assert hello.serverInfo.name == "countersign", hello
            listed = (await session.list_tools()).tools
            check_tools([(t.name, t.annotations, t.inputSchema) for t in listed])

            async def call(name: str, given: dict):
                result = await session.call_tool(name, given)
                return result.structuredContent, result.content, result.isError

            await check_recall(call, calls)
            refused = False
            try:
                refused = (await session.call_tool("memory_approve", {"id": "C-1"})).isError
            except Exception:
                refused = True
            assert refused, "memory_approve was not refused"
    print("ok", len(TOOLS), hello.protocolVersion)


asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
