// Tests that imports of several workspaces alternate, that old transfers are deleted, and that files without an owner are
// removed.
import {
  createTransferFiles,
  forgetFinishedTransfers,
  removeOrphanFiles,
} from '../../src/imports/transfer-files.js';
import { TransferQuota } from '../../src/imports/transfer-quota.js';
import { appendFile, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCursors } from '../../src/http/lists/cursors.js';
import type { ExportPresenters } from '../../src/imports/export-sources.js';
import { exportPresenters } from '../../src/imports/transfer.view.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { Transfers } from '../../src/imports/transfers.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { planWorkspace } from '../../src/accounts/workspace-plan.js';
import { testDisk, type TestDisk } from '../support/disk.js';
import { forgettingOf } from '../support/forgetting.js';
import { newMessage } from '../database/contract/builders.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { NO_MAIL } from '../support/audience-rig.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';
import { CONSENT } from '../support/consent.js';
import { type Transfer, transfers as transfersTable } from '../../src/imports/transfers.tables.js';
import { update } from '../../src/database/rows.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

const HOUR = 3_600_000;
const KEEP = 24 * HOUR;
const presenters = exportPresenters(createCursors(Buffer.alloc(32)));

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let clock: FixedClock;
let transfers: Transfers;
let scope: Scope;
let disk: TestDisk;

beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
  clock = fixedClock();
  disk = testDisk();
  const { workspaceId } = await bootstrap(store, { clock: clock.now });
  scope = { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
  transfers = openTransfers();
});

afterEach(async () => {
  await transfers.stop();
  await store.drain();
  await opened.close();
  folder.remove();
});

function openTransfers(present: Partial<ExportPresenters> = {}, quotaBytes = Infinity): Transfers {
  return new Transfers({
    store,
    files: transferFiles(),
    disk,
    quota: new TransferQuota({
      store,
      otherFiles: store.accountImports,
      disk,
      config: { fileQuotaBytes: quotaBytes },
    }),
    clock: clock.now,
    log: createLog('silent'),
    present: { ...presenters, ...present },
    mail: NO_MAIL,
    sections: [],
    otherFiles: store.accountImports,
  });
}

const transferFiles = () => createTransferFiles(createFolderFiles(join(folder.path, 'transfers')));

const UPSERT = {
  format: 'csv',
  mode: 'upsert',
  tags: [],
  dryRun: false,
  charset: null,
  mapping: {},
  listId: null,
  consent: CONSENT,
} as const;

const EVERYBODY = {
  format: 'csv',
  wanted: { kind: 'contacts', listId: null, tag: null, filter: {} },
} as const;

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

const addresses = (count: number, prefix: string): string =>
  `email\n${Array.from({ length: count }, (_, i) => `${prefix}${i}@x.example`).join('\n')}\n`;

const now = async ({ id }: Transfer): Promise<Transfer> => {
  const found = await opened.raw('SELECT * FROM transfers WHERE id = ?', [id]);
  return found[0] as unknown as Transfer;
};

/** A second workspace with a live environment. */
async function otherScope(): Promise<Scope> {
  const workspaceId = newId('ws', clock.now());
  const row = { id: workspaceId, number: 99, organizationId: scope.organizationId, name: 'Other' };
  await store.commit(planWorkspace(row, clock.now()));
  return { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
}

it('a large import does not delay a small one of another workspace', async () => {
  const large = await transfers.startImport(
    scope,
    UPSERT,
    bodyOf(addresses(sized({ small: 8_000, full: 20_000 }), 'l')),
  );
  const small = await transfers.startImport(await otherScope(), UPSERT, bodyOf(addresses(10, 's')));
  transfers.start();
  await waitFor('the small one is done', async () => (await now(small)).status === 'completed');
  expect((await now(large)).status).toBe('running');
});

it('a file with an unreadable beginning is refused before the rest is received', async () => {
  let taken = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield* bodyOf('a,b\n');
    for (; taken < 1_000; taken++) yield Buffer.alloc(16 * 1024, 'x,y\n');
  }
  await expect(transfers.startImport(scope, UPSERT, endless())).rejects.toMatchObject({
    code: 'validation_error',
  });
  expect(taken).toBeLessThan(10);
});

it('an import of the previous release continues', async () => {
  const started = await transfers.startImport(scope, UPSERT, bodyOf('email;plan\na@x.example;pro\n'));
  const { file, mapping, columns, ...rest } = JSON.parse(started.options) as Record<string, unknown>;
  expect([file, mapping]).toEqual([{ format: 'csv', delimiter: ';', isUtf8: false, isWrapped: false }, {}]);
  const options = JSON.stringify({ ...rest, columns: { delimiter: ';', columns }, metadataColumns: [] });
  await store.commit([update(transfersTable, { set: { options }, where: { id: started.id } })]);
  transfers.start();
  await waitFor('it is done', async () => (await now(started)).finished_at !== null);
  expect(await now(started)).toMatchObject({ status: 'completed', created: 1, failed: 0 });
});

it('two imports of one workspace run in order', async () => {
  const first = await transfers.startImport(scope, UPSERT, bodyOf('email,name\na@x.example,First\n'));
  clock.advance(1);
  const second = await transfers.startImport(scope, UPSERT, bodyOf('email,name\na@x.example,Second\n'));
  transfers.start();
  await waitFor('both are done', async () => (await now(second)).status === 'completed');
  expect(await now(first)).toMatchObject({ status: 'completed', created: 1 });
  expect(await now(second)).toMatchObject({ created: 0, updated: 1 });
});

it('rows that change meanwhile are read again, and neither lost nor counted twice', async () => {
  const count = sized({ small: 600, full: 3_000 });
  const started = await transfers.startImport(scope, UPSERT, bodyOf(addresses(count, 'p')));
  transfers.start();
  let made = 0;
  while ((await now(started)).finished_at === null) {
    // As another request would: the same address, shortly before or after the import.
    const email = `p${count - 1 - made++}@x.example`;
    const row = {
      id: newId('cnt', clock.now()),
      environment_id: scope.environmentId,
      sub_tenant_id: null,
      email,
      email_key: email,
      name: null,
      phone: null,
      tags: '[]',
      metadata: '{}',
      status: 'active' as const,
      created_at: 0,
      updated_at: 0,
    };
    await store.commit([putContact({ row, ifKnown: 'ignore' })]);
  }
  const done = await now(started);
  expect(done).toMatchObject({ status: 'completed', processed: count, failed: 0 });
  expect(done.created).toBeLessThan(count);
  const [counted] = await opened.raw('SELECT COUNT(*) AS n FROM contacts WHERE created_at > 0');
  expect(Number(counted?.['n'])).toBe(done.created);
});

it('deleting a list ends the import into it', async () => {
  const id = newId('lst', clock.now());
  await opened.raw(
    `INSERT INTO contact_lists (id, environment_id, name, double_opt_in, contacts, created_at, updated_at)
      VALUES (?, ?, 'News', 0, 0, 0, 0)`,
    [id, scope.environmentId],
  );
  const started = await transfers.startImport(scope, { ...UPSERT, listId: id }, bodyOf(addresses(5, 'p')));
  await opened.raw('UPDATE contact_lists SET deleted_at = 1 WHERE id = ?', [id]);
  transfers.start();
  await waitFor('it ends', async () => (await now(started)).finished_at !== null);
  expect(await now(started)).toMatchObject({ status: 'failed', error: 'The list was deleted.', created: 0 });
});

it('a missing body ends its import', async () => {
  const started = await transfers.startImport(scope, UPSERT, bodyOf(addresses(5, 'p')));
  await transferFiles().remove(started.id);
  transfers.start();
  await waitFor('it ends', async () => (await now(started)).finished_at !== null);
  expect(await now(started)).toMatchObject({
    status: 'failed',
    error: 'The uploaded file is no longer available.',
  });
});

it('old finished transfers are deleted with their files, and so are files without an owner', async () => {
  const context = { store, files: transferFiles() };
  const forget = forgettingOf(store, 'old imports and exports', {
    transfers: {
      forgetFinished: (before, limit) => forgetFinishedTransfers(context, before, limit),
      removeOrphans: (before) => removeOrphanFiles({ ...context, otherFiles: store.accountImports }, before),
    },
    transferKeepMs: KEEP,
    clock: clock.now,
  });
  const refused = await transfers.startImport(scope, UPSERT, bodyOf('email\nnonsense\n'));
  const made = await transfers.startExport(scope, EVERYBODY, {});
  transfers.start();
  await waitFor('both ended', async () => {
    return (await now(refused)).finished_at !== null && (await now(made)).finished_at !== null;
  });
  const waiting = await transfers.startImport(await otherScope(), UPSERT, bodyOf('email\na@x.example\n'));
  await waitFor('it ended', async () => (await now(waiting)).finished_at !== null);
  const files = join(folder.path, 'transfers');
  await mkdir(files, { recursive: true });
  for (const name of ['imp_orphan.body', 'imp_young.body']) await writeFile(join(files, name), 'x');
  const [old, young] = [clock.now() / 1000 - 7200, clock.now() / 1000];
  await utimes(join(files, 'imp_orphan.body'), old, old);
  await utimes(join(files, 'imp_young.body'), young, young);
  for (const name of [`${refused.id}.rejected`, `${made.id}.contacts`])
    await utimes(join(files, name), old, old);
  const kept = async () => (await readdir(files)).toSorted();
  await forget();
  expect(await kept()).toEqual(
    [`${made.id}.contacts`, `${refused.id}.rejected`, 'imp_young.body'].toSorted(),
  );
  clock.advance(KEEP + 1);
  await utimes(join(files, 'imp_young.body'), clock.now() / 1000, clock.now() / 1000);
  await forget();
  expect(await kept()).toEqual(['imp_young.body']);
  expect(await opened.raw('SELECT id FROM transfers')).toEqual([]);
});

it('an export continues after a restart from its last commit, and ignores later output', async () => {
  const count = sized({ small: 1_000, full: 9_000 });
  const plan = Array.from({ length: count }, () => acceptMessage({ message: newMessage(scope, {}) }));
  await store.commit(plan);
  const wanted = { format: 'ndjson', wanted: { kind: 'messages', filter: {} } } as const;
  const broken = await transfers.startExport(scope, wanted, {});
  const stopped = new Promise<void>((resolve) => {
    let presented = 0;
    transfers = openTransfers({
      messages: (...row) => {
        presented += 1;
        // In the second slice, which is written completely.
        if (presented === 250) resolve(transfers.stop());
        return presenters.messages(...row);
      },
    });
  });
  transfers.start();
  await stopped;
  const left = await now(broken);
  expect(left.status).toBe('running');
  expect(left.processed).toBeGreaterThan(0);
  // The state after a crash between the file and the commit.
  await appendFile(join(folder.path, 'transfers', `${broken.id}.messages`), '{"half of a ro');
  transfers = openTransfers();
  transfers.start();
  const whole = await transfers.startExport(scope, wanted, {});
  await waitFor('both ended', async () =>
    (await Promise.all([now(broken), now(whole)])).every((one) => one.finished_at !== null),
  );
  expect(await now(broken)).toMatchObject({ status: 'completed', processed: count });
  const text = ({ id }: Transfer) => readFile(join(folder.path, 'transfers', `${id}.messages`), 'utf8');
  expect(await text(broken)).toBe(await text(whole));
});
