import asyncio
import os

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp


async def main():
    async with MCPServerStreamableHttp(
        name="governed",
        params={"url": os.environ["GATEWAY"], "headers": {"Authorization": f"Bearer {os.environ['AGENT']}"}, "timeout": 30},
        client_session_timeout_seconds=30,  # the default is 5
    ) as server:
        agent = Agent(name="Support", instructions="Refund what is asked for.", mcp_servers=[server])
        print((await Runner.run(agent, "Refund 5.00 of order 1042.")).final_output)


asyncio.run(main())
