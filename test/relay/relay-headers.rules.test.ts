// Tests the options that a submitted mail can set in its header, and how errors in them are named.
import { describe, expect, it } from 'vitest';
import { readRelayHeaders } from '../../src/relay/relay-headers.rules.js';
import { nothingRequested, type Requested } from '../../src/relay/requested.rules.js';

type Given = readonly (readonly [name: string, value: string])[];

const read = (given: Given) => readRelayHeaders(given.map(([name, value]) => ({ name, value })));

function valuesOf(given: Given): Requested {
  const reading = read(given);
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  return reading.values;
}

describe('the fields of the service', () => {
  it('are empty without any, and others are ignored', () => {
    expect(
      valuesOf([
        ['Subject', 'X-Service-Tag: a'],
        ['X-Service', 'b'],
        ['X-Service-Ref', 'abc'],
      ]),
    ).toEqual(nothingRequested());
  });

  it('are parsed together', () => {
    const given = [
      ['X-Service-Tag', 'welcome, new user ,,'],
      ['x-service-tag', 'welcome,Grüße'],
      ['X-Service-Metadata', '{"order": 4711, "nested": {"a": [1.5, null]}, "__proto__": "x"}'],
      ['X-Service-Metadata-Customer-Id', ' c 1 '],
      ['X-Service-Type', 'Marketing'],
      ['X-Service-Priority', 'HIGH'],
      ['X-Service-Sub-Tenant', 'tnt_1'],
      ['X-Service-Idempotency-Key', 'k-1'],
      ['X-Service-Send-At', '2026-03-01T10:00:00+01:00'],
      ['X-Service-Expires-At', '2026-03-02T10:00:00+01:00'],
      ['X-Service-Require-TLS', 'yes'],
      ['X-Service-Track-Opens', 'TRUE'],
      ['X-Service-Track-Clicks', '0'],
    ] as const;
    const { metadata, ...rest } = valuesOf(given);
    expect(rest).toEqual({
      tags: ['welcome', 'new user', 'Grüße'],
      type: 'marketing',
      priority: 'high',
      subTenant: 'tnt_1',
      idempotencyKey: 'k-1',
      sendAt: '2026-03-01T10:00:00+01:00',
      expiresAt: '2026-03-02T10:00:00+01:00',
      requireTls: true,
      trackOpens: true,
      trackClicks: false,
    });
    expect(JSON.stringify(metadata)).toBe(
      '{"order":4711,"nested":{"a":[1.5,null]},"__proto__":"x","customer-id":"c 1"}',
    );
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });

  it.each<[string, string, string]>([
    ['X-Service-Sendat', '2026-03-01T10:00:00Z', 'is unknown'],
    ['X-Service-', 'a', 'is unknown'],
    ['X-Service-__proto__', 'a', 'is unknown'],
    ['X-Service-Type', 'spam', 'must be one of transactional, marketing, sales'],
    ['X-Service-Priority', 'urgent', 'must be one of high, normal, low'],
    ['X-Service-Require-TLS', 'maybe', 'must be true or false'],
    ['X-Service-Track-Opens', '', 'is empty'],
    ['X-Service-Sub-Tenant', ' ', 'is empty'],
    ['X-Service-Idempotency-Key', 'k'.repeat(256), 'more than 255'],
    ['X-Service-Idempotency-Key', 'a\r\nBcc: b@example.com', 'a line break'],
    ['X-Service-Tag', 'a\0b', 'a control character'],
    ['X-Service-Tag', '\ud800', 'half of a surrogate pair'],
    ['X-Service-Tag', 'a'.repeat(129), 'more than 128'],
    ['X-Service-Tag', Array.from({ length: 60 }, (_, i) => `t${i}`).join(), 'the maximum is 50'],
    ['X-Service-Metadata', '[1]', 'not a JSON object'],
    ['X-Service-Metadata', '"a"', 'not a JSON object'],
    ['X-Service-Metadata', '{a: 1}', 'not a JSON object'],
    ['X-Service-Metadata', '{"a": 12345678901234567890}', 'give it as a string'],
    ['X-Service-Metadata', '{"a": 1e999}', 'too large'],
    ['X-Service-Metadata', '{"a": "\\ud800"}', 'half of a surrogate pair'],
    ['X-Service-Metadata', '{"\\ud800": 1}', 'half of a surrogate pair'],
    ['X-Service-Metadata', `{"a": ${'['.repeat(40)}${']'.repeat(40)}}`, 'more than 32 levels'],
    ['X-Service-Metadata', `{"a": ${'['.repeat(25_000)}${']'.repeat(25_000)}}`, 'more than 32 levels'],
    ['X-Service-Metadata', `{"a": "${'b'.repeat(17_000)}"}`, 'must not exceed 16 KiB'],
    ['X-Service-Metadata-', 'a', 'has an entry without a name'],
  ])('are refused by name: %s %j', (name, value, words) => {
    const reading = read([[name, value]]);
    expect(reading).toMatchObject({
      kind: 'refused',
      problems: [{ message: expect.stringContaining(words) }],
    });
    expect(
      reading.kind === 'refused' && reading.problems[0]?.path.toLowerCase().startsWith('x-service-'),
    ).toBe(true);
  });

  it('may be folded with tabs', () => {
    expect(valuesOf([['X-Service-Metadata', '{"a":\t"b"}']]).metadata).toEqual({ a: 'b' });
    expect(valuesOf([['X-Service-Tag', 'a,\tb c']]).tags).toEqual(['a', 'b c']);
  });

  it('are refused if a record or its entry appears twice', () => {
    expect(
      read([
        ['X-Service-Type', 'sales'],
        ['x-service-type', 'sales'],
      ]),
    ).toEqual({
      kind: 'refused',
      problems: [{ path: 'x-service-type', message: 'appears more than once' }],
    });
    expect(
      read([
        ['X-Service-Metadata-A', '1'],
        ['X-Service-Metadata', '{"a": 2}'],
      ]),
    ).toEqual({
      kind: 'refused',
      problems: [{ path: 'X-Service-Metadata-A', message: 'also appears in X-Service-Metadata' }],
    });
  });

  it('report all errors up to a limit', () => {
    const reading = read(Array.from({ length: 100 }, (_, i) => [`X-Service-No-${i}`, 'a'] as const));
    expect(reading.kind === 'refused' && reading.problems.length).toBe(20);
  });
});
