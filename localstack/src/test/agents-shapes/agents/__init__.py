"""Of openai-agents, what the page uses, with its documented parameters."""
from types import SimpleNamespace

import wire


class Agent:
    def __init__(self, *, name, instructions=None, mcp_servers=()):
        self.mcp_servers = mcp_servers


class Runner:
    @staticmethod
    async def run(starting_agent, input):
        (server,) = starting_agent.mcp_servers
        return SimpleNamespace(final_output=wire.refunded(server.params["url"], server.params["headers"]))
