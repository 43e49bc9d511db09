import { describe, expect, it } from 'vitest';
import { blockingRow, blocks, repeatSuppresses } from '../../src/suppressions/suppression.rules.js';

const DAY = 86_400_000;

describe('blocks', () => {
  it.each([
    ['a workspace row, mail of the workspace', '', 'bounce', 'transactional', null, 'all', true],
    ['a workspace row, mail of a tenant', '', 'complaint', 'marketing', 'tnt_1', 'all', true],
    ['a tenant row, mail of that tenant', 'tnt_1', 'manual', 'transactional', 'tnt_1', 'all', true],
    ['a tenant row, mail of a sibling', 'tnt_1', 'bounce', 'transactional', 'tnt_2', 'all', false],
    ['a tenant row, mail of the workspace', 'tnt_1', 'bounce', 'transactional', null, 'all', false],
    ['an opt-out, a receipt, by default', '', 'unsubscribe', 'transactional', null, 'all', true],
    ['an opt-out, a receipt, spared', '', 'unsubscribe', 'transactional', null, 'marketing', false],
    ['an opt-out, marketing, receipts spared', '', 'unsubscribe', 'marketing', null, 'marketing', true],
    ['an opt-out, sales, receipts spared', '', 'unsubscribe', 'sales', null, 'marketing', true],
    ['a complaint, a receipt, receipts spared', '', 'complaint', 'transactional', null, 'marketing', true],
  ] as const)('%s', (_, sub_tenant_key, reason, type, subTenantId, unsubscribeBlocks, expected) => {
    expect(blocks({ sub_tenant_key, reason }, { type, subTenantId, unsubscribeBlocks })).toBe(expected);
  });

  it('checks rows in order, and returns the first that blocks', () => {
    const rows = [
      { sub_tenant_key: 'tnt_2', reason: 'bounce' },
      { sub_tenant_key: '', reason: 'manual' },
    ] as const;
    const question = { type: 'transactional', subTenantId: 'tnt_1', unsubscribeBlocks: 'all' } as const;
    expect(blockingRow(rows, question)).toBe(rows[1]);
    expect(blockingRow(rows.slice(0, 1), question)).toBeNull();
  });
});

describe('repeatSuppresses', () => {
  const now = 100 * DAY;
  it.each([
    ['the fifth full mailbox in 14 days', 'quota', [1, 2, 3, 14], true],
    ['the fourth', 'quota', [1, 2, 3], false],
    ['a fifth when the first is too old', 'quota', [1, 2, 3, 15], false],
    ['a bare 550 after one on another day', 'invalid_recipient', [1], true],
    ['a bare 550 after one of the same day', 'invalid_recipient', [0], false],
    ['any number of spam refusals', 'spam_block', [1, 2, 3, 4, 5, 6], false],
  ] as const)('%s', (_, category, daysAgo, expected) => {
    expect(repeatSuppresses({ category, earlier: daysAgo.map((days) => now - days * DAY), now })).toBe(
      expected,
    );
  });
});
