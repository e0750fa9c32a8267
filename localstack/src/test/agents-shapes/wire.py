"""What a framework does with a URL and headers: speaks MCP of 2025-11-25, as far as a list and a call need it."""
import json
import urllib.request


def message(url, headers, number, method, params):
    body = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
    everywhere = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, json.dumps(body).encode(), everywhere | headers)
    with urllib.request.urlopen(request, timeout=40) as answer:
        text = answer.read()
        return json.loads(text)["result"] if text else None


def refunded(url, headers):
    """Lists the tools and refunds 5.00 of order 1042, as the model of the snippet would; answers with the text."""
    client = {"name": "shape", "version": "1"}
    opened = message(url, headers, 1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
    headers = headers | {"MCP-Protocol-Version": opened["protocolVersion"]}
    message(url, headers, None, "notifications/initialized", {})
    names = [tool["name"] for tool in message(url, headers, 2, "tools/list", {})["tools"]]
    name = next(name for name in names if name.endswith("payment_refund"))
    call = {"name": name, "arguments": {"order": "1042", "amount": "5.00"}}
    return message(url, headers, 3, "tools/call", call)["content"][0]["text"]
