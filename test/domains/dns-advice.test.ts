import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../src/domains/dns-advice.js';
import type { RecordWithResult } from '../../src/domains/domain-records.js';

const VALUE = 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A';

function key(found: string[]): Extract<RecordWithResult, { type: 'TXT' | 'CNAME'; value: string }> {
  return {
    purpose: 'dkim',
    type: 'TXT',
    host: 'one._domainkey.customer.example',
    value: VALUE,
    required: true,
    status: 'mismatch',
    found,
    failing_since: 0,
  };
}

describe('advice for an unexpected key', () => {
  const cases: [what: string, found: string[], says: RegExp][] = [
    ['another key', ['v=DKIM1; k=rsa; p=AAAA'], /does not match/],
    ['a cut key', [VALUE.slice(0, 30)], /is truncated/],
    ['a cut key with its quotation mark', [`"${VALUE.slice(0, 30)}`], /is truncated/],
    ['kept quotation marks', [`"${VALUE}"`], /quotation marks/],
    ['several texts', [VALUE, 'v=DKIM1; k=rsa; p=AAAA'], /multiple TXT records/],
  ];
  it.each(cases)('explains how to fix %s', (_what, found, says) => {
    expect(adviceFor(key(found))).toMatch(says);
  });
});

describe('advice for a record at a doubled name', () => {
  it.each([
    [
      'one._domainkey.customer.example',
      'one._domainkey.customer.example.customer.example',
      'Enter one._domainkey as',
    ],
    ['customer.example', 'customer.example.customer.example', 'Enter @ as'],
    ['_dmarc.a.customer.example', '_dmarc.a.customer.example.customer.example', 'Enter _dmarc.a as'],
  ])('explains how to enter %s', (host, misplaced, says) => {
    const advice = adviceFor({ ...key([]), host, status: 'missing', misplaced_at: misplaced });
    expect(advice).toContain(says);
    expect(advice).toContain(misplaced);
  });
});
