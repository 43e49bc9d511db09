// Tests the list of messages with any combination of filters, in either order, page by page: every engine finds the same rows as
// a check of each row, regardless of how small its windows are, and reveals nothing of others' mail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { createMessageList, type MessageFilter } from '../../src/messages/list.store.js';
import type { Message } from '../../src/messages/messages.store.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';
import { accept, newWorld, NOW } from '../database/contract/builders.js';
import type { messages } from '../../src/messages/messages.tables.js';
import type { TablesOf } from '../../src/database/columns.js';

type Known = TablesOf<typeof messages>;

const MESSAGES = 132;
const LIMIT = 15;
const MINUTE = 60_000;
const WINDOWS = { first: 6, next: 12, page: 40 };
const STATUSES = ['queued', 'sending', 'sent', 'delivered', 'bounced', 'failed'] as const;
const TYPES = ['transactional', 'marketing', 'sales'] as const;

describe.each(engineKinds())('the list of messages on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let own: Scope;
  let tenants: Scope[];
  let all: Message[];
  let list: ReturnType<typeof createMessageList>;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
    list = createMessageList(opened.engine, WINDOWS);
    const { live, test } = await newWorld(store);
    own = live;
    tenants = ['tnt_a', 'tnt_b'].map((subTenantId) => ({ ...live, subTenantId }));
    for (let n = 0; n < MESSAGES; n += 1) {
      const [first = own, second = own] = tenants;
      // Campaigns, sequences and threads have one owner.
      const scope = n % 11 === 0 ? test : n % 4 === 1 ? first : n % 4 === 2 ? second : own;
      await accept(store, scope, [wishOf(n, scope)]);
    }
    const ids = await opened.engine.rows('SELECT id FROM messages ORDER BY id', []);
    for (const [n, { id }] of ids.entries()) {
      if (n % 7 !== 0) continue;
      await opened.engine.transaction(async ({ db }) => {
        await db
          .$extendTables<Known>()
          .updateTable('messages')
          .set({ in_doubt_at: NOW })
          .where('id', '=', Number(id))
          .execute();
      });
    }
    all = await opened.engine.read
      .$extendTables<Known>()
      .selectFrom('messages')
      .selectAll()
      .orderBy('id')
      .execute();
  }, 120_000);

  afterAll(async () => {
    await store.drain();
    await opened.close();
  });

  function wishOf(n: number, { subTenantId, mode }: Scope) {
    const at = NOW + n * MINUTE;
    const owner = subTenantId ?? mode;
    return {
      to: `person-${n % 9}@example.com`,
      tags: [`tag-${n % 3}`, ...(n % 40 === 0 ? ['seldom'] : [])],
      queued: false,
      row: {
        public_id: newId('msg', at),
        status: STATUSES[n % STATUSES.length] ?? 'sent',
        type: TYPES[n % 3] ?? 'sales',
        from_email: `News-${n % 2}@example.org`,
        subject: `Order ${n} of ${n % 5}`,
        metadata: JSON.stringify({ order: String(n % 12), paid: n % 2 === 0 }),
        created_at: at,
        updated_at: at,
        campaign_id: n % 5 === 0 ? `cmp_${owner}` : null,
        sequence_id: n % 5 === 1 ? `seq_${owner}` : null,
        thread_id: n % 5 === 2 ? `thr_${owner}` : null,
      },
    };
  }

  /** The result of checking each row, oldest first. */
  function expected(scope: Scope, wanted: MessageFilter): number[] {
    const among = (values: readonly string[] | undefined, value: string) =>
      values === undefined || values.includes(value);
    const holds = (part: string | undefined, ...texts: string[]) =>
      part === undefined || texts.some((text) => text.toLowerCase().includes(part.toLowerCase()));
    const isDoubtful = (row: Message) => row.in_doubt_at !== null && row.status === 'sent';
    return all
      .filter((row) => row.environment_id === scope.environmentId)
      .filter((row) => scope.subTenantId === null || row.sub_tenant_id === scope.subTenantId)
      .filter((row) => among(wanted.status, row.status) && among(wanted.type, row.type))
      .filter((row) => among(wanted.toKeys, row.to_key) && among(wanted.from, row.from_email.toLowerCase()))
      .filter(
        (row) => !wanted.tags || (JSON.parse(row.tags) as string[]).some((tag) => wanted.tags?.includes(tag)),
      )
      .filter((row) => holds(wanted.subject, row.subject) && holds(wanted.q, row.subject, row.to_key))
      .filter((row) => wanted.campaignId === undefined || row.campaign_id === wanted.campaignId)
      .filter((row) => wanted.sequenceId === undefined || row.sequence_id === wanted.sequenceId)
      .filter((row) => wanted.threadId === undefined || row.thread_id === wanted.threadId)
      .filter((row) => wanted.inDoubt === undefined || isDoubtful(row) === wanted.inDoubt)
      .filter((row) => row.created_at >= (wanted.createdAfter ?? 0))
      .filter((row) => row.created_at < (wanted.createdBefore ?? Infinity))
      .filter((row) => {
        const metadata = JSON.parse(row.metadata) as Record<string, unknown>;
        return Object.entries(wanted.metadata ?? {}).every(([key, value]) => String(metadata[key]) === value);
      })
      .map((row) => row.id);
  }

  async function found(scope: Scope, filter: MessageFilter, order: 'asc' | 'desc'): Promise<number[]> {
    const ids: number[] = [];
    let after: string | null = null;
    for (let pages = 0; pages <= MESSAGES; pages += 1) {
      const page = await list(scope, { limit: LIMIT, after, order }, filter);
      expect(page.rows.length).toBeLessThanOrEqual(LIMIT);
      ids.push(...page.rows.map(({ id }) => id));
      if (page.next === null) return order === 'asc' ? ids : ids.reverse();
      after = page.next;
    }
    throw new Error('The list has no end.');
  }

  const FILTERS: MessageFilter[] = [
    {},
    ...STATUSES.map((status) => ({ status: [status] })),
    { status: ['bounced', 'failed', 'sent'] },
    { type: ['sales'] },
    { type: ['sales', 'marketing'], status: ['delivered'] },
    { toKeys: ['person-3@example.com'] },
    { toKeys: ['person-3@example.com', 'person-4@example.com', 'nobody@example.com'] },
    { toKeys: ['person-3@example.com'], status: ['bounced'], q: 'order' },
    { from: ['news-1@example.org'] },
    { tags: ['seldom'] },
    { tags: ['seldom', 'tag-1'] },
    { tags: ['tag-2'], type: ['sales'], q: 'of 3' },
    { tags: ['nothing'] },
    { subject: 'ORDER 12' },
    { q: 'person-7' },
    { q: 'nothing of the kind' },
    { metadata: { order: '7' } },
    { metadata: { order: '6', paid: 'true' }, status: ['queued'] },
    { inDoubt: true },
    { inDoubt: false, status: ['sent'] },
    { createdAfter: NOW + 70 * MINUTE },
    { createdBefore: NOW + 70 * MINUTE, q: 'of 2' },
    { createdAfter: NOW + 30 * MINUTE, createdBefore: NOW + 80 * MINUTE, tags: ['tag-0'] },
    { createdAfter: NOW + 10_000 * MINUTE },
    ...['live', 'test', 'tnt_a', 'tnt_b', 'nobody'].flatMap((owner) => [
      { campaignId: `cmp_${owner}` },
      { campaignId: `cmp_${owner}`, status: ['delivered'] as const },
      { campaignId: `cmp_${owner}`, inDoubt: true },
      { campaignId: `cmp_${owner}`, q: 'of 0', type: ['marketing'] as const },
      { sequenceId: `seq_${owner}`, tags: ['tag-1'] },
      { threadId: `thr_${owner}` },
    ]),
  ];

  it.each(FILTERS)('finds the same messages as a scan of all rows: %j', async (filter) => {
    for (const scope of [own, ...tenants]) {
      const wanted = expected(scope, filter);
      for (const order of ['asc', 'desc'] as const) expect(await found(scope, filter, order)).toEqual(wanted);
    }
  });

  it('reveals nothing about messages of others, not even that there are more', async () => {
    const [first = own, second = own] = tenants;
    const nothing = { rows: [], next: null };
    const page = { limit: LIMIT, after: null };
    for (const filter of [
      { campaignId: 'cmp_tnt_a', q: 'nothing' },
      { sequenceId: 'seq_tnt_a', q: 'nothing' },
      { threadId: 'thr_tnt_a', q: 'nothing' },
    ]) {
      expect(await list(second, page, filter)).toEqual(nothing);
    }
    expect(await list(own, page, { campaignId: 'cmp_test', q: 'nothing' })).toEqual(nothing);
    expect(await list(first, page, { campaignId: 'cmp_test', q: 'nothing' })).toEqual(nothing);
    const outsider = { ...own, subTenantId: 'tnt_without_mail' };
    for (const filter of FILTERS) expect(await list(outsider, page, filter)).toEqual(nothing);
  });

  it('returns short pages and continues if few of many messages match', async () => {
    const page = await list(own, { limit: LIMIT, after: null }, { q: 'nothing of the kind' });
    expect(page).toEqual({ rows: [], next: expect.any(String) as string });
  });
});
