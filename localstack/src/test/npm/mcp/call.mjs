// Calls a tool with the official client as it comes: URL KEY MODE TOOL ARGUMENTS [EXTENSION]. Writes the revision and the
// result; of a call that throws, why.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, key, mode, tool, args, extension] = process.argv.slice(2);
const capabilities = extension ? { extensions: { [extension]: {} } } : {};
const client = new Client({ name: 'judge', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
const headers = { Authorization: `Bearer ${key}` };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
const result = await client.callTool({ name: tool, arguments: JSON.parse(args) }).catch((error) => ({ thrown: error.message }));
const version = client.getNegotiatedProtocolVersion();
console.log(JSON.stringify({ version, tools: tools.map((one) => one.name), result }));
await client.close();
