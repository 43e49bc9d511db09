// Tests that the SDK verifies webhooks as the server signs them, in both formats, and signs them in the same way.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook, standardHeaders, verifyWebhook } from '../../../src/webhooks/signature.rules.js';
import { InputError, SignatureError, webhooks, type SignedHeaders } from '../src/index.js';
import { hmacSha256, isSameOctets, sha256 } from '../src/sha256.js';

const OLD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const NEW = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const now = new Date('2026-03-01T09:00:00Z');
const timestamp = now.getTime() / 1000;
const occurred = { event: 'message.bounced', occurred_at: '2026-03-01T08:59:59.000Z' };
const rawBody = JSON.stringify({ ...occurred, data: { id: 'msg_1', ...occurred, text: 'Grüße 🎺' } });
const own = signWebhook({ secret: OLD, timestamp, rawBody });
const standard = standardHeaders({ secrets: [OLD], id: 'whd_1', timestamp, rawBody });

/** Verifies in both ways, which must agree; returns the reason of a refusal. */
async function judge(
  headers: SignedHeaders,
  { body = rawBody, secret = OLD, at = now }: { body?: string; secret?: string | string[]; at?: Date } = {},
): Promise<string> {
  const reasonOf = (error: unknown): string =>
    error instanceof SignatureError ? error.reason : String(error);
  const later = await webhooks
    .verify(body, headers, secret, { now: at })
    .then(({ event }) => event, reasonOf);
  try {
    expect(webhooks.verifySync(body, headers, secret, { now: at }).event).toBe(later);
  } catch (error) {
    expect(reasonOf(error)).toBe(later);
  }
  return later;
}

describe('a webhook', () => {
  it.each([
    ['the value of Service-Signature', own],
    ['the headers of fetch', new Headers({ 'Service-Signature': own })],
    ['the headers of Node', { 'service-signature': own, host: 'localhost', 'set-cookie': ['a', 'b'] }],
    ['the headers in another case', { 'SERVICE-SIGNATURE': [own] }],
    ['the headers of Standard Webhooks', new Headers(standard)],
    ['the same as an object', standard],
  ])('is genuine by %s', async (_name, headers) => {
    expect(await judge(headers)).toBe('message.bounced');
  });

  it('is genuine as octets', async () => {
    const octets = new TextEncoder().encode(rawBody);
    expect((await webhooks.verify(octets, own, OLD, { now })).data.id).toBe('msg_1');
    expect((await webhooks.verify(Buffer.from(rawBody), own, OLD, { now })).data.id).toBe('msg_1');
    expect(webhooks.verifySync(octets.buffer, own, OLD, { now }).data.id).toBe('msg_1');
  });

  it('is genuine by one of several secrets and signatures during a rotation', async () => {
    const both = signWebhook({ secret: [NEW, OLD], timestamp, rawBody });
    const bothStandard = standardHeaders({ secrets: [NEW, OLD], id: 'whd_1', timestamp, rawBody });
    for (const headers of [both, bothStandard]) {
      for (const secret of [OLD, NEW, [OLD, NEW], ['whsec_AAAA', NEW]]) {
        expect(await judge(headers, { secret })).toBe('message.bounced');
      }
      expect(await judge(headers, { secret: 'whsec_AAAA' })).toBe('bad_signature');
    }
    expect(await judge(own, { secret: [NEW] })).toBe('bad_signature');
  });

  it('is not genuine after a change of octets, time or form', async () => {
    expect(await judge(own, { body: `${rawBody} ` })).toBe('bad_signature');
    expect(await judge(standard, { body: rawBody.replace('msg_1', 'msg_2') })).toBe('bad_signature');
    expect(await judge({ ...standard, 'webhook-id': 'whd_2' })).toBe('bad_signature');
    expect(await judge(own.replace(String(timestamp), String(timestamp + 1)))).toBe('bad_signature');
    for (const seconds of [-301, 301]) {
      const at = new Date(now.getTime() + seconds * 1000);
      expect(await judge(own, { at })).toBe('bad_time');
      expect(await judge(standard, { at })).toBe('bad_time');
    }
    for (const header of [
      '',
      own.slice(2),
      `${own},t=${timestamp}`,
      own.replace('t=', 't=1e'),
      'x'.repeat(5000),
    ]) {
      expect(await judge(header)).toBe('no_signature');
    }
    expect(await judge({})).toBe('no_signature');
    expect(await judge({ ...standard, 'webhook-timestamp': 'now' })).toBe('no_signature');
    expect(await judge(`t=${timestamp}`)).toBe('bad_signature');
    expect(await judge({ ...standard, 'webhook-signature': 'v1,%%% v2,AAAA' })).toBe('bad_signature');
  });

  it('that is signed but not an event is reported as such', async () => {
    for (const body of ['no JSON', '[]', 'null']) {
      expect(await judge(webhooks.sign(body, OLD, { timestamp: now }), { body })).toBe('bad_body');
    }
  });

  it('is refused without a check if body or secret have the wrong type', () => {
    const parsed = JSON.parse(rawBody) as string;
    expect(() => webhooks.verifySync(parsed, own, OLD)).toThrow(InputError);
    for (const secret of ['', [], [''], undefined as unknown as string]) {
      expect(() => webhooks.verifySync(rawBody, own, secret)).toThrow('secret is missing');
    }
  });

  it('is signed for tests as by the server', () => {
    const headers = webhooks.sign(rawBody, [NEW, OLD], { timestamp: now, id: 'whd_1' });
    expect(headers).toEqual({
      'service-signature': signWebhook({ secret: [NEW, OLD], timestamp, rawBody }),
      ...standardHeaders({ secrets: [NEW, OLD], id: 'whd_1', timestamp, rawBody }),
    });
    const header = headers['service-signature'];
    expect(verifyWebhook({ secret: OLD, header, rawBody, now: timestamp })).toBe(true);
    const fresh = webhooks.sign(rawBody, OLD);
    expect(new Webhook(OLD).verify(rawBody, fresh)).toEqual(JSON.parse(rawBody));
  });
});

describe('digests', () => {
  it('equal those of the runtime, at every length around a block', () => {
    for (const length of [...Array.from({ length: 200 }, (_, i) => i), 5_000, 70_000]) {
      const octets = randomBytes(length);
      expect(Buffer.from(sha256(octets)).equals(createHash('sha256').update(octets).digest())).toBe(true);
      const key = randomBytes(length % 150);
      const expected = createHmac('sha256', key).update(octets).digest();
      expect(Buffer.from(hmacSha256(key, octets)).equals(expected)).toBe(true);
    }
  });

  it('are equal only octet for octet', () => {
    const one = Uint8Array.of(1, 2, 3);
    expect(isSameOctets(one, Uint8Array.of(1, 2, 3))).toBe(true);
    for (const other of [[1, 2, 4], [1, 2], [1, 2, 3, 0], []]) {
      expect(isSameOctets(one, Uint8Array.from(other))).toBe(false);
    }
  });
});

it('refuses an empty secret, which anyone could use', () => {
  const key = Buffer.alloc(0);
  const signature = createHmac('sha256', key).update(`whd_1.${timestamp}.${rawBody}`).digest('base64');
  const forged = {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
  expect(() => webhooks.verifySync(rawBody, forged, 'whsec_', { now })).toThrow(InputError);
});

it('refuses a delivery without headers', async () => {
  // as callers without types give it
  const none = undefined as unknown as SignedHeaders;
  await expect(webhooks.verify(rawBody, none, OLD, { now })).rejects.toThrow(SignatureError);
});
