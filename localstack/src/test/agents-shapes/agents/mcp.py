class MCPServerStreamableHttp:
    def __init__(self, params, *, name=None, cache_tools_list=False, client_session_timeout_seconds=5, max_retry_attempts=0):
        unknown = params.keys() - {"url", "headers", "timeout", "sse_read_timeout", "terminate_on_close"}
        assert not unknown, unknown
        assert client_session_timeout_seconds > 20, "the gateway answers within 20 seconds"
        self.params = params

    async def __aenter__(self):
        return self

    async def __aexit__(self, *gone):
        return None
