// Clients of the MCP server with the official SDK: over HTTP with a key, in the newest protocol version and in one with a
// handshake.
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

export interface ToolAnswer {
  isError: boolean;
  // the tests read many shapes; each says what it expects
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  result: CallToolResult;
}

export type McpClient = Awaited<ReturnType<typeof connectMcp>>;

export type Era = 'modern' | 'legacy';

export function newMcpClient(era: Era = 'modern'): Client {
  return new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
  );
}

export async function connectMcp(url: string, token: string, era: Era = 'modern') {
  const client = newMcpClient(era);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  // From here on, the client checks each result against the tool's output schema.
  await client.listTools();
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string, args: Record<string, unknown> = {}) => callTool(client, name, args),
    close: () => client.close(),
  };
}

/** The result as JSON: parsed from the text, which the structured content repeats. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  return { isError: result.isError === true, json: JSON.parse(text) as unknown, result };
}
