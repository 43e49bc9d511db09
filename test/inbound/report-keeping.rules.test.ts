import { describe, expect, it } from 'vitest';
import {
  detailOfNext,
  keptRecords,
  SUMS_A_DAY,
  SUMS_AN_ORGANIZATION,
  withoutMailHost,
} from '../../src/inbound/reports/report-keeping.rules.js';

describe('sums of reports beyond their limits', () => {
  it.each([
    ['authenticated, with room', true, 0, 0, 'all'],
    ['one organization has its share', true, SUMS_AN_ORGANIZATION, SUMS_AN_ORGANIZATION, 'no_source'],
    ['others are below theirs', true, SUMS_AN_ORGANIZATION, 0, 'all'],
    ['the day is full', true, SUMS_A_DAY.authenticated, 0, 'no_reporter'],
    ['anybody, with room', false, SUMS_A_DAY.unauthenticated - 1, 0, 'all'],
    ['anybody, without room', false, SUMS_A_DAY.unauthenticated, 0, 'no_reporter'],
  ] as const)('%s', (_, isAuthenticated, all, ofOrganization, detail) => {
    expect(detailOfNext(isAuthenticated, { all, ofOrganization })).toBe(detail);
  });

  it('unknown failure types of TLS reports are merged by mail host, and successes are kept', () => {
    const sum = {
      ...{ environment_id: 1, day: 1, domain: 'shop.example', sub_tenant_key: '', reporter: 'mx.example' },
      ...{ authenticated: 1 as const, policy_type: 'made-up', mx_host: 'mx.shop.example' },
    };
    const rest = { ...sum, policy_type: 'unknown', mx_host: '' };
    expect(withoutMailHost({ ...sum, result_type: 'success' })).toEqual({ ...rest, result_type: 'success' });
    expect(withoutMailHost({ ...sum, result_type: 'made-up' })).toEqual({ ...rest, result_type: 'unknown' });
  });
});

describe('records that are stored with a report', () => {
  const records = (n: number, length: number) =>
    Array.from({ length: n }, (_, i) => ({ count: n - i, header_from: 'é'.repeat(length) }));

  it.each([
    ['all of a usual report', 40, 20, true, 40],
    ['a thousand at most', 1_200, 20, true, 1_000],
    ['up to 256 KiB', 1_000, 5_000, true, 26],
    ['up to 32 KiB of a report that anybody may have sent', 1_000, 5_000, false, 3],
  ] as const)('%s', (_, n, length, isAuthenticated, kept) => {
    const all = records(n, length);
    const stored = keptRecords(all, isAuthenticated);
    expect(JSON.parse(stored.records)).toEqual(all.slice(0, kept));
    expect(stored.records_left_out).toBe(n - kept);
  });
});
