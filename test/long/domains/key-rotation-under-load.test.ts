// Tests replacing a key that others are using: both keys work during the overlap, and the old one is refused afterwards, over
// HTTP and at the relay.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { signIn } from '../../support/relay-client.js';
import { openRawClient } from '../../support/raw-client.js';
import { sized } from '../../support/run-size.js';

const OVERLAP_MS = sized({ small: 2_000, full: 4_000 });
const WORKERS = 6;

let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: { MAILKEEL_RATE_LIMIT_LIVE: '0', MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0' },
  });
  await appliance.start();
});
afterAll(() => appliance.close());

async function atRelay(key: string): Promise<string> {
  const client = await openRawClient({ port: appliance.mailPort('Relay, TLS'), tls: true });
  await client.reply();
  await client.say('EHLO client.example');
  const reply = await signIn(client, key);
  client.hangUp();
  return reply.slice(0, 3);
}

it('works together with its successor only until the overlap ends', async () => {
  const made = await appliance.api('POST', '/v1/api-keys', { body: { name: 'Load', permission: 'full' } });
  const old = made.json as { id: string; secret: string };
  const seen: { began: number; ended: number; status: number }[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const began = Date.now();
      const { status } = await appliance.api('GET', '/v1/messages?limit=1', { key: old.secret });
      seen.push({ began, ended: Date.now(), status });
    }
  };
  const workers = Array.from({ length: WORKERS }, work);
  await pause(300);
  const rotated = await appliance.api('POST', `/v1/api-keys/${old.id}/rotate`, {
    body: { overlap: `${OVERLAP_MS / 1000}s` },
  });
  expect(rotated.status).toBe(201);
  const next = rotated.json as { secret: string };
  const { expires_at, replaced_by } = (await appliance.api('GET', `/v1/api-keys/${old.id}`)).json as {
    expires_at: string;
    replaced_by: string;
  };
  expect(replaced_by).toBe(rotated.json.id);
  const end = Date.parse(expires_at);
  expect([await atRelay(old.secret), await atRelay(next.secret)]).toEqual(['235', '235']);
  await pause(Math.max(0, end + 500 - Date.now()));
  isOver = true;
  await Promise.all(workers);

  const within = seen.filter(({ ended }) => ended < end);
  const after = seen.filter(({ began }) => began >= end);
  expect(within.length).toBeGreaterThan(50);
  expect(after.length).toBeGreaterThan(0);
  expect(new Set(within.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
  expect([await atRelay(old.secret), await atRelay(next.secret)]).toEqual(['535', '235']);
  expect((await appliance.api('GET', '/v1/messages', { key: next.secret })).status).toBe(200);
});
