import { expect, it, vi } from 'vitest';
import { AudienceTotals } from '../../src/campaigns/prepare/audience-totals.js';
import type { TotalTerms } from '../../src/campaigns/prepare/audience-total.js';

const TERMS = { scope: { environmentId: 1 }, campaign: { list_number: 1, segment_tag: null } } as TotalTerms;

/** Every count requests the list first, which the test can delay. A deleted list has no recipients. */
function rig() {
  let now = 0;
  let finish: (list: null) => void = () => undefined;
  const listFor = vi.fn(() => new Promise<null>((found) => (finish = found)));
  const totals = new AudienceTotals({
    store: { readings: null, lists: { listFor } },
    clock: () => now,
    log: { warn: vi.fn() },
  } as never);
  return {
    totals,
    listFor,
    pass: (ms: number) => void (now += ms),
    finish: () => finish(null),
  };
}

it('answers null while a count takes longer than a page may wait, and the number once it is there', async () => {
  const { totals, listFor, finish } = rig();
  expect(await totals.total('cmp_1', TERMS)).toBeNull();
  expect(listFor).toHaveBeenCalledTimes(1);
  finish();
  await vi.waitFor(async () => expect(await totals.total('cmp_1', TERMS)).toBe(0));
  expect(listFor).toHaveBeenCalledTimes(1);
});

it('keeps a number the longer, the longer it took to count, and answers it while it is recounted', async () => {
  const { totals, listFor, pass, finish } = rig();
  const first = totals.total('cmp_1', TERMS);
  await vi.waitFor(() => expect(listFor).toHaveBeenCalledTimes(1));
  pass(6_000);
  finish();
  expect(await first).toBe(0);
  pass(59_000);
  expect(await totals.total('cmp_1', TERMS)).toBe(0);
  expect(listFor).toHaveBeenCalledTimes(1);
  pass(2_000);
  expect(await totals.total('cmp_1', TERMS)).toBe(0);
  expect(listFor).toHaveBeenCalledTimes(2);
});

it('does not repeat a failed count immediately, and keeps the last number', async () => {
  const { totals, listFor, pass } = rig();
  listFor.mockRejectedValue(new Error('too slow'));
  expect(await totals.total('cmp_1', TERMS)).toBeNull();
  expect(await totals.total('cmp_1', TERMS)).toBeNull();
  expect(listFor).toHaveBeenCalledTimes(1);
  pass(31_000);
  listFor.mockResolvedValueOnce(null);
  expect(await totals.total('cmp_1', TERMS)).toBe(0);
  pass(31_000);
  expect(await totals.total('cmp_1', TERMS)).toBe(0);
  expect(listFor).toHaveBeenCalledTimes(3);
});
