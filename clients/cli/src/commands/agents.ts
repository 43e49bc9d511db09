// Commands mcp and init, for AI agents. `mcp` forwards each message of a client that uses stdio to the server's MCP endpoint, so
// there is only one list of tools.
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { addGlobals, confirm, running } from '../command.js';
import { type Connection, findConnection } from '../connect.js';
import { CommandError, EXIT } from '../exit-code.js';
import type { World } from '../world.js';

const FILES = ['AGENTS.md', 'llms.txt'];

export function addMcp(program: Command, world: World): void {
  const mcp = program
    .command('mcp')
    .description('Serve the tools of the MCP server over stdio, for AI agents');
  addGlobals(mcp).addHelpText(
    'after',
    `
The client starts this command and talks to it over stdin and stdout. Clients that
support HTTP can use https://<server>/mcp directly.

Examples:
  claude mcp add mailkeel -- mailkeel mcp
  mailkeel mcp --profile sandbox`,
  );
  mcp.action(async () => {
    const { globals } = running(world, mcp);
    const forward = createForwarder(await findConnection(world, globals), world.signal);
    const open = new Set<Promise<void>>();
    for await (const line of world.stdinLines()) {
      if (line.trim() === '') continue;
      const answered = forward(line).then((answer) => {
        if (answer !== null) world.stdout.write(`${answer}\n`);
      });
      open.add(answered);
      void answered.finally(() => open.delete(answered));
    }
    await Promise.all(open);
  });
}

export function addInit(program: Command, world: World): void {
  const init = program
    .command('init')
    .description('Write files about the server into a project')
    .requiredOption('--agents', 'Write AGENTS.md and llms.txt, which tell AI agents how to use the server')
    .option('--dir <path>', 'Folder to write to', '.');
  addGlobals(init).addHelpText('after', '\nExamples:\n  mailkeel init --agents');
  init.action(async ({ dir }: { dir: string }) => {
    const { printer, globals } = running(world, init);
    const { url, options } = await findConnection(world, globals);
    const written: string[] = [];
    for (const name of FILES) {
      const path = join(dir, name);
      const text = await fetchText(new URL(`/${name}`, url), options.fetch ?? fetch);
      if (await exists(path)) await confirm(world, globals, `${path} exists. Replace it?`);
      await writeFile(path, text);
      written.push(path);
    }
    printer.show({ object: 'agent_files', files: written }, () => `Wrote ${written.join(' and ')}.`);
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function fetchText(url: URL, ask: typeof fetch): Promise<string> {
  const response = await ask(url);
  if (response.ok) return response.text();
  throw new CommandError(
    EXIT.other,
    'not_supported',
    `The server has no ${url.pathname} (HTTP ${response.status}).`,
  );
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> };
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** JSON-RPC codes. */
const PARSE_ERROR = -32700;
const SERVER_ERROR = -32000;

/** Returns a function that sends one JSON-RPC message to the server, and resolves to the line to answer with, or null. */
function createForwarder({ url, options }: Connection, signal: AbortSignal) {
  const { apiKey, fetch: ask = fetch } = options;
  if (apiKey === undefined) {
    throw new CommandError(
      EXIT.auth,
      'no_key',
      'The MCP server requires an API key, and this profile uses a session.',
      'Run "mailkeel login", or set MAILKEEL_URL and MAILKEEL_API_KEY.',
    );
  }
  const endpoint = new URL('/mcp', url);
  /** Version negotiated by `initialize`. Newer clients send their version in each message. */
  let agreed: string | null = null;

  const headersOf = ({ method, params }: Message): Record<string, string> => {
    const own = params?._meta?.[VERSION_KEY];
    const version = typeof own === 'string' ? own : agreed;
    const name = params?.name ?? params?.uri;
    return {
      ...options.headers,
      ...(options.subTenant === undefined ? {} : { 'X-Sub-Tenant-Id': options.subTenant }),
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(version === null ? {} : { 'MCP-Protocol-Version': version }),
      ...(method === undefined ? {} : { 'Mcp-Method': method }),
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    };
  };

  return async (line: string): Promise<string | null> => {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return errorLine(null, PARSE_ERROR, 'The line is not JSON.');
    }
    const { id } = message;
    try {
      const response = await ask(endpoint, {
        method: 'POST',
        headers: headersOf(message),
        body: line,
        signal,
      });
      const text = await response.text();
      const answer = (text === '' ? {} : JSON.parse(text)) as Answer;
      if (message.method === 'initialize') agreed = answer.result?.protocolVersion ?? agreed;
      if (answer.jsonrpc !== undefined) return JSON.stringify(answer);
      if (id === undefined) return null;
      const { code, message: reason } = answer.error ?? {};
      return errorLine(id, SERVER_ERROR, reason ?? `The server answered with HTTP ${response.status}.`, code);
    } catch (error) {
      if (id === undefined || signal.aborted) return null;
      return errorLine(id, SERVER_ERROR, `Can't reach ${endpoint.origin}: ${reasonOf(error)}.`);
    }
  };
}

interface Answer {
  jsonrpc?: string;
  result?: { protocolVersion?: string };
  /** For a response that is not JSON-RPC, for example because the key is unknown. */
  error?: { code?: string; message?: string };
}

function errorLine(id: string | number | null, code: number, message: string, reason?: string): string {
  const data = reason === undefined ? {} : { data: { code: reason } };
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...data } });
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
