// Tests the archive of events on disk: its files, crashes and damaged files, backups and restores.
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
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { checkChains } from '../../src/events/chain-check.store.js';
import { CHAIN_START, chainHash, type ChainEntry } from '../../src/events/chain.rules.js';
import { MAX_SEGMENT_BYTES, SEGMENT_ENTRIES, segmentText } from '../../src/events/archive/segment.rules.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { archiveReads, archiveEvents } from '../../src/operations/retention/event-archive.js';
import { createDatabaseFiles } from '../../src/operations/files/installation-files.js';
import { makeBackup, type BackupSettings } from '../../src/operations/backup/backup.js';
import { restoreBackup, type RestoreRequest } from '../../src/operations/backup/restore.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { createReadStore, createStore, type Store } from '../../src/app/store.js';
import type { ProofSigningKey } from '../../src/lib/tokens/index.js';
import { testDisk } from '../support/disk.js';
import { deleteMessage, longChain, type LongChain } from '../support/archive-world.js';
import { layDataFolder } from '../support/migrated-file.js';
import { openSqliteFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { isFullSize, sized } from '../support/run-size.js';

/** Whole segments of the chain. The store's contract has two that follow each other in every check. */
const SEGMENTS = sized({ small: 1, full: 2 });
const HALF = SEGMENT_ENTRIES / 2;
/** Rows of one of the two messages that are in whole segments. */
const OF_ONE = SEGMENTS * HALF;

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let chain: LongChain;
/** Signs the archived segments. */
let key: ProofSigningKey;
const clock = () => 1_800_000_000_000;
const log = createLog('silent');

/** Created once and copied for every test: a database with the chain, and a data folder with its keys and archive. */
let templates: ReturnType<typeof temporaryFolder>;
const template = (name: string): string => join(templates.path, name);
const backupSettings = (path: string): BackupSettings & RestoreRequest['settings'] => ({
  ...{ dataDir: join(path, 'data'), backupTo: join(path, 'backups'), backupKeep: 1 },
  ...{ backupPassphrase: 'correct horse battery', minFreeDiskBytes: 0, masterKeyFile: null },
  ...{ backupS3Endpoint: null, backupS3Region: 'eu-test-1', extraCaFile: null, replicaTo: null },
  ...{ backupS3AccessKeyId: null, backupS3SecretAccessKey: null },
});

beforeAll(async () => {
  templates = temporaryFolder();
  const file = join(template('data'), 'mail.db');
  await layDataFolder(template('data'));
  const appliance = await openAppliance({ ...backupSettings(templates.path), groupCommitMaxPlans: 50 });
  key = appliance.keys.proofKeys.active;
  chain = await longChain(appliance.store, 10, undefined, SEGMENTS);
  await appliance.store.close();
  copyFileSync(file, template('mail.db'));
  const made = openSqliteFile(file);
  const filled = createStore(made.engine, { maxGroup: 50 });
  await deleteMessage(filled, made.engine, chain.messages[0]);
  await archiveEvents({ store: filled, files: filesIn(template('data')), key, disk, clock, log });
  await filled.drain();
  await made.close();
});
afterAll(() => {
  templates.remove();
});

beforeEach(() => {
  folder = temporaryFolder();
  copyFileSync(template('mail.db'), join(folder.path, 'mail.db'));
  opened = openSqliteFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
});
afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const disk = testDisk();
const filesIn = (dataDir: string) => createFolderFiles(join(dataDir, 'archive'));
const archive = (of: Pick<Store, 'archive'> = store, signal?: AbortSignal) =>
  archiveEvents({ store: of, files: filesIn(folder.path), key, disk, clock, log }, signal);
const files = (): string[] => readdirSync(join(folder.path, 'archive')).toSorted();
const pathOf = (file = files()[0] ?? ''): string => join(folder.path, 'archive', file);
const brokenAt = async () => {
  const reports = await checkChains(store, 700, archiveReads(filesIn(folder.path), [key]));
  return reports.find(({ workspaceId }) => workspaceId === chain.live.workspaceId)?.broken;
};
const rowsLeft = async (): Promise<number> =>
  (await store.events.chainAfter(chain.live.workspaceNumber, 0, 99_999)).length;

it('archives nothing without a deleted message', async () => {
  expect(await archive()).toBe(0);
  expect(existsSync(join(folder.path, 'archive'))).toBe(false);
});

it('writes private files, removes the rows of the deleted message only, and the chain stays valid', async () => {
  await deleteMessage(store, opened.engine, chain.messages[0]);
  expect(await archive()).toBe(OF_ONE);
  expect(files()).toHaveLength(SEGMENTS);
  for (const file of files()) expect(statSync(pathOf(file)).mode & 0o777).toBe(0o600);
  expect(await rowsLeft()).toBe(OF_ONE + 10);
  expect(await brokenAt()).toBeNull();
  // The trail of the remaining message is complete, with its details.
  const trail = await store.events.auditTrailOfMessage(chain.messages[1]);
  expect([trail.length, trail.at(-1)?.detail?.includes('192.0.2.1')]).toEqual([OF_ONE + 5, true]);
  expect(gunzipSync(readFileSync(pathOf())).toString()).not.toMatch(/192\.0\.2\.1|Mail\//);

  expect(await archive()).toBe(0);
  await deleteMessage(store, opened.engine, chain.messages[1]);
  expect(await archive()).toBe(OF_ONE);
  expect([files().length, await rowsLeft(), await brokenAt()]).toEqual([SEGMENTS, 10, null]);
});

it('writes, reads and verifies files in rows like those in the folder', async () => {
  const inRows = createDatabaseFiles(store.files, { folder: 'archive', clock });
  await deleteMessage(store, opened.engine, chain.messages[0]);
  const inFiles = { store, files: inRows, key, disk, clock, log };
  expect(await archiveEvents(inFiles)).toBe(OF_ONE);
  expect(existsSync(join(folder.path, 'archive'))).toBe(false);
  const names = await inRows.names();
  const broken = async () => {
    const reports = await checkChains(store, 700, archiveReads(inRows, [key]));
    return reports.find(({ workspaceId }) => workspaceId === chain.live.workspaceId)?.broken;
  };
  expect([names.length, await rowsLeft(), await broken()]).toEqual([SEGMENTS, OF_ONE + 10, null]);
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
    '%s loses nothing and repeats nothing',
    async (_, step, after) => {
      await deleteMessage(store, opened.engine, chain.messages[0]);
      await archive(ends(step, after));
      expect(await brokenAt()).toBeNull();
      await archive();
      expect([files().length, await rowsLeft(), await brokenAt()]).toEqual([SEGMENTS, OF_ONE + 10, null]);
    },
  );

  it('a file that cannot be written keeps its rows', async () => {
    await deleteMessage(store, opened.engine, chain.messages[0]);
    writeFileSync(join(folder.path, 'archive'), 'in the way');
    expect(await archive()).toBe(0);
    expect(await rowsLeft()).toBe(SEGMENTS * SEGMENT_ENTRIES + 10);
    rmSync(join(folder.path, 'archive'));
    expect(await archive()).toBe(OF_ONE);
  });

  it('a stop leaves the rest for the next run', async () => {
    await deleteMessage(store, opened.engine, chain.messages[0]);
    const stop = new AbortController();
    stop.abort();
    expect(await archive(store, stop.signal)).toBe(0);
    expect(await archive()).toBe(OF_ONE);
  });
});

const inFullSize = <T>(one: T): T[] => (isFullSize ? [one] : []);

/** A complete segment with a valid signature, of this workspace and starting at this event. */
function otherSegment(workspace: number, first: number): string {
  let hash = CHAIN_START;
  const entries = Array.from({ length: SEGMENT_ENTRIES }, (_, index) => {
    const entry: ChainEntry = {
      ...{ workspace_number: workspace, seq: first + index, environment_id: 1 },
      ...{ subject_id: 'msg_1', event: 'opened', actor: 'recipient', occurred_at: 1, detail_digest: null },
    };
    hash = chainHash(hash, entry);
    return { ...entry, hash };
  });
  return segmentText(entries, { workspaceId: 'ws_1', previous: { seq: first - 1, hash: CHAIN_START }, key })
    .text;
}

describe('the check of the chains reports', () => {
  beforeEach(async () => {
    await opened.close();
    cpSync(template('data'), folder.path, { recursive: true });
    opened = openSqliteFile(join(folder.path, 'mail.db'));
    store = createStore(opened.engine, { maxGroup: 50 });
  });
  it.each<[string, () => void, string]>([
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
    [
      'the segment of another workspace',
      () => writeFileSync(pathOf(), gzipSync(otherSegment(chain.live.workspaceNumber + 1, 1))),
      'it is another one',
    ],
    [
      'a later segment of the same workspace',
      () => writeFileSync(pathOf(), gzipSync(otherSegment(chain.live.workspaceNumber, SEGMENT_ENTRIES + 1))),
      'it is another one',
    ],
    ...inFullSize<[string, () => void, string]>([
      'another segment',
      () => writeFileSync(pathOf(), readFileSync(pathOf(files()[1]))),
      'it is another one',
    ]),
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

  it('a changed row that was archived', async () => {
    await opened.raw('DROP TRIGGER events_no_update');
    const of = `message_id = ${chain.messages[1]} AND event = 'opened'`;
    await opened.raw(
      `UPDATE events SET event = 'clicked' WHERE position = (SELECT MIN(position) FROM events WHERE ${of})`,
    );
    const broken = await brokenAt();
    expect(broken?.reason).toBe('the entry was changed');
  });
});

it('the check continues while the server archives any entry', async () => {
  await deleteMessage(store, opened.engine, chain.messages[0]);
  let calls = 0;
  const events = {
    ...store.events,
    async chainAfter(...of: Parameters<typeof store.events.chainAfter>) {
      // In the middle of the first range.
      if (++calls === 3) await archive();
      return store.events.chainAfter(...of);
    },
  };
  const reads = archiveReads(filesIn(folder.path), [key]);
  const reports = await checkChains({ ...store, events }, 700, reads);
  expect(reports.map(({ broken }) => broken)).toEqual(reports.map(() => null));
  expect([files().length, calls > 3]).toEqual([SEGMENTS, true]);
});

describe('a backup', () => {
  let settings: BackupSettings & RestoreRequest['settings'];
  const dataDir = (): string => settings.dataDir;
  const open = () => openAppliance({ ...settings, groupCommitMaxPlans: 50 });

  beforeEach(() => {
    settings = backupSettings(folder.path);
  });

  /** A data folder with its archive. */
  async function archived() {
    cpSync(template('data'), dataDir(), { recursive: true });
    const appliance = await open();
    await appliance.store.close();
    return appliance;
  }
  const restore = (to: string) =>
    restoreBackup({
      ...{ settings: { ...settings, dataDir: to }, copy: 'latest', passphrase: settings.backupPassphrase },
      ...{ keysFolder: null, isForced: false, clock, until: null, takesOver: false },
    });
  const stored = (): string[] => readdirSync(settings.backupTo).filter((file) => file.startsWith('events-'));

  it('stores each file once, keeps it during rotation, and a restore returns it', async () => {
    const { folder: data, keys } = await archived();
    const at = (n: number) =>
      makeBackup({ folder: data, config: settings, clock: () => clock() + n * 1_000 });
    expect([(await at(0)).archived, (await at(1)).archived, stored().length]).toEqual([
      SEGMENTS,
      0,
      SEGMENTS,
    ]);
    const other = join(folder.path, 'other');
    expect(await restore(other)).toMatchObject({ missingArchive: [] });
    expect(readdirSync(join(other, 'archive')).toSorted()).toEqual(stored().toSorted());
    const engine = openSqlite({ file: join(other, 'mail.db'), busyTimeoutMs: 5_000 });
    const reads = archiveReads(filesIn(other), keys.proofKeys.all);
    const reports = await checkChains(createReadStore(engine), 700, reads);
    expect(reports.map(({ broken }) => broken)).toEqual(reports.map(() => null));
    await engine.close();
  });

  it('a restore reports missing and different files', async () => {
    const { folder: data } = await archived();
    await makeBackup({ folder: data, config: settings, clock });
    const [first = '', second] = stored().toSorted();
    writeFileSync(join(settings.backupTo, first), 'x');
    if (second !== undefined) rmSync(join(settings.backupTo, second));
    const missing = [first, ...(second === undefined ? [] : [second])];
    const other = join(folder.path, 'other');
    expect(await restore(other)).toMatchObject({ missingArchive: missing });
    expect(readdirSync(join(other, 'archive'))).toEqual([]);
    rmSync(join(settings.backupTo, first));
    expect(await restore(join(folder.path, 'third'))).toMatchObject({ missingArchive: missing });
  });

  it('a restore keeps existing files', async () => {
    const { folder: data } = await archived();
    await makeBackup({ folder: data, config: settings, clock });
    const other = join(folder.path, 'other');
    mkdirSync(join(other, 'archive'), { recursive: true });
    for (const file of stored()) {
      writeFileSync(join(other, 'archive', file), readFileSync(join(dataDir(), 'archive', file)));
      rmSync(join(settings.backupTo, file));
    }
    expect(await restore(other)).toMatchObject({ missingArchive: [] });
  });
});
