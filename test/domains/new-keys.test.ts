// Tests that DKIM key generation, which takes a quarter of a second of a core per key, has its own rate limit and leaves threads
// to others.
import { randomFill } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateDkimKey } from '../../src/lib/secrets/index.js';
import { startFullApi, type FullApiRig } from '../support/program.js';

const LIMIT = 3;
let rig: FullApiRig;

beforeAll(async () => {
  rig = await startFullApi({ env: { MAILKEEL_RATE_LIMIT_NEW_KEYS: `${LIMIT}/min` } });
});
afterAll(() => rig.close());

async function post(key: string, url: string, payload: object = {}) {
  const headers = { authorization: `Bearer ${key}` };
  const {
    statusCode,
    headers: answered,
    body,
  } = await rig.app.inject({ method: 'POST', url, headers, payload });
  return {
    status: statusCode,
    retryAfter: answered['retry-after'],
    json: JSON.parse(body) as Record<string, unknown>,
  };
}

it('limits new sub-tenants, senders and rotations of a workspace together, without affecting other workspaces', async () => {
  const { liveKey: key } = rig;
  const made = await post(key, '/v1/sub-tenants', { name: 'A', sending_domain: 'a.example' });
  expect(made.status).toBe(201);
  expect(await post(key, '/v1/senders', { domain: 'b.example' })).toMatchObject({ status: 201 });
  const rotation = await post(key, `/v1/sub-tenants/${String(made.json['id'])}/rotate-dkim`);
  // Its first keys are new, but the request still counts.
  expect(rotation.status).toBe(409);
  for (const [url, body] of [
    ['/v1/sub-tenants', { name: 'C', sending_domain: 'c.example' }],
    ['/v1/senders', { domain: 'c.example' }],
    ['/compat/resend/domains', { name: 'c.example' }],
  ] as const) {
    expect(await post(key, url, body), url).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/) as unknown,
    });
  }
  const second = await post(key, '/v1/workspaces', { name: 'Second', api_keys: true });
  const [other] = second.json['api_keys'] as { secret: string }[];
  expect(await post(other?.secret ?? '', '/v1/senders', { domain: 'd.example' })).toMatchObject({
    status: 201,
  });
});

describe('keys', () => {
  it('are created one after the other, so that other work gets a thread', async () => {
    let made = 0;
    // A different size, because keys of 2,048 bits are pregenerated in tests.
    const keys = Array.from({ length: 8 }, async () => {
      await generateDkimKey('rsa-sha256', 2056);
      made += 1;
    });
    await promisify(randomFill)(Buffer.alloc(16));
    expect(made).toBe(0);
    await Promise.all(keys);
  });
});
