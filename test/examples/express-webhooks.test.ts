// Tests examples/express-webhooks: the running program delivers to it, and others try to.
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhooks } from '../../clients/sdk/src/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { buildExample, startExample, type RunningExample } from '../support/examples.js';
import { freePort } from '../support/free-port.js';
import { waitFor } from '../support/wait.js';

let appliance: Appliance;
let receiver: RunningExample;
let folder: string;
let url: string;
let secret: string;
let endpointId: string;
let start: () => Promise<RunningExample>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-receiver-'));
  appliance = await createAppliance({
    process: 'shared',
    env: {
      MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
      MAILKEEL_WEBHOOK_SCHEDULE: Array(40).fill('300ms').join(),
    },
  });
  await appliance.start();
  const port = await freePort();
  url = `http://127.0.0.1:${port}/webhooks/mailkeel`;
  const made = await appliance.api('POST', '/v1/webhook-endpoints', {
    ...key(),
    body: { url, events: ['message.delivered', 'message.bounced'] },
  });
  ({ id: endpointId, secret } = made.json as { id: string; secret: string });
  const script = await buildExample('express-webhooks/receiver.ts');
  start = async () => {
    const env = { WEBHOOK_SECRET: `whsec_bmV3,${secret}`, PORT: String(port), EVENTS_FILE: file() };
    const started = startExample(script, [], { ...env, NODE_ENV: 'production' });
    await said(started, 'Listening on port');
    return started;
  };
  receiver = await start();
});
afterAll(async () => {
  await receiver.end();
  await appliance.close();
  await rm(folder, { recursive: true, force: true });
});

const key = () => ({ key: appliance.keys.test_key });
const file = (): string => join(folder, 'events.ndjson');
const said = (example: RunningExample, text: string) =>
  waitFor(
    `the example to say ${text}`,
    () => example.written.stdout + example.written.stderr,
    (written) => written.includes(text),
  );
const times = (text: string): number => receiver.written.stdout.split(text).length - 1;

async function send(to: string): Promise<string> {
  const body = { from: 'shop@customer.example', to, subject: 'Hello', text: 'Hi.' };
  return ((await appliance.api('POST', '/v1/messages', { ...key(), body })).json as { id: string }).id;
}

async function post(body: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

interface Delivery {
  id: string;
  status: string;
  request_body: string;
}

/** Waits for this many successful deliveries of the endpoint. */
async function delivered(count: number): Promise<Delivery[]> {
  const path = `/v1/webhook-endpoints/${endpointId}/deliveries?status=succeeded`;
  const ask = async () => ((await appliance.api('GET', path, key())).json as { data: Delivery[] }).data;
  return waitFor(`${count} deliveries`, ask, (data) => data.length >= count);
}

it("accepts and handles the server's deliveries", async () => {
  const id = await send('delivered@example.com');
  const other = await send('bounced@example.com');
  await said(receiver, `${id}: message.delivered`);
  await said(receiver, `${other}: message.bounced, do not write to this address again`);
  await delivered(2);
});

it('accepts a replay without handling it again', async () => {
  const [first] = await delivered(2);
  if (first === undefined) throw new Error('Nothing was delivered.');
  const { data } = JSON.parse(first.request_body) as { data: { id: string } };
  const path = `/v1/webhook-endpoints/${endpointId}/deliveries/${first.id}/replay`;
  expect((await appliance.api('POST', path, key())).status).toBeLessThan(300);
  await delivered(3);
  // Signed by the other of the two secrets.
  expect(await post(first.request_body, webhooks.sign(first.request_body, 'whsec_bmV3'))).toBe(204);
  expect(times(`${data.id}: `)).toBe(1);
});

it('handles an event once that arrives several times at the same moment', async () => {
  const occurred_at = '2026-03-01T09:00:00.000Z';
  const event = 'message.bounced';
  const body = JSON.stringify({ event, occurred_at, data: { id: 'msg_twin', event, occurred_at } });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(body, webhooks.sign(body, secret))),
  );
  expect(new Set(answers)).toEqual(new Set([204]));
  await said(receiver, 'msg_twin: ');
  expect(times('msg_twin: ')).toBe(1);
});

it('refuses forged, changed, old and empty deliveries', async () => {
  const [first] = await delivered(1);
  const body = first?.request_body ?? '';
  const forged = body.replace(/msg_\w+/g, 'msg_forged');
  const hourAgo = new Date(Date.now() - 3_600_000);
  expect(await post(forged, webhooks.sign(forged, 'whsec_Z3Vlc3NlZA=='))).toBe(400);
  expect(await post(forged, webhooks.sign(body, secret))).toBe(400);
  expect(await post(body, webhooks.sign(body, secret, { timestamp: hourAgo }))).toBe(400);
  expect(await post(forged, {})).toBe(400);
  expect(await post('', {})).toBe(400);
  expect(await post('x'.repeat(2_000_000), webhooks.sign('x', secret))).toBe(413);
  expect(receiver.written.stdout).not.toContain('msg_forged');
  expect(await readFile(file(), 'utf8')).not.toContain('msg_forged');
});

it('continues after a kill, gets missed deliveries again, and handles none twice', async () => {
  const lines = (await readFile(file(), 'utf8')).split('\n').filter(Boolean);
  const before = lines.filter((line) => line.includes('"event"')).length;
  await receiver.end('SIGKILL');
  // As if the crash had happened before the newest event was processed, and in the middle of a line.
  const occurred_at = '2026-03-02T09:00:00.000Z';
  const event = { event: 'message.bounced', occurred_at, data: { id: 'msg_left', event: 'message.bounced' } };
  await appendFile(file(), `${JSON.stringify({ key: 'left', event })}\n{"key":"cut`);
  const id = await send('delivered@example.com');
  receiver = await start();
  await said(receiver, 'msg_left: ');
  await said(receiver, `${id}: message.delivered`);
  expect(
    receiver.written.stdout
      .trim()
      .split('\n')
      .filter((line) => line.includes('msg_')),
  ).toHaveLength(2);
  expect((await readFile(file(), 'utf8')).match(/"event":\{/g)).toHaveLength(before + 2);
});
