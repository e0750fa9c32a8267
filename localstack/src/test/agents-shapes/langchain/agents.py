"""Of langchain, what the page uses, with its documented parameters."""
import wire


class Graph:
    def __init__(self, tools):
        self.tools = tools

    async def ainvoke(self, input):
        assert input.keys() == {"messages"}
        (connection,) = self.tools
        return wire.refunded(connection["url"], connection["headers"])


def create_agent(model, tools=None):
    return Graph(tools)
