// Moves all rows and files of an installation between SQLite and PostgreSQL. Holds the locks, marks the target, and compares
// every row, the files, the event chains and proofs before it removes the mark. The source is not changed.
import { open, readdir, rm } from 'node:fs/promises';
import type { Config } from '../settings/settings.js';
import { Refusal } from '../contract/refusal.js';
import { type ChainReport, checkChains } from '../events/chain-check.store.js';
import {
  type DataFolder,
  describeDataFolder,
  prepareDataFolder,
  refuseUnfinishedRestore,
} from '../lib/files/index.js';
import { type Keys, openKeyFiles } from '../lib/secrets/index.js';
import {
  FILE_FOLDERS,
  installationFiles,
  type InstallationFiles,
} from '../operations/files/installation-files.js';
import { createFileStore } from '../operations/files/stored-files.store.js';
import { archiveReads } from '../operations/retention/event-archive.js';
import type { Engine } from '../database/engine/engine.js';
import { type DatabasePlace, openEngine, choosePlace } from '../database/engine/place.js';
import { lockDataFolder, withSetupLock } from '../database/engine/server-lock.js';
import { migrate, planMigrations } from '../database/migrations/migrate.js';
import { latestSchema } from '../database/migrations/steps.js';
import {
  compareRows,
  copyRows,
  type ComparedTable,
  type CopyLimits,
  MoveError,
  type MoveListener,
} from '../database/move/move-rows.js';
import { sampleOfMessages } from '../database/move/message-sample.store.js';
import { openPostgresSide } from '../database/move/postgres-side.js';
import type { Side } from '../database/move/side.js';
import { openSqliteSide } from '../database/move/sqlite-side.js';
import {
  emptyTables,
  endMove,
  fillSearch,
  firstTable,
  hasUnfinishedMove,
  markUnfinishedMove,
  refuseUnfinishedMove,
} from '../database/move/unfinished-move.store.js';
import { TABLES } from '../app/tables.js';
import { createReadStore, type ReadStore } from '../app/store.js';
import { type MovedFolder, moveFiles } from './move-files.js';
import { checkProofs, type CheckedProofs } from './move-proofs.js';
import { type MoveTarget, placeName } from './move-target.js';
import { BUSY_TIMEOUT_MS } from '../app/installation/open-appliance.js';
import { withDatabaseLock } from '../app/installation/stopped-server.js';

const SETUP_WAIT_MS = 10_000;
const CHAIN_BATCH = 1_000;
/** Number of messages whose proofs are compared. */
const PROOFS = 100;
const BATCH_BYTES = 8 * 1024 * 1024;

interface MoveRequest {
  config: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl' | 'masterKeyFile'>>;
  target: MoveTarget;
  batchRows: number;
  /** Discards the result of an unfinished move in the target. */
  isRestarted: boolean;
  /** Removes NUL characters from texts, which PostgreSQL cannot store. */
  dropsNul: boolean;
  listener: MoveListener & { phase?: (sentence: string) => void };
  now: number;
}

export interface Moved {
  from: string;
  to: string;
  tables: ComparedTable[];
  files: MovedFolder[];
  chains: (ChainReport & { isAsBefore: boolean })[];
  proofs: CheckedProofs;
  /** True if nothing differs, so the target may be used. */
  isGood: boolean;
  tookMs: number;
  source: DatabasePlace;
  /** Absolute path of the settings' data folder. */
  dataFolder: string;
  /** Other names in the data folder besides the database, locks and moved files. */
  staying: string[];
}

/** Throws a Refusal if the move must not start, and a MoveError or a database error if it must stop. */
export async function moveInstallation(request: MoveRequest): Promise<Moved> {
  const { config, target } = request;
  const folder = await describeDataFolder(config.dataDir);
  const source = choosePlace(config, folder.databaseFile);
  if (source.kind === target.place.kind) throw sameKind(source);
  if (source.kind === 'file' && !folder.databaseExists) throw refused(`No database found in ${folder.path}.`);
  if (target.folder !== null) await prepareDataFolder(target.folder.path);
  const paths = new Set([folder.path, ...(target.folder === null ? [] : [target.folder.path])]);
  return withFolders([...paths], async () => {
    await refuseUnfinishedRestore(folder.path);
    // The keys belong to the rows, so a folder without them is the wrong one.
    const keys = await openKeyFiles(folder.path, {
      databaseExists: true,
      masterKeyFile: config.masterKeyFile ?? null,
    });
    await refuseOthers(source);
    await refuseOthers(target.place);
    return withDatabaseLock(urlOf(source) ?? urlOf(target.place), () =>
      moveRows(request, { folder, source, keys }),
    );
  });
}

/** Returns null for a file. */
function urlOf(place: DatabasePlace): string | null {
  return place.kind === 'server' ? place.url : null;
}

/** Holds the locks of servers and of set-up commands. */
async function withFolders<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const [path, ...rest] = paths;
  if (path === undefined) return work();
  const lock = lockDataFolder(path);
  try {
    return await withSetupLock(path, SETUP_WAIT_MS, () => withFolders(rest, work));
  } finally {
    lock.release();
  }
}

interface Origin {
  folder: DataFolder;
  source: DatabasePlace;
  keys: Keys;
}

async function moveRows(request: MoveRequest, origin: Origin): Promise<Moved> {
  const { target, listener } = request;
  const { source } = origin;
  const since = performance.now();
  await checkSource(source);
  const engine = await prepareTarget(request);
  try {
    const { tables, ...history } = await fillTarget(request, origin, engine);
    const isGood =
      tables.every(({ difference }) => difference === null) &&
      history.files.every(({ differ }) => differ.length === 0) &&
      history.chains.every(({ broken, isAsBefore }) => broken === null || isAsBefore) &&
      history.proofs.failed.length === 0;
    if (isGood) await endMove(engine);
    listener.phase?.('Done');
    return {
      ...{ from: placeName(source), to: placeName(target.place), tables, ...history, isGood },
      ...{ tookMs: Math.round(performance.now() - since), source, dataFolder: origin.folder.path },
      staying: await othersIn(origin.folder.path),
    };
  } catch (error) {
    const after = `${placeName(source)} was not changed. The move to ${placeName(target.place)} is incomplete, and the server refuses to start with it.`;
    const remedy = 'Fix the problem and run the command again with --restart.';
    throw new MoveError(`Move failed: ${failureReason(error)} ${after} ${remedy}`, { cause: error });
  } finally {
    await engine.close();
  }
}

/** Copies and compares the rows. `engine` is that of the target, whose tables exist. */
async function fillTarget(
  { target, listener, batchRows, dropsNul, now }: MoveRequest,
  origin: Origin,
  engine: Engine,
): Promise<Pick<Moved, 'tables' | 'files' | 'chains' | 'proofs'>> {
  const limits: CopyLimits = { rows: batchRows, bytes: BATCH_BYTES, dropsNul };
  const from = await openSide(origin.source, { readOnly: true });
  try {
    const to = await openSide(target.place, { readOnly: false });
    try {
      const sides = { source: from, target: to, tables: TABLES };
      await from.beginReading();
      listener.phase?.('Copying rows');
      const moved = await copyRows(sides, limits, listener);
      listener.phase?.('Building the search index and planner statistics');
      await fillSearch(engine);
      await to.settle();
      listener.phase?.('Comparing all rows');
      await to.beginReading();
      const tables = await compareRows(sides, moved, limits, listener);
      await to.endReading();
      if (!(await from.endReading())) {
        throw new MoveError('Another process wrote to the source during the move. Stop that process.');
      }
      return { tables, ...(await moveRest({ target, listener, now }, origin, engine)) };
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function openSide(place: DatabasePlace, { readOnly }: { readOnly: boolean }): Promise<Side> {
  return place.kind === 'file'
    ? openSqliteSide(place.file, { readOnly })
    : openPostgresSide(place.url, TABLES);
}

/** Refuses a server to which another Mailkeel process is connected. */
async function refuseOthers(place: DatabasePlace): Promise<void> {
  if (place.kind === 'file') return;
  const side = await openPostgresSide(place.url, TABLES).catch((error: unknown) => {
    throw new MoveError(failureReason(error), { cause: error });
  });
  try {
    const others = await side.others();
    if (others.length === 0) return;
    throw refused(
      `${placeName(place)} is in use by ${[...new Set(others)].join(', ')}. Stop these processes first.`,
    );
  } finally {
    await side.close();
  }
}

async function checkSource(source: DatabasePlace): Promise<void> {
  const engine = await openEngine(source, { busyTimeoutMs: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    await refuseUnfinishedMove(engine);
    const { isNew, schema, pending } = await planMigrations(engine);
    if (isNew) throw refused(`No database found on ${placeName(source)}.`);
    if (pending.length > 0) {
      throw refused(
        `The source database is not up to date (latest migration: ${String(schema)}). Run "mailkeel admin migrate" first.`,
      );
    }
    if (schema !== latestSchema()) {
      throw refused(
        `The source database was migrated by a newer release (${String(schema)}). Use that release to move it.`,
      );
    }
  } finally {
    await engine.close();
  }
}

/** Marks an empty database and migrates it to the newest schema. The caller closes the engine. */
async function prepareTarget({ target, isRestarted, listener }: MoveRequest): Promise<Engine> {
  const { place, folder } = target;
  if (place.kind === 'file') await (await open(place.file, 'a', 0o600)).close();
  let engine = await openEngine(place, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    if (await hasUnfinishedMove(engine)) {
      if (!isRestarted) {
        throw refused(
          `A previous move to ${placeName(place)} did not finish. To delete its data and start again, pass --restart.`,
        );
      }
      if (place.kind === 'file') {
        await engine.close();
        await removeDatabase(place.file);
        await (await open(place.file, 'a', 0o600)).close();
        engine = await openEngine(place, { busyTimeoutMs: BUSY_TIMEOUT_MS });
      } else {
        await emptyTables(engine, TABLES);
      }
    }
    await refuseUnlessEmpty(engine, { place, folder });
    if (!(await hasUnfinishedMove(engine))) await markUnfinishedMove(engine);
    listener.phase?.('Creating tables');
    await migrate(engine);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function refuseUnlessEmpty(engine: Engine, { place, folder }: MoveTarget): Promise<void> {
  const { isNew, schema } = await planMigrations(engine);
  if (schema !== null && schema > latestSchema()) {
    throw refused(
      `The tables in ${placeName(place)} belong to a newer release (${schema}). Empty the database, or use that release.`,
    );
  }
  const found = await firstTable(engine, TABLES, { withRows: !isNew });
  if (found === null) return;
  const what = isNew
    ? `contains a table that does not belong to Mailkeel: ${found}`
    : `is not empty: table ${found} has rows`;
  const remedy =
    folder === null
      ? 'Create a separate database with CREATE DATABASE.'
      : `Move mail.db and, if present, mail.db-wal and mail.db-shm out of ${folder.path}.`;
  throw refused(`The target ${placeName(place)} ${what}. ${remedy}`);
}

/** Moves the files, then verifies everything derived from files and rows. */
async function moveRest(
  { target, listener, now }: Pick<MoveRequest, 'target' | 'listener' | 'now'>,
  { folder, source, keys }: Origin,
  engine: Engine,
): Promise<Pick<Moved, 'files' | 'chains' | 'proofs'>> {
  const origin = await openEngine(source, { busyTimeoutMs: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    const filesOf = (place: DatabasePlace, dataFolder: string, of: Engine): InstallationFiles =>
      installationFiles({
        ...{ place, dataFolder, clock: () => now },
        store: createFileStore(of),
        masterKey: keys.masterKey,
      });
    const from = filesOf(source, folder.path, origin);
    const to = filesOf(target.place, (target.folder ?? folder).path, engine);
    listener.phase?.('Moving files');
    const files = await moveFiles(from, to);
    listener.phase?.('Verifying event chains and proofs');
    const sides = {
      before: { store: createReadStore(origin), files: from },
      after: { store: createReadStore(engine), files: to },
    };
    const ids = await sampleOfMessages(engine, PROOFS);
    return { files, ...(await verifyHistory(sides, { proofKeys: keys.proofKeys, ids, now })) };
  } finally {
    await origin.close();
  }
}

interface HistorySide {
  store: ReadStore;
  files: InstallationFiles;
}

/** Verifies the target's event chains, and compares proofs from both databases. */
async function verifyHistory(
  { before, after }: { before: HistorySide; after: HistorySide },
  { proofKeys, ids, now }: { proofKeys: Keys['proofKeys']; ids: readonly string[]; now: number },
): Promise<Pick<Moved, 'chains' | 'proofs'>> {
  const walk = ({ store, files }: HistorySide): Promise<ChainReport[]> =>
    checkChains(store, CHAIN_BATCH, archiveReads(files.archive, proofKeys.all));
  const reports = await walk(after);
  const isWhole = reports.every(({ broken }) => broken === null);
  const old = isWhole ? reports : await walk(before);
  const oldTexts = new Set(old.map((report) => JSON.stringify(report)));
  const chains = reports.map((report) => ({ ...report, isAsBefore: oldTexts.has(JSON.stringify(report)) }));
  const stores = { before: before.store, after: after.store };
  return { chains, proofs: await checkProofs({ ...stores, ids, proofKeys, now }) };
}

async function removeDatabase(file: string): Promise<void> {
  // The database file goes first: SQLite discards a log beside an empty database, but a database without its log may lack the
  // mark.
  for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true });
}

async function othersIn(path: string): Promise<string[]> {
  const names = await readdir(path);
  const moved: readonly string[] = FILE_FOLDERS;
  return names.filter((name) => !/^mail\.db|\.lock(-|$)|^\./.test(name) && !moved.includes(name)).sort();
}

function sameKind({ kind }: DatabasePlace): Refusal {
  return refused(
    kind === 'file'
      ? 'The data is already in a SQLite file. To copy it, run "mailkeel admin backup".'
      : 'The data is already on a PostgreSQL server. To copy it, use pg_dump and pg_restore.',
  );
}

/** Describes an error in a sentence. Driver messages contain no password. */
function failureReason(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  // An error of a name with several addresses has no message.
  const reason = message === '' ? (code ?? 'unknown error') : message;
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

function refused(message: string): Refusal {
  return new Refusal('conflict', message);
}
