// Calls a tool with the official client as it comes: URL KEY MODE TOOL ARGUMENTS. Writes the revision and the result.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, key, mode, tool, args] = process.argv.slice(2);
const client = new Client({ name: 'judge', version: '1.0.0' }, { versionNegotiation: { mode } });
const headers = { Authorization: `Bearer ${key}` };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
const result = await client.callTool({ name: tool, arguments: JSON.parse(args) });
const version = client.getNegotiatedProtocolVersion();
console.log(JSON.stringify({ version, tools: tools.map((one) => one.name), result }));
await client.close();
