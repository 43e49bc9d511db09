// Opens the data folder for the server and offline commands: folder, keys, database, schema, in this order, one process at a
// time.
import { open, stat } from 'node:fs/promises';
import type { Config } from '../../settings/settings.js';
import {
  type DataFolder,
  describeDataFolder,
  prepareDataFolder,
  refuseUnfinishedRestore,
} from '../../lib/files/index.js';
import { type Keys, openKeyFiles } from '../../lib/secrets/index.js';
import type { Engine } from '../../database/engine/engine.js';
import { withSetupLock } from '../../database/engine/server-lock.js';
import { placeFile, openEngine, choosePlace, type DatabasePlace } from '../../database/engine/place.js';
import { makeUpgradeCopy, planUpgradeCopy, type MadeCopy } from '../../operations/backup/upgrade-copy.js';
import { systemClock } from '../../lib/runtime/index.js';
import { withDatabaseLock } from './stopped-server.js';
import { fetchKeyFiles, keepKeyFiles } from './shared-key-files.js';
import {
  migrate,
  planMigrations,
  type PendingStep,
  type RanStep,
} from '../../database/migrations/migrate.js';
import { refuseUnfinishedMove } from '../../database/move/unfinished-move.store.js';
import { createStore, type Store } from '../store.js';
import type { Replica } from '../../replica/replica.js';
import { commitReplica, type ReplicaOpener } from '../replica.js';

/** Time (ms) that a statement waits for another process that writes. */
export const BUSY_TIMEOUT_MS = 5000;
const SETUP_WAIT_MS = 60_000;

export interface Appliance {
  folder: DataFolder;
  place: DatabasePlace;
  keys: Keys;
  engine: Engine;
  store: Store;
  /** Null without one, and in commands. */
  replica: Replica | null;
  upgrade: Upgrade;
}

/** Schema changes made while the folder was opened. */
interface Upgrade {
  /** True if the database was created. */
  isNew: boolean;
  steps: RanStep[];
  /** Copy of the database before the first step; null if nothing changed, the database is new, or no copy could be made. */
  copy: MadeCopy | null;
}

/** Notified while an existing database is upgraded, which may take minutes. */
export interface UpgradeListener {
  /** Called when an idle connection to the database server breaks. */
  connectionLost?: (error: Error) => void;
  /** Called once before the copy and the first step; the upgrade waits for it. */
  announced?: (upgrade: { steps: number; bytes: number | null }) => Promise<void>;
  copied?: (copy: MadeCopy & { tookMs: number }) => void;
  notCopied?: (reason: string) => void;
  begins?: (step: PendingStep) => void;
  ended?: (step: RanStep) => void;
}

type ApplianceConfig = Pick<Config, 'dataDir' | 'groupCommitMaxPlans'> &
  Partial<
    Pick<
      Config,
      | 'databaseUrl'
      | 'masterKeyFile'
      | 'upgradeCopy'
      | 'minFreeDiskBytes'
      | 'replicaWait'
      | 'replicaWaitMs'
      | 'replicaAwayMs'
    >
  >;

interface OpenOptions {
  /** True if the starting server or the command already holds the lock of the PostgreSQL database. */
  hasDatabaseLock?: boolean;
  /** The node that opens the database, and whether PostgreSQL is known not to respond. */
  node?: { nodeId: string; isAway: () => boolean };
  /** Replicates the database file; for the server only. */
  openReplica?: ReplicaOpener | null;
}

/**
 * Opens the data folder and creates what is missing. The caller closes `store`. Throws DataFolderError, KeyFileError,
 * FolderLockError, UnfinishedMoveError, NewerDatabaseError and MigrationError.
 */
export async function openAppliance(
  config: ApplianceConfig,
  listener: UpgradeListener = {},
  { hasDatabaseLock = false, node, openReplica = null }: OpenOptions = {},
): Promise<Appliance> {
  const { path } = await prepareDataFolder(config.dataDir);
  return withSetupLock(path, SETUP_WAIT_MS, async () => {
    await refuseUnfinishedRestore(path);
    const folder = await describeDataFolder(path);
    const place = choosePlace(config, folder.databaseFile);
    if (place.kind === 'file') {
      // The engine would create it readable for all users. Its log files inherit the mode.
      await (await open(place.file, 'a', 0o600)).close();
    }
    const { connectionLost } = listener;
    const engine = await openEngine(place, {
      busyTimeoutMs: BUSY_TIMEOUT_MS,
      isReplicated: openReplica !== null,
      ...(connectionLost === undefined ? {} : { onLost: connectionLost }),
      ...node,
    });
    let replica: Replica | null = null;
    try {
      await refuseUnfinishedMove(engine);
      const databaseExists =
        place.kind === 'file' ? folder.databaseExists : !(await planMigrations(engine)).isNew;
      const masterKeyFile = config.masterKeyFile ?? null;
      const keyFolder = { keysFolder: folder.keysFolder, masterKeyFile };
      if (place.kind === 'server' && databaseExists) await fetchKeyFiles(engine, keyFolder);
      const keys = await openKeyFiles(path, { databaseExists, masterKeyFile });
      replica = (await openReplica?.({ engine, folder })) ?? null;
      const upgrade = await upgradeDatabase(engine, {
        ...{ config, folder, place, listener, hasDatabaseLock },
      });
      const { masterKey } = keys;
      if (place.kind === 'server') await keepKeyFiles(engine, keyFolder, { masterKey, now: systemClock() });
      const { replicaWait = false, replicaWaitMs = 0, replicaAwayMs = 0 } = config;
      const store = createStore(engine, {
        maxGroup: config.groupCommitMaxPlans,
        replica: replica && {
          waits: commitReplica(replica, { replicaWait, replicaWaitMs, replicaAwayMs }),
          close: () => replica?.close(),
        },
      });
      return { folder, place, keys, engine, store, replica, upgrade };
    } catch (error) {
      await replica?.close();
      await engine.close();
      throw error;
    }
  });
}

interface UpgradeDeps {
  config: ApplianceConfig;
  folder: DataFolder;
  place: DatabasePlace;
  listener: UpgradeListener;
  hasDatabaseLock: boolean;
}

/** Copies the database file if steps are pending, then runs them. A database server has its own backups. */
async function upgradeDatabase(
  engine: Engine,
  { config, folder, place, listener, hasDatabaseLock }: UpgradeDeps,
): Promise<Upgrade> {
  const { isNew, schema, pending } = await planMigrations(engine);
  // A command of a new release must not change tables while a server of the previous release uses them.
  const lockedUrl =
    place.kind === 'server' && !isNew && pending.length > 0 && !hasDatabaseLock ? place.url : null;
  const file = placeFile(place);
  if (!isNew && pending.length > 0) {
    const bytes = file === null ? null : (await stat(file)).size;
    await listener.announced?.({ steps: pending.length, bytes });
  }
  const copy =
    schema === null || pending.length === 0 || file === null
      ? null
      : await copyBefore({ config, folder, file, listener }, schema);
  const steps: RanStep[] = [];
  await withDatabaseLock(lockedUrl, () =>
    migrate(engine, {
      ...(isNew || listener.begins === undefined ? {} : { onBegin: listener.begins }),
      onEnd(step) {
        steps.push(step);
        if (!isNew) listener.ended?.(step);
      },
    }),
  );
  return { isNew, steps, copy };
}

async function copyBefore(
  { config, folder, file, listener }: Pick<UpgradeDeps, 'config' | 'folder' | 'listener'> & { file: string },
  schema: string,
): Promise<MadeCopy | null> {
  const facts = { databaseFile: file, schema, now: systemClock() };
  const settings = { ...config, dataDir: folder.path };
  const planned = await planUpgradeCopy(settings, facts);
  if (planned.reason !== null) {
    listener.notCopied?.(planned.reason);
    return null;
  }
  const since = performance.now();
  const copy = await makeUpgradeCopy(planned, { ...facts, dataDir: folder.path });
  listener.copied?.({ ...copy, tookMs: Math.round(performance.now() - since) });
  return copy;
}

/** Opens the data folder for `work` and always closes it. */
export async function withAppliance<T>(
  config: ApplianceConfig,
  work: (appliance: Appliance) => Promise<T>,
  listener?: UpgradeListener,
  options?: OpenOptions,
): Promise<T> {
  const appliance = await openAppliance(config, listener, options);
  try {
    return await work(appliance);
  } finally {
    await appliance.store.close();
  }
}
