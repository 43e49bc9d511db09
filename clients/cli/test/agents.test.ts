// Tests the commands for AI agents: the MCP server over stdio with the official client, and the files for a project.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../test/support/appliance.js';
import { callTool, newMcpClient, type Era } from '../../../test/support/mcp-client.js';
import { createCommandLine } from './support/command-line.js';

const PROGRAM = fileURLToPath(new URL('../bin/mailkeel.js', import.meta.url));
let appliance: Appliance;
let cli: Awaited<ReturnType<typeof createCommandLine>>;
let folder: string;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
  cli = await createCommandLine({ MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.test_key });
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-agents-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await cli.close();
  await appliance.close();
});

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

describe('mailkeel mcp', () => {
  it.each<Era>(['modern', 'legacy'])('serves the tools of the server to a %s client', async (era) => {
    const client = newMcpClient(era);
    const env = {
      PATH: process.env['PATH'] ?? '',
      MAILKEEL_URL: appliance.url,
      MAILKEEL_API_KEY: appliance.keys.test_key,
    };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }),
    );
    expect((await client.listTools()).tools).toHaveLength(22);
    const { json } = await callTool(client, 'get_access');
    expect(json).toMatchObject({ environment: 'test' });
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(contents).toHaveLength(1);
    await client.close();
  });

  it('answers each request on one line, and notifications not at all', async () => {
    const messages = [LIST, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...LIST, id: 8 }];
    const ran = await cli.run(['mcp'], { stdin: messages.map((one) => JSON.stringify(one)).join('\n') });
    const ids = ran.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect([ran.code, ids.sort()]).toEqual([0, [7, 8]]);
  });

  it('answers with the reason if the key is unknown, the server is away, or a line is not JSON', async () => {
    const run = async (stdin: string, env: Record<string, string>) =>
      JSON.parse((await cli.run(['mcp'], { stdin, env })).stdout) as unknown;
    const line = JSON.stringify(LIST);
    expect(await run(line, { MAILKEEL_API_KEY: 'svc_test_unknown' })).toMatchObject({
      ...{ id: 7, error: { code: -32000, data: { code: 'unauthorized' } } },
    });
    expect(await run(line, { MAILKEEL_URL: 'http://127.0.0.1:1' })).toMatchObject({
      ...{ id: 7, error: { message: expect.stringContaining("Can't reach http://127.0.0.1:1") as string } },
    });
    expect(await run('{', {})).toMatchObject({ id: null, error: { code: -32700 } });
  });
});

describe('mailkeel init --agents', () => {
  it('writes files that point to the server, and replaces none silently', async () => {
    const args = ['init', '--agents', '--dir', folder];
    const ran = await cli.run([...args, '--json']);
    expect([ran.code, ran.json]).toEqual([
      0,
      { object: 'agent_files', files: [join(folder, 'AGENTS.md'), join(folder, 'llms.txt')] },
    ]);
    expect(await readFile(join(folder, 'AGENTS.md'), 'utf8')).toContain('/mcp');
    expect(await readFile(join(folder, 'llms.txt'), 'utf8')).toMatch(/^# Mailkeel/);
    await writeFile(join(folder, 'AGENTS.md'), 'mine');
    const again = await cli.run(args);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('AGENTS.md exists')]);
    expect(await readFile(join(folder, 'AGENTS.md'), 'utf8')).toBe('mine');
    expect((await cli.run([...args, '--yes'])).code).toBe(0);
    expect(await readFile(join(folder, 'AGENTS.md'), 'utf8')).toContain('/mcp');
  });
});
