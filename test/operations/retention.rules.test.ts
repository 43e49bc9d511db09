// Tests at which age retention changes or deletes a message.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_STATUSES, MESSAGE_TYPES } from '../../src/contract/names.js';
import {
  RETENTION_MODES,
  retentionCutoff,
  decideRetention,
  retentionTerms,
  type DatedMessage,
  type Retention,
} from '../../src/operations/retention/retention.rules.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const old = (age: number, more: Partial<DatedMessage> = {}): DatedMessage => ({
  type: 'transactional',
  status: 'delivered',
  createdAt: NOW - age,
  ...more,
});
const at = { now: NOW, unsubscribeKeepMs: 60 * DAY };

describe('the terms of a workspace', () => {
  it.each([
    [
      { days: null, mode: null },
      { days: 30, mode: 'redact' },
    ],
    [
      { days: 7, mode: null },
      { days: 7, mode: 'redact' },
    ],
    [
      { days: 0, mode: null },
      { days: 0, mode: 'redact' },
    ],
    [
      { days: null, mode: 'delete' },
      { days: 30, mode: 'delete' },
    ],
  ] as const)('%j with those of the server are %j', (own, terms) => {
    expect(retentionTerms(own, { days: 30, mode: 'redact' })).toEqual(terms);
  });
});

describe('a message', () => {
  it.each<[string, DatedMessage, Retention]>([
    ['a moment too young', old(30 * DAY - 1), { kind: 'keep', until: NOW + 1 }],
    ['as old as that', old(30 * DAY), { kind: 'delete' }],
    ['that came in', old(30 * DAY, { type: 'marketing', status: 'received' }), { kind: 'delete' }],
    ['of marketing', old(30 * DAY, { type: 'marketing' }), { kind: 'strip', until: NOW + 30 * DAY }],
    ['of sales', old(59 * DAY, { type: 'sales' }), { kind: 'strip', until: NOW + DAY }],
    ['whose link has ended', old(60 * DAY, { type: 'sales' }), { kind: 'delete' }],
    ['from the future', old(-DAY), { kind: 'keep', until: NOW + 31 * DAY }],
  ])('%s', (_, message, decision) => {
    expect(decideRetention(message, { days: 30, mode: 'delete' }, at)).toEqual(decision);
  });

  it('is never changed before its time, and is deleted at the later of both times', () => {
    const message = fc.record({
      type: fc.constantFrom(...MESSAGE_TYPES),
      status: fc.constantFrom(...MESSAGE_STATUSES),
      createdAt: fc.integer({ min: NOW - 400 * DAY, max: NOW + DAY }),
    });
    const terms = fc.record({
      days: fc.integer({ min: 1, max: 365 }),
      mode: fc.constantFrom(...RETENTION_MODES),
    });
    fc.assert(
      fc.property(message, terms, fc.nat(100 * DAY), (given, kept, unsubscribeKeepMs) => {
        const decision = decideRetention(given, kept, { now: NOW, unsubscribeKeepMs });
        const isOld = given.createdAt <= retentionCutoff(kept, NOW);
        expect(decision.kind === 'keep').toBe(!isOld);
        if (!('until' in decision)) return;
        expect(decision.until).toBeGreaterThan(NOW);
        const later = decideRetention(given, kept, { now: decision.until, unsubscribeKeepMs });
        expect(later.kind).not.toBe(decision.kind);
      }),
    );
  });
});
