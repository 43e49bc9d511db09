import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook } from '../../src/webhooks/signature.rules.js';

const secret = 'whsec_one';
const rawBody = '{"event":"message.sent"}';
const timestamp = 1_700_000_000;
const header = signWebhook({ secret, timestamp, rawBody });

describe('a webhook signature', () => {
  it('is the hex HMAC-SHA256 of timestamp, dot and raw body', () => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
    expect(header).toBe(`t=${timestamp},v1=${expected}`);
  });

  it.each([
    ['as sent', { header }, true],
    ['at the edge of the tolerance', { now: timestamp + 300 }, true],
    ['too old', { now: timestamp + 301 }, false],
    ['from the future', { now: timestamp - 301 }, false],
    ['with another body', { rawBody: `${rawBody} ` }, false],
    ['with another secret', { secret: 'whsec_two' }, false],
    ['with another time', { header: header.replace(`t=${timestamp}`, `t=${timestamp + 1}`) }, false],
    ['with two times', { header: `t=${timestamp},${header}` }, false],
    ['with no signature', { header: `t=${timestamp}` }, false],
    ['with a short signature', { header: `t=${timestamp},v1=ab` }, false],
    ['with spaces and an unknown version', { header: header.replace(',', ', v0=x, ') }, true],
    ['far too long', { header: header + ','.repeat(3000) }, false],
  ])('%s', (_, changed, expected) => {
    expect(verifyWebhook({ secret, header, rawBody, now: timestamp, ...changed })).toBe(expected);
  });

  it('uses each secret of a rotation, and either verifies', () => {
    const both = signWebhook({ secret: ['whsec_new', secret], timestamp, rawBody: Buffer.from(rawBody) });
    expect(both.match(/v1=/g)).toHaveLength(2);
    for (const one of ['whsec_new', secret]) {
      expect(verifyWebhook({ secret: one, header: both, rawBody, now: timestamp })).toBe(true);
    }
  });

  it('in any form is checked without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(verifyWebhook({ secret, header: text, rawBody, now: timestamp })).toBe(false);
      }),
    );
  });
});
