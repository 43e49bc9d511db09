import { describe, expect, it, test } from 'vitest';
import {
  isAbandoned,
  nextCheckAt,
  nextSlotAfter,
  type AwaitedKey,
  type CheckedDomain,
} from '../../src/domains/check-time.rules.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_000 * DAY + 12_345;
const INTERVALS = { usualMs: HOUR, driftMs: 5 * MINUTE, keyMs: 2 * MINUTE };

const domain = (wish: Partial<CheckedDomain>): CheckedDomain => ({
  id: 'tnt_1',
  status: 'verified',
  created_at: 0,
  updated_at: 0,
  drifting_since: null,
  ...wish,
});
const PLACE = nextSlotAfter('tnt_1', NOW, HOUR);
const key = (state: AwaitedKey['state'], ageMs: number): AwaitedKey => ({ state, created_at: NOW - ageMs });

it.each<[string, Partial<CheckedDomain>, AwaitedKey[], number | null]>([
  ['verified', {}, [], PLACE],
  ['given up', { status: 'failed' }, [], null],
  ['new', { status: 'pending_verification', created_at: NOW }, [], NOW + 50_000],
  ['asked for again', { status: 'pending_verification', updated_at: NOW - HOUR + 1 }, [], NOW + 50_000],
  ['waiting for an hour', { status: 'pending_verification', updated_at: NOW - HOUR }, [], PLACE],
  ['drifting', { drifting_since: NOW }, [], NOW + 5 * MINUTE],
  ['suspended', { status: 'suspended', drifting_since: 0 }, [], NOW + 5 * MINUTE],
  ['with a new key', {}, [key('pending', HOUR)], NOW + 2 * MINUTE],
  ['with a key that settles', {}, [key('published', 9 * DAY)], NOW + 2 * MINUTE],
  ['with a key that nobody published for a day', {}, [key('pending', DAY)], PLACE],
  ['drifting with a new key', { drifting_since: 0 }, [key('pending', 0)], NOW + 2 * MINUTE],
])('%s', (_name, wish, awaited, at) => {
  expect(nextCheckAt(domain(wish), awaited, NOW, INTERVALS)).toBe(at);
});

it.each<[Partial<CheckedDomain>, boolean]>([
  [{ status: 'pending_verification', updated_at: NOW - 14 * DAY }, false],
  [{ status: 'pending_verification', updated_at: NOW - 14 * DAY - 1 }, true],
  [{ status: 'verified' }, false],
  [{ status: 'suspended' }, false],
])('%j: given up is %s', (wish, expected) => {
  expect(isAbandoned(domain(wish), NOW)).toBe(expected);
});

describe('the check time of a domain', () => {
  test('is in the future, within the interval, and at the same offset in each interval', () => {
    const first = nextSlotAfter('tnt_7', NOW, HOUR);
    expect(first).toBeGreaterThan(NOW);
    expect(first).toBeLessThanOrEqual(NOW + HOUR);
    expect(nextSlotAfter('tnt_7', first - 1, HOUR)).toBe(first);
    expect(nextSlotAfter('tnt_7', first, HOUR)).toBe(first + HOUR);
    expect(nextSlotAfter('tnt_7', first + 40_000, HOUR)).toBe(first + HOUR);
  });

  test('spreads 10,000 domains evenly over the minutes', () => {
    const minutes = Array.from({ length: 60 }, () => 0);
    for (let i = 0; i < 10_000; i++) {
      const minute = Math.floor((nextSlotAfter(`tnt_${i}`, NOW, HOUR) - NOW) / MINUTE) % 60;
      minutes[minute] = (minutes[minute] ?? 0) + 1;
    }
    expect(minutes.reduce((sum, count) => sum + count)).toBe(10_000);
    expect(Math.min(...minutes)).toBeGreaterThan(100);
    expect(Math.max(...minutes)).toBeLessThan(230);
  });
});
