// The archive of events on disk: what is written, what a crash or a damaged file does, and what backups and restores make of it.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAppliance } from '../../src/admin/open-appliance.js';
import { ensureFirstAccount } from '../../src/accounts/bootstrap.js';
import { checkChains } from '../../src/events/chain-check.store.js';
import { MAX_SEGMENT_BYTES, SEGMENT_ENTRIES } from '../../src/events/archive/segment.rules.js';
import { createFolderFiles } from '../../src/lib/runtime/stored-files.js';
import { createLog } from '../../src/lib/runtime/log.js';
import { archiveReads, createEventArchive } from '../../src/operations/retention/event-archive.js';
import { createDatabaseFiles } from '../../src/operations/files/installation-files.js';
import { makeBackup, type BackupSettings } from '../../src/operations/backup/backup.js';
import { restoreBackup } from '../../src/operations/backup/restore.js';
import { openSqlite } from '../../src/store/engine/sqlite.js';
import { createReadStore, createStore, type Store } from '../../src/store/store.js';
import { deleteMessage, longChain, SIGNING_KEY, type LongChain } from '../support/archive-world.js';
import {
  openMigratedFile,
  openSqliteFile,
  temporaryFolder,
  type OpenEngine,
} from '../support/open-engines.js';
import { sized } from '../support/run-size.js';

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let chain: LongChain;
const clock = () => 1_800_000_000_000;
const log = createLog('silent');

/** A database with the chain, made once and copied for every test. */
let templates: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  templates = temporaryFolder();
  const made = await openMigratedFile(join(templates.path, 'posthorn.db'));
  const filled = createStore(made.engine, { maxGroup: 50 });
  chain = await longChain(filled, 10);
  await filled.drain();
  await made.close();
});
afterAll(() => {
  templates.remove();
});

beforeEach(() => {
  folder = temporaryFolder();
  copyFileSync(join(templates.path, 'posthorn.db'), join(folder.path, 'posthorn.db'));
  opened = openSqliteFile(join(folder.path, 'posthorn.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
});
afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const filesIn = (dataDir: string) => createFolderFiles(join(dataDir, 'archive'));
const archive = (of: Pick<Store, 'archive'> = store) =>
  createEventArchive({ store: of, files: filesIn(folder.path), key: SIGNING_KEY, clock, log });
const files = (): string[] => readdirSync(join(folder.path, 'archive')).toSorted();
const pathOf = (file = files()[0] ?? ''): string => join(folder.path, 'archive', file);
const brokenAt = async () => {
  const reports = await checkChains(store, 700, archiveReads(filesIn(folder.path), [SIGNING_KEY]));
  return reports.find(({ workspaceId }) => workspaceId === chain.live.workspaceId)?.broken;
};
const rowsLeft = async (): Promise<number> =>
  (await store.events.chainAfter(chain.live.workspaceNumber, 0, 99_999)).length;
const HALF = SEGMENT_ENTRIES / 2;

it('without a deleted message nothing is archived', async () => {
  expect(await archive().run()).toBe(0);
  expect(existsSync(join(folder.path, 'archive'))).toBe(false);
});

it('writes private files, frees the rows of the deleted message alone, and the chain holds', async () => {
  await deleteMessage(store, opened.engine, chain.messages[0]);
  expect(await archive().run()).toBe(2 * HALF);
  expect(files()).toHaveLength(2);
  for (const file of files()) expect(statSync(pathOf(file)).mode & 0o777).toBe(0o600);
  expect(await rowsLeft()).toBe(2 * HALF + 10);
  expect(await brokenAt()).toBeNull();
  // The trail of the message that is there is whole, with its details.
  const trail = await store.events.auditTrailOfMessage(chain.messages[1]);
  expect([trail.length, trail.at(-1)?.detail?.includes('192.0.2.1')]).toEqual([SEGMENT_ENTRIES + 5, true]);
  expect(gunzipSync(readFileSync(pathOf())).toString()).not.toMatch(/192\.0\.2\.1|Mail\//);

  expect(await archive().run()).toBe(0);
  await deleteMessage(store, opened.engine, chain.messages[1]);
  expect(await archive().run()).toBe(2 * HALF);
  expect([files().length, await rowsLeft(), await brokenAt()]).toEqual([2, 10, null]);
});

it('files in the rows are written, read and verified as those of the folder', async () => {
  const inRows = createDatabaseFiles(store.files, { folder: 'archive', clock });
  await deleteMessage(store, opened.engine, chain.messages[0]);
  const events = createEventArchive({ store, files: inRows, key: SIGNING_KEY, clock, log });
  expect(await events.run()).toBe(2 * HALF);
  expect(existsSync(join(folder.path, 'archive'))).toBe(false);
  const names = await inRows.names();
  const broken = async () => {
    const reports = await checkChains(store, 700, archiveReads(inRows, [SIGNING_KEY]));
    return reports.find(({ workspaceId }) => workspaceId === chain.live.workspaceId)?.broken;
  };
  expect([names.length, await rowsLeft(), await broken()]).toEqual([2, 2 * HALF + 10, null]);
  await inRows.replace(names[0] ?? '', 'x');
  const reason = `the archive file ${names[0]}: it is missing or damaged`;
  expect(await broken()).toMatchObject({ seq: 1, reason });
});

describe('a crash', () => {
  /** The store of a process that ends at a call of a step, after so many that went well. */
  const ends = (step: 'record' | 'free', after: number): Pick<Store, 'archive'> => {
    let calls = 0;
    const crash = (at: typeof step): void => {
      if (at === step && ++calls > after) throw new Error('crash');
    };
    const { record, free } = store.archive;
    return {
      archive: {
        ...store.archive,
        async record(row) {
          crash('record');
          await record(row);
        },
        free(due, limit) {
          crash('free');
          return free(due, limit);
        },
      },
    };
  };
  const moments = [
    ['while rows are freed', 'free', 3],
    ['between two segments', 'record', 1],
    ['before a segment is recorded', 'record', 0],
    ['before rows are freed', 'free', 0],
  ] as const;
  it.each(moments.slice(0, sized({ small: 1, full: 4 })))(
    '%s loses nothing and does nothing twice',
    async (_, step, after) => {
      await deleteMessage(store, opened.engine, chain.messages[0]);
      await archive(ends(step, after)).run();
      expect(await brokenAt()).toBeNull();
      await archive().run();
      expect([files().length, await rowsLeft(), await brokenAt()]).toEqual([2, 2 * HALF + 10, null]);
    },
  );

  it('a file that cannot be written frees no row', async () => {
    await deleteMessage(store, opened.engine, chain.messages[0]);
    writeFileSync(join(folder.path, 'archive'), 'in the way');
    expect(await archive().run()).toBe(0);
    expect(await rowsLeft()).toBe(2 * SEGMENT_ENTRIES + 10);
    rmSync(join(folder.path, 'archive'));
    expect(await archive().run()).toBe(2 * HALF);
  });

  it('a stop leaves the rest for the next run', async () => {
    await deleteMessage(store, opened.engine, chain.messages[0]);
    const stop = new AbortController();
    stop.abort();
    expect(await archive().run(stop.signal)).toBe(0);
    expect(await archive().run()).toBe(2 * HALF);
  });
});

describe('the check of the chains names', () => {
  // Both segments written, once.
  beforeAll(async () => {
    const written = join(templates.path, 'written');
    mkdirSync(written);
    copyFileSync(join(templates.path, 'posthorn.db'), join(written, 'posthorn.db'));
    const made = openSqliteFile(join(written, 'posthorn.db'));
    const filled = createStore(made.engine, { maxGroup: 50 });
    await deleteMessage(filled, made.engine, chain.messages[0]);
    const of = { store: filled, files: filesIn(written), key: SIGNING_KEY };
    await createEventArchive({ ...of, clock, log }).run();
    await filled.drain();
    await made.close();
  });
  beforeEach(async () => {
    await opened.close();
    cpSync(join(templates.path, 'written'), folder.path, { recursive: true });
    opened = openSqliteFile(join(folder.path, 'posthorn.db'));
    store = createStore(opened.engine, { maxGroup: 50 });
  });
  it.each([
    ['a missing file', () => rmSync(pathOf()), 'it is missing or damaged'],
    ['a file that is no gzip', () => writeFileSync(pathOf(), 'x'), 'it is missing or damaged'],
    [
      'a changed entry',
      () => {
        const text = gunzipSync(readFileSync(pathOf())).toString();
        writeFileSync(pathOf(), gzipSync(text.replace('"opened"', '"clicked"')));
      },
      'its entries were changed',
    ],
    ['another segment', () => writeFileSync(pathOf(), readFileSync(pathOf(files()[1]))), 'it is another one'],
    [
      'a file of a size that none has',
      () => writeFileSync(pathOf(), gzipSync(Buffer.alloc(MAX_SEGMENT_BYTES + 1))),
      'it is missing or damaged',
    ],
  ])('%s', async (_, damage, reason) => {
    const [file] = files();
    damage();
    expect(await brokenAt()).toMatchObject({ seq: 1, reason: `the archive file ${file}: ${reason}` });
  });

  it('a row that was changed although it is archived', async () => {
    await opened.raw('DROP TRIGGER events_no_update');
    const of = `message_id = ${chain.messages[1]} AND event = 'opened'`;
    await opened.raw(
      `UPDATE events SET event = 'clicked' WHERE position = (SELECT MIN(position) FROM events WHERE ${of})`,
    );
    const broken = await brokenAt();
    expect(broken?.reason).toBe('the entry was changed');
  });
});

it('the check goes on when the server archives meanwhile, at whatever entry it is', async () => {
  await deleteMessage(store, opened.engine, chain.messages[0]);
  let calls = 0;
  const events = {
    ...store.events,
    async chainAfter(...of: Parameters<typeof store.events.chainAfter>) {
      // In the middle of the first stretch.
      if (++calls === 3) await archive().run();
      return store.events.chainAfter(...of);
    },
  };
  const reads = archiveReads(filesIn(folder.path), [SIGNING_KEY]);
  const reports = await checkChains({ ...store, events }, 700, reads);
  expect(reports.map(({ broken }) => broken)).toEqual(reports.map(() => null));
  expect([files().length, calls > 3]).toEqual([2, true]);
});

describe('a backup', () => {
  let settings: BackupSettings;
  const dataDir = (): string => settings.dataDir;
  const settingsOf = (path: string): BackupSettings => ({
    ...{ dataDir: join(path, 'data'), backupTo: join(path, 'backups'), backupKeep: 1 },
    ...{ backupPassphrase: 'correct horse battery', minFreeDiskBytes: 0, masterKeyFile: null },
    ...{ backupS3Endpoint: null, backupS3Region: 'eu-test-1', extraCaFile: null },
    ...{ backupS3AccessKeyId: null, backupS3SecretAccessKey: null },
  });
  const open = () => openAppliance({ ...settings, groupCommitMaxPlans: 50 });

  // Two segments on disk, made once as the database is.
  beforeAll(async () => {
    settings = settingsOf(templates.path);
    const appliance = await open();
    await ensureFirstAccount(appliance.store, { clock });
    const engine = openSqlite({ file: appliance.folder.databaseFile, busyTimeoutMs: 5_000 });
    const { messages } = await longChain(appliance.store, 10);
    await deleteMessage(appliance.store, engine, messages[0]);
    const key = appliance.keys.proofKeys.active;
    await createEventArchive({ store: appliance.store, files: filesIn(dataDir()), key, clock, log }).run();
    await engine.close();
    await appliance.store.close();
  });
  beforeEach(() => {
    settings = settingsOf(folder.path);
  });

  /** A data folder with the two segments. */
  async function archived() {
    cpSync(join(templates.path, 'data'), dataDir(), { recursive: true });
    const appliance = await open();
    await appliance.store.close();
    return appliance;
  }
  const restore = (to: string) =>
    restoreBackup({
      ...{ settings: { ...settings, dataDir: to }, copy: 'latest', passphrase: settings.backupPassphrase },
      ...{ keysFolder: null, isForced: false, clock },
    });
  const stored = (): string[] => readdirSync(settings.backupTo).filter((file) => file.startsWith('events-'));

  it('takes each file once, keeps it when backups rotate, and a restore brings it back', async () => {
    const { folder: data, keys } = await archived();
    const at = (n: number) => makeBackup({ folder: data, settings, clock: () => clock() + n * 1_000 });
    expect([(await at(0)).archived, (await at(1)).archived, stored().length]).toEqual([2, 0, 2]);
    const other = join(folder.path, 'other');
    expect(await restore(other)).toMatchObject({ missingArchive: [] });
    expect(readdirSync(join(other, 'archive')).toSorted()).toEqual(stored().toSorted());
    const engine = openSqlite({ file: join(other, 'posthorn.db'), busyTimeoutMs: 5_000 });
    const reads = archiveReads(filesIn(other), keys.proofKeys.all);
    const reports = await checkChains(createReadStore(engine), 700, reads);
    expect(reports.map(({ broken }) => broken)).toEqual(reports.map(() => null));
    await engine.close();
  });

  it('a restore says which files are missing or are not what the database names', async () => {
    const { folder: data } = await archived();
    await makeBackup({ folder: data, settings, clock });
    const [first = '', second = ''] = stored().toSorted();
    rmSync(join(settings.backupTo, first));
    writeFileSync(join(settings.backupTo, second), 'x');
    const other = join(folder.path, 'other');
    expect(await restore(other)).toMatchObject({ missingArchive: [first, second] });
    expect(readdirSync(join(other, 'archive'))).toEqual([]);
  });

  it('a restore leaves the files that are there', async () => {
    const { folder: data } = await archived();
    await makeBackup({ folder: data, settings, clock });
    const other = join(folder.path, 'other');
    mkdirSync(join(other, 'archive'), { recursive: true });
    for (const file of stored()) {
      writeFileSync(join(other, 'archive', file), readFileSync(join(dataDir(), 'archive', file)));
      rmSync(join(settings.backupTo, file));
    }
    expect(await restore(other)).toMatchObject({ missingArchive: [] });
  });
});
