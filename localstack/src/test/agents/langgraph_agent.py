import asyncio
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient


async def main():
    client = MultiServerMCPClient(
        {
            "governed": {
                "transport": "streamable_http",
                "url": os.environ["GATEWAY"],
                "headers": {"Authorization": f"Bearer {os.environ['AGENT']}"},
            }
        }
    )
    agent = create_agent("openai:gpt-4.1", await client.get_tools())  # a graph
    print(await agent.ainvoke({"messages": "Refund 5.00 of order 1042."}))


asyncio.run(main())
