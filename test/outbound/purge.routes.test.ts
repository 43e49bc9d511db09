// Tests POST /v1/queue/purge: which waiting mail it cancels, the outcome of that mail, and what it does not touch.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { purge } from '../../src/outbound/schedule/purge.js';
import type { Scope } from '../../src/database/scope.js';
import { startQueueApi, type QueueApi, type QueuedWish } from '../support/queue-api.js';
import { queueDepth } from '../support/queue-depth.js';
import { restores } from '../../src/backups/backups.tables.js';
import { insert, update } from '../../src/database/rows.js';

const PURGE = '/v1/queue/purge';
const NOTHING = { matched: 0, canceled: 0, bounced: 0, in_doubt: 0, message_ids: [], complete: true };
let rig: QueueApi;
let live: Scope;

beforeEach(async () => {
  rig = await startQueueApi();
  live = await rig.scopeOf('live');
});
afterEach(() => rig.close());

const enqueue = (wish?: QueuedWish) => rig.enqueue(wish);
const stateOf = async (id: string) => (await rig.store.messages.message(live, id))?.status;
const waits = async (rowId: number) => (await rig.store.queueView.entry({ id: rowId })) !== null;
const ask = (body: object, key = rig.liveKey) => rig.ask('POST', PURGE, { key, body });

describe('a dry run', () => {
  it('counts matching messages and changes nothing', async () => {
    const { id, rowId } = await enqueue();
    await enqueue({ domain: 'other.example' });
    const answer = await ask({ action: 'cancel', domain: 'Example.com', dry_run: true });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        ...NOTHING,
        object: 'queue_purge',
        action: 'cancel',
        dry_run: true,
        matched: 1,
        message_ids: [id],
      },
    });
    expect(await stateOf(id)).toBe('queued');
    expect(await waits(rowId)).toBe(true);
  });
});

describe('canceling', () => {
  it('includes messages without attempts and deferred ones, with actor and reason', async () => {
    const fresh = await enqueue();
    const tried = await enqueue({ queue: { attempts: 3 }, row: { status: 'sent' } });
    const answer = await ask({
      action: 'cancel',
      all: true,
      dry_run: false,
      reason: 'a loop at the customer',
    });
    expect(answer.json).toMatchObject({
      ...NOTHING,
      matched: 2,
      canceled: 2,
      message_ids: expect.any(Array),
    });
    for (const { id, rowId } of [fresh, tried]) {
      expect(await stateOf(id)).toBe('canceled');
      expect(await waits(rowId)).toBe(false);
      const trail = await rig.store.events.auditTrailOfMessage(rowId);
      const last = trail.at(-1);
      expect(last).toMatchObject({ event: 'canceled', actor: 'api' });
      expect(JSON.stringify(last)).toContain('a loop at the customer');
    }
  });

  it('is limited by all filters together', async () => {
    const old = Date.parse('2026-01-01T00:00:00Z');
    const fits = { tags: ['news'], row: { type: 'marketing' as const, created_at: old } };
    const wanted = await enqueue(fits);
    await enqueue({ ...fits, domain: 'other.example' });
    await enqueue({ ...fits, tags: ['invoice'] });
    await enqueue({ ...fits, row: { ...fits.row, type: 'transactional' } });
    await enqueue({ ...fits, row: { ...fits.row, created_at: old + 86_400_000 } });
    const answer = await ask({
      ...{ action: 'cancel', dry_run: false, domain: 'example.com', tag: 'news', type: ['marketing'] },
      accepted_before: '2026-01-01T12:00:00Z',
    });
    expect(answer.json).toMatchObject({ matched: 1, canceled: 1, message_ids: [wanted.id] });
    expect(await queueDepth(rig.store)).toMatchObject({ waiting: 4 });
  });
});

describe('bouncing', () => {
  it('adds the reason as a soft bounce, without suppressing the address', async () => {
    const { id, rowId } = await enqueue();
    const answer = await ask({
      action: 'bounce',
      all: true,
      dry_run: false,
      reason: 'the provider is closed',
    });
    expect(answer.json).toMatchObject({ matched: 1, bounced: 1, canceled: 0 });
    const message = await rig.store.messages.message(live, id);
    expect(message?.status).toBe('bounced');
    expect(JSON.parse(message?.error ?? 'null')).toMatchObject({
      ...{ type: 'soft', category: 'expired', code: null },
      message: 'Removed from the queue on request: the provider is closed',
    });
    expect(await waits(rowId)).toBe(false);
  });

  it('sends the report that an SMTP submitter requested', async () => {
    const dsn = JSON.stringify({
      ...{ sender: 'robot@sender.example', notify: ['FAILURE'] },
      ret: null,
      envid: null,
      orcpt: null,
    });
    const { rowId } = await enqueue({ row: { dsn } });
    await ask({ action: 'bounce', all: true, dry_run: false });
    const [report] = await rig.store.deliveryReports.due(Number.MAX_SAFE_INTEGER, 10);
    expect(report).toMatchObject({ message_id: rowId, action: 'failed' });
  });
});

describe('purging does not change', () => {
  it('messages that a worker holds', async () => {
    const { id, rowId } = await enqueue({ queue: { lease_until: 9_000_000_000_000, lease_owner: 'worker' } });
    expect((await ask({ action: 'cancel', all: true, dry_run: false })).json).toMatchObject(NOTHING);
    expect(await stateOf(id)).toBe('queued');
    expect(await waits(rowId)).toBe(true);
  });

  it('the status of messages that may have been delivered, which are not retried', async () => {
    const { id, rowId } = await enqueue({
      queue: { attempts: 1, ambiguous_attempts: 1 },
      row: { status: 'sent' },
    });
    const answer = await ask({ action: 'bounce', all: true, dry_run: false });
    expect(answer.json).toMatchObject({ matched: 1, bounced: 0, in_doubt: 1 });
    expect(await rig.store.messages.message(live, id)).toMatchObject({
      status: 'sent',
      in_doubt_at: rig.clock.now(),
    });
    expect(await waits(rowId)).toBe(false);
  });

  it('mail of another environment or sub-tenant', async () => {
    const test = await rig.scopeOf('test');
    await enqueue({ scope: test });
    await rig.addTenant('tnt_acme');
    const scope = await rig.scopeOf('live', 'tnt_acme');
    const key = await rig.addKey(scope);
    await enqueue();
    const own = await enqueue({ scope });
    const byPinned = await ask({ action: 'cancel', all: true, dry_run: false }, key);
    expect(byPinned.json).toMatchObject({ matched: 1, message_ids: [own.id] });
    expect((await ask({ action: 'cancel', sub_tenant_id: 'tnt_else', dry_run: true }, key)).status).toBe(404);
    expect(await queueDepth(rig.store)).toMatchObject({ waiting: 2 });
  });
});

it('puts restored mail that may have been sent in doubt during the hold', async () => {
  const [wish, day] = [{ action: 'cancel', all: true, dry_run: false }, 86_400_000];
  const restoredAt = rig.clock.now();
  const test = await rig.scopeOf('test');
  const sandbox = await enqueue({ scope: test });
  const later = await enqueue({ row: { created_at: restoredAt - day, scheduled_at: restoredAt + day } });
  const due = await enqueue({ row: { created_at: restoredAt - day } });
  const row = { epoch: 7, copy_name: 'nightly', copied_at: restoredAt - 1_000, restored_at: restoredAt };
  const released = { last_message_id: due.rowId, released_at: null };
  await rig.commit(insert(restores, { row: { ...row, ...released } }));
  const since = await enqueue();

  const answer = await ask(wish);
  expect(answer.json).toMatchObject({ matched: 3, canceled: 2, in_doubt: 1, complete: true });
  expect(await rig.store.messages.message(live, due.id)).toMatchObject({
    status: 'sent',
    in_doubt_at: rig.clock.now(),
  });
  const trail = JSON.stringify(await rig.store.events.auditTrailOfMessage(due.rowId));
  expect(trail).toContain('Restored from a backup: no evidence whether the message was sent.');
  expect([await stateOf(later.id), await stateOf(since.id)]).toEqual(['canceled', 'canceled']);
  expect((await ask(wish, rig.testKey)).json).toMatchObject({ canceled: 1, message_ids: [sandbox.id] });
  expect(await queueDepth(rig.store)).toMatchObject({ waiting: 0 });

  const set = { released_at: restoredAt, last_message_id: since.rowId + 1 };
  await rig.commit(update(restores, { set, where: { epoch: 7 } }));
  await enqueue();
  expect((await ask(wish)).json).toMatchObject({ canceled: 1, in_doubt: 0 });
});

describe('purging is refused for', () => {
  it('a request that does not say whether it is a dry run', async () => {
    const answer = await ask({ action: 'cancel', all: true });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('dry_run');
  });

  it.each([
    [{ action: 'cancel' }, 'all'],
    [{ action: 'burn', all: true }, 'action'],
    [{ action: 'cancel', domain: 'not a domain' }, 'domain'],
    [{ action: 'cancel', accepted_before: 'soon' }, 'accepted_before'],
    [{ action: 'cancel', all: true, older: 1 }, 'older'],
  ])('%j', async (body, field) => {
    await enqueue();
    const answer = await ask({ ...body, dry_run: false });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.json)).toContain(field);
    expect(await queueDepth(rig.store)).toMatchObject({ waiting: 1 });
  });
});

it('responds when its time is up, and continues with the next request', async () => {
  for (let i = 0; i < 3; i++) await enqueue({ domain: `d${i}.example` });
  let now = 0;
  const deps = { store: rig.store, wakeUps: { events: () => undefined }, clock: () => (now += 400) };
  const request = {
    ...{ action: 'cancel' as const, isDryRun: false, reason: 'x', filter: {}, actor: 'api' as const },
  };
  const first = await purge(deps, live, { ...request, budgetMs: 1_500 });
  expect(first).toMatchObject({ hasMore: true });
  expect(first.canceled).toBeGreaterThan(0);
  const second = await purge(deps, live, { ...request, budgetMs: 100_000 });
  expect(second).toMatchObject({ hasMore: false, canceled: 3 - first.canceled });
});
