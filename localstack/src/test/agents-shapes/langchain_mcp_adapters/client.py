"""Of langchain-mcp-adapters, what the page uses, with its documented parameters."""


class MultiServerMCPClient:
    def __init__(self, connections):
        for connection in connections.values():
            assert connection["transport"] == "streamable_http"
            unknown = connection.keys() - {"transport", "url", "headers", "timeout", "sse_read_timeout", "auth"}
            assert not unknown, unknown
        self.connections = connections

    async def get_tools(self):
        return list(self.connections.values())
