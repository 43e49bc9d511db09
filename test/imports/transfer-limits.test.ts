// Tests that imports and exports stop at the floor of the disk and at the quota of their workspace, and that sub-tenants have
// their own slots.
import { createTransferFiles } from '../../src/imports/transfer-files.js';
import { TransferQuota } from '../../src/imports/transfer-quota.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { createCursors } from '../../src/http/lists/cursors.js';
import { Refusal } from '../../src/contract/refusal.js';
import { exportPresenters } from '../../src/imports/transfer.view.js';
import { Transfers } from '../../src/imports/transfers.js';
import type { Transfer } from '../../src/imports/transfers.tables.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { newMessage } from '../database/contract/builders.js';
import { CONSENT } from '../support/consent.js';
import { testDisk, type TestDisk } from '../support/disk.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { engineKinds, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { NO_MAIL } from '../support/audience-rig.js';
import { waitFor } from '../support/wait.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

const MESSAGES = { format: 'ndjson', wanted: { kind: 'messages', filter: {} } } as const;
const UPLOAD = {
  format: 'csv',
  mode: 'upsert',
  tags: [],
  dryRun: false,
  charset: null,
  mapping: {},
  listId: null,
  consent: CONSENT,
} as const;

describe.each(engineKinds())('on $name', (kind) => {
  let folder: ReturnType<typeof temporaryFolder>;
  let opened: OpenEngine;
  let store: Store;
  let clock: FixedClock;
  let disk: TestDisk;
  let transfers: Transfers;
  let scope: Scope;

  beforeEach(async () => {
    folder = temporaryFolder();
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
    clock = fixedClock();
    disk = testDisk();
    const { workspaceId } = await bootstrap(store, { clock: clock.now });
    scope = { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
    transfers = withQuota(Infinity);
  });

  afterEach(async () => {
    await transfers.stop();
    await store.drain();
    await opened.close();
    folder.remove();
  });

  /** Transfers alternate by time. */
  function ticking(): number {
    clock.advance(1);
    return clock.now();
  }

  function withQuota(quotaBytes: number): Transfers {
    return new Transfers({
      ...{
        store,
        disk,
        mail: NO_MAIL,
        sections: [],
        otherFiles: store.accountImports,
        clock: ticking,
        log: createLog('silent'),
      },
      quota: new TransferQuota({
        store,
        otherFiles: store.accountImports,
        disk,
        config: { fileQuotaBytes: quotaBytes },
      }),
      files: createTransferFiles(createFolderFiles(join(folder.path, 'transfers'))),
      present: exportPresenters(createCursors(Buffer.alloc(32))),
    });
  }

  const fileOf = (id: string): string => join(folder.path, 'transfers', `${id}.messages`);
  const tenant = (id: string): Scope => ({ ...scope, subTenantId: id });

  async function now({ id, kind }: Transfer): Promise<Transfer> {
    const found = await store.transfers.transfer(scope, kind, id);
    if (!found) throw new Error(`${id} is gone`);
    return found;
  }

  async function addMessages(count: number, owner = scope): Promise<void> {
    await store.commit(
      Array.from({ length: count }, () => acceptMessage({ message: newMessage(owner, {}) })),
    );
  }

  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof Refusal ? error.code : error),
    );

  async function* upload(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) {
      await Promise.resolve();
      yield Buffer.from(text);
    }
  }

  it('an export waits with a reason while the disk is full, and completes when there is space', async () => {
    await addMessages(3);
    const made = await transfers.startExport(scope, MESSAGES, {});
    disk.setFull(true);
    transfers.start();
    await waitFor('it waits', async () => (await now(made)).paused_reason !== null);
    expect(await now(made)).toMatchObject({ status: 'queued', processed: 0 });
    expect(existsSync(fileOf(made.id))).toBe(false);
    await transfers.stop();
    disk.setFull(false);
    transfers = withQuota(Infinity);
    transfers.start();
    await waitFor('it is done', async () => (await now(made)).status === 'completed');
    expect(await now(made)).toMatchObject({ processed: 3, paused_reason: null });
  });

  it('nothing starts while the disk is full, and an upload stops when space runs out', async () => {
    disk.setFull(true);
    expect(await codeOf(transfers.startExport(scope, MESSAGES, {}))).toBe('unavailable');
    disk.setFull(false);
    async function* filling(): AsyncGenerator<Uint8Array> {
      yield* upload('email\na@x.example\n');
      disk.setFull(true);
      yield* upload('b@x.example\n');
    }
    expect(await codeOf(transfers.startImport(scope, UPLOAD, filling()))).toBe('unavailable');
    expect(await createFolderFiles(join(folder.path, 'transfers')).names()).toEqual([]);
  });

  it('simultaneous uploads do not exceed the quota of the workspace together', async () => {
    transfers = withQuota(10_000);
    const text = `email\n${'a@x.example\n'.repeat(600)}`;
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(transfers.startImport(scope, UPLOAD, upload(text)))),
    );
    expect(new Set(taken)).toEqual(new Set([null, 'file_quota_exceeded']));
    const [sum] = await opened.raw('SELECT SUM(stored_bytes) AS bytes FROM transfers');
    expect(Number(sum?.['bytes'])).toBeLessThanOrEqual(10_000);
  });

  it('an export that exceeds the quota fails and leaves no file, and deleting one makes room', async () => {
    await addMessages(30);
    const first = await transfers.startExport(scope, MESSAGES, {});
    transfers.start();
    await waitFor('the first is done', async () => (await now(first)).status === 'completed');
    await transfers.stop();
    const size = (await now(first)).size_bytes;
    transfers = withQuota(size + 8_000);
    const second = await transfers.startExport(scope, MESSAGES, {});
    transfers.start();
    await waitFor('the second ends', async () => (await now(second)).finished_at !== null);
    expect(await now(second)).toMatchObject({ status: 'failed', stored_bytes: 0 });
    expect((await now(second)).error).toContain('storage limit');
    expect([existsSync(fileOf(first.id)), existsSync(fileOf(second.id))]).toEqual([true, false]);

    await transfers.deleteExport(scope, first.id);
    expect(existsSync(fileOf(first.id))).toBe(false);
    const third = await transfers.startExport(scope, MESSAGES, {});
    await waitFor('the third is done', async () => (await now(third)).status === 'completed');
  });

  it('a sub-tenant has half of the quota and its own slots, and uses none of others', async () => {
    const [one, two] = [newId('tnt', clock.now()), newId('tnt', clock.now())];
    const open = (owner: Scope) => codeOf(transfers.startExport(owner, MESSAGES, {}));
    const many = await Promise.all(Array.from({ length: 30 }, () => open(tenant(one))));
    expect(many.filter((code) => code === null)).toHaveLength(10);
    expect([await open(tenant(two)), await open(scope)]).toEqual([null, null]);
    const [first] = await opened.raw(`SELECT id FROM transfers WHERE sub_tenant_id = '${one}'`);
    await transfers.deleteExport(tenant(one), String(first?.['id']));
    // Each of the remaining nine counts as a block of 4 KiB.
    transfers = withQuota(60_000);
    expect(await open(tenant(one))).toBe('file_quota_exceeded');
    expect(await open(tenant(two))).toBeNull();
  });

  it("a sub-tenant's small export does not wait for a large one of another", async () => {
    const [one, two] = [newId('tnt', clock.now()), newId('tnt', clock.now())];
    await addMessages(6_000, tenant(one));
    await addMessages(1, tenant(two));
    const large = await transfers.startExport(tenant(one), MESSAGES, {});
    const small = await transfers.startExport(tenant(two), MESSAGES, {});
    transfers.start();
    await waitFor('the small one is done', async () => (await now(small)).status === 'completed');
    expect((await now(large)).status).not.toBe('completed');
  });

  it('an export that is deleted while it is written leaves no file', async () => {
    await addMessages(1_000);
    const made = await transfers.startExport(scope, MESSAGES, {});
    const files = createFolderFiles(join(folder.path, 'transfers'));
    transfers.start();
    await waitFor(
      'it has begun',
      async () => (await now(made)).size_bytes > 0 || (await files.names()).length > 0,
    );
    await transfers.deleteExport(scope, made.id);
    await waitFor('its file is gone', async () => (await files.names()).length === 0);
    expect(await store.transfers.transfer(scope, 'export', made.id)).toBeNull();
  });
});
