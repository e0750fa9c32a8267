class MCPServerHTTP:
    def __init__(self, *, url, headers=None, streamable=True, tool_filter=None, cache_tools_list=False):
        assert streamable
        self.url = url
        self.headers = headers
