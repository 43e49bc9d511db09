// Tests bulk actions step by step on a real database file: objects found at the start are processed once, and no others.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import type { OpenTransfer } from '../../src/imports/transfers.store.js';
import { BulkActions, type BulkRequest } from '../../src/imports/bulk-actions.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { createTransferFiles } from '../../src/imports/transfer-files.js';
import { Reconsider } from '../../src/messages/reconsider.js';
import { TransferQuota } from '../../src/imports/transfer-quota.js';
import { testDisk } from '../support/disk.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';
import { temporaryFolder } from '../support/open-engines.js';
import { sized } from '../support/run-size.js';
import { transfers } from '../../src/imports/transfers.tables.js';
import { update } from '../../src/database/rows.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';

const signal = new AbortController().signal;
const LIFETIMES = { queueLifetimeMs: 3_600_000, marketingQueueLifetimeMs: 3_600_000 };
let rig: MessageRig;
let folder: ReturnType<typeof temporaryFolder>;
let scope: Scope;

let shared: MessageRig;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
  folder = temporaryFolder();
  scope = await rig.scopeOf('test');
});

afterEach(async () => {
  await rig.close();
  folder.remove();
});

function openRoom(limits = { items: 1_000, counted: 1_000 }) {
  const { store, submission, clock } = rig;
  const wakeUps = { queue: () => undefined, events: () => undefined };
  const reconsider = new Reconsider({ store, config: LIFETIMES, clock: clock.now, wakeUps });
  const mail = { resend: submission.resend.bind(submission), cancel: reconsider.cancel.bind(reconsider) };
  return new BulkActions(
    {
      store,
      files: createTransferFiles(createFolderFiles(join(folder.path, 'transfers'))),
      quota: new TransferQuota({
        store,
        otherFiles: store.accountImports,
        disk: testDisk(),
        config: { fileQuotaBytes: Infinity },
      }),
      clock: clock.now,
      mail,
    },
    limits,
  );
}

async function addContacts(count: number, prefix = 'p'): Promise<void> {
  const now = rig.clock.now();
  const plan = Array.from({ length: count }, (_, i) => {
    const email = `${prefix}${i}@x.example`;
    const row = {
      ...{ id: newId('cnt', now), environment_id: scope.environmentId, sub_tenant_id: null },
      ...{ email, email_key: email, name: null, phone: null, tags: '["vip"]', metadata: '{}' },
      ...{ status: 'active' as const, created_at: now, updated_at: now },
    };
    return putContact({ row, ifKnown: 'ignore' });
  });
  await rig.store.commit(plan);
}

const TAG: BulkRequest = {
  deed: { action: 'tag', tags: ['new'], reason: 'manual', actor: 'api', keyId: null },
  wanted: { target: 'contacts', filter: { tag: 'vip' } },
  asked: { tag: 'vip' },
};
const RESEND: BulkRequest = {
  deed: { action: 'resend', tags: [], reason: 'manual', actor: 'api', keyId: null },
  wanted: { target: 'messages', filter: {} },
  asked: {},
};

async function openOne(): Promise<OpenTransfer> {
  const [open] = await rig.store.transfers.openTransfers();
  if (!open) throw new Error('None is open.');
  return open;
}

const tagged = async (): Promise<number> => {
  const rows = await rig.raw(
    `SELECT COUNT(*) AS n FROM contacts WHERE environment_id = ? AND tags LIKE '%new%'`,
    [scope.environmentId],
  );
  return Number(rows[0]?.['n']);
};

async function send(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const message = { from: 'me@sender.example', to: `m${i}@x.example`, subject: 'Hi', text: 'Hi' };
    await rig.submission.accept(scope, message, {
      actor: 'api',
      keyId: null,
      policy: null,
      idempotencyHeader: null,
    });
  }
}

it('objects that are created or begin to match after the start are not changed', async () => {
  await addContacts(3);
  const room = openRoom();
  await room.start(scope, TAG);
  await addContacts(2, 'made-later');
  await room.step(await openOne(), { signal });
  expect(await openOne()).toMatchObject({ status: 'running', total: 3, processed: 0 });
  await rig.raw(`UPDATE contacts SET tags = '["vip","x"]' WHERE email LIKE 'made-later%'`);
  await room.step(await openOne(), { signal });
  expect(await rig.store.transfers.openTransfers()).toEqual([]);
  expect(await tagged()).toBe(3);
});

it('a batch that is repeated after a crash sends nothing twice', async () => {
  await send(4);
  const room = openRoom();
  await room.start(scope, RESEND);
  await room.step(await openOne(), { signal });
  const before = await openOne();
  const file = join(folder.path, 'transfers', `${before.id}.items`);
  copyFileSync(file, `${file}.kept`);
  await room.step(before, { signal });
  expect(await rig.store.transfers.openTransfers()).toEqual([]);
  // As after a crash between the last message and the commit of the progress.
  copyFileSync(`${file}.kept`, file);
  await rig.raw(
    'UPDATE transfers SET status = ?, processed = 0, updated = 0, position = ?, finished_at = NULL WHERE id = ?',
    ['running', before.position, before.id],
  );
  await openRoom().step(await openOne(), { signal });
  const done = await rig.store.transfers.transfer(scope, 'bulk_action', before.id);
  expect(done).toMatchObject({ status: 'completed', processed: 4, updated: 4, failed: 0 });
  const [counted] = await rig.raw('SELECT COUNT(*) AS n FROM messages WHERE environment_id = ?', [
    scope.environmentId,
  ]);
  expect(counted?.['n']).toBe(8);
});

it('an action that matches too many objects does nothing and reports it', async () => {
  await addContacts(4);
  const room = openRoom({ items: 3, counted: 1_000 });
  const { id } = await room.start(scope, TAG);
  await room.step(await openOne(), { signal });
  expect(await rig.store.transfers.transfer(scope, 'bulk_action', id)).toMatchObject({
    status: 'failed',
    error: 'The filter matches more than 3 objects. Nothing was changed. Narrow the filter.',
    processed: 0,
  });
  expect(await tagged()).toBe(0);
});

it('a canceled action stops after the current batch', async () => {
  await addContacts(250);
  const room = openRoom();
  const { id } = await room.start(scope, TAG);
  await room.step(await openOne(), { signal });
  await room.step(await openOne(), { signal });
  const set = { status: 'canceled', finished_at: 1 } as const;
  const stale = await openOne();
  await rig.store.commit([update(transfers, { set, where: { id } })]);
  expect(stale).toMatchObject({ processed: 200, total: 250 });
  expect(await rig.store.transfers.openTransfers()).toEqual([]);
  expect(await tagged()).toBe(200);
});

it('resending stops when the quota is used up', async () => {
  const sentBefore = sized({ small: 490, full: 0 });
  await rig.raw(`UPDATE organizations SET plan = 'free' WHERE id = ?`, [scope.organizationId]);
  scope = await rig.scopeOf('live');
  const { submission } = rig;
  const message = { from: 'me@sender.example', to: 'm@x.example', subject: 'Hi', text: 'Hi' };
  await send(1);
  // As if most of the plan had already been used.
  await rig.raw('UPDATE usage SET sends = sends + ? WHERE environment_id = ?', [
    sentBefore,
    scope.environmentId,
  ]);
  let sends = 1;
  for (; sends < 10_000; sends++) {
    const refused = await submission
      .accept(scope, message, { actor: 'api', keyId: null, policy: null, idempotencyHeader: null })
      .catch((error: unknown) => error);
    if (refused instanceof Error) break;
  }
  const room = openRoom();
  const { id } = await room.start(scope, RESEND);
  await room.step(await openOne(), { signal });
  await room.step(await openOne(), { signal });
  const done = await rig.store.transfers.transfer(scope, 'bulk_action', id);
  expect(sentBefore + sends).toBe(500);
  expect(done).toMatchObject({
    ...{ status: 'failed', total: sends, updated: 0 },
    error: "The plan's sending limit has been reached. Messages that were already resent are not affected.",
  });
});
