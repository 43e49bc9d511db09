// Tests the MCP endpoint as HTTP: who may call it, and what it refuses before the protocol starts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { connectMcp } from '../support/mcp-client.js';
import { QUICK } from '../support/mail-rig.js';

const LIMIT = 20;
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const ACCEPT = { accept: 'application/json, text/event-stream' };
let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: {
      ...QUICK,
      MAILKEEL_PUBLIC_URL: 'https://mail.example.test',
      MAILKEEL_RATE_LIMIT_TEST: `${LIMIT}/min`,
    },
  });
  await appliance.start();
});
afterAll(() => appliance.close());

const ask = (body: unknown, headers: Record<string, string> = {}, key?: string) =>
  appliance.api('POST', '/mcp', {
    body,
    headers: { ...ACCEPT, ...headers },
    ...(key === undefined ? {} : { key }),
  });

describe('POST /mcp', () => {
  it('answers in JSON without a session', async () => {
    const answer = await ask(LIST);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(answer.json).toMatchObject({ id: 1, result: { tools: expect.any(Array) as unknown } });
  });

  it('acknowledges notifications', async () => {
    const answer = await ask({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('needs a key, and accepts no session', async () => {
    expect((await ask(LIST, {}, '')).status).toBe(401);
    expect((await ask(LIST, {}, 'svc_live_unknown')).status).toBe(401);
    expect((await ask(LIST, { cookie: 'mailkeel_session=anything' }, '')).status).toBe(401);
  });

  it('refuses pages of other sites', async () => {
    expect((await ask(LIST, { origin: 'https://mail.example.test' })).status).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'http://mail.example.test']) {
      expect([origin, (await ask(LIST, { origin })).status]).toEqual([origin, 403]);
    }
  });

  it('refuses batches, other methods and large bodies', async () => {
    expect((await ask([LIST, LIST])).status).toBe(422);
    expect((await ask({ ...LIST, params: { text: 'x'.repeat(1024 * 1024) } })).status).toBe(413);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await appliance.api(method, '/mcp', { headers: ACCEPT });
      expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it('opens no stream of changes', async () => {
    const { client, close } = await connectMcp(appliance.url, appliance.keys.live_key);
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: false } });
    await close();
  });

  it('counts each operation of a tool in the rate limit of the workspace', async () => {
    const call = (name: string, args: object) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args },
    });
    const { test_key: key } = appliance.keys;
    const mail = { to: 'delivered@example.com', from: 'me@example.com', subject: 'Hi', text: 'Hi' };
    const { json: sent } = await appliance.api('POST', '/v1/messages', { body: mail, key });
    const first = await ask(call('get_access', {}), {}, key);
    const left = Number(first.headers.get('ratelimit-remaining'));
    // One for the request, which is the first operation, and one for the content.
    await ask(call('get_message', { message_id: (sent as { id: string }).id }), {}, key);
    const next = await ask(call('get_access', {}), {}, key);
    expect(Number(next.headers.get('ratelimit-remaining'))).toBe(left - 3);
    for (let i = 0; i < LIMIT; i++) await ask(LIST, {}, key);
    expect((await ask(LIST, {}, key)).status).toBe(429);
  });
});
