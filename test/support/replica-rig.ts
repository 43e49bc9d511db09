// A database file with its replica in a folder, and the part of the server that replicates it, in the test process.
import { createHash, hkdfSync } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type Connection, Database } from '../../src/database/engine/sqlite-driver.js';
import { type ReplicaNames, replicaNames } from '../../src/replica/names.rules.js';
import { replicaKey } from '../../src/replica/page-file.js';
import { ReplicaCopy, type Reached } from '../../src/replica/replica-copy.js';
import { openReplicaStorage, type ReplicaStorage } from '../../src/replica/replica-storage.js';
import { Shipper } from '../../src/replica/shipper.js';
import type { ShipperTiming } from '../../src/replica/shipper-port.js';
import { systemClock, type Clock } from '../../src/lib/runtime/index.js';
import { temporaryFolder } from './open-engines.js';
import { waitFor } from './wait.js';

export const REPLICA_MASTER_KEY = Buffer.alloc(32, 7);
/** As Mailkeel derives it from the master key. */
export const REPLICA_KEY_SET = Buffer.from(
  hkdfSync('sha256', REPLICA_MASTER_KEY, '', 'service key set id', 8),
).toString('hex');
export const REPLICA_NAMES: ReplicaNames = replicaNames(REPLICA_KEY_SET);
export const REPLICA_KEY = replicaKey(REPLICA_MASTER_KEY, REPLICA_KEY_SET);

const TIMING: ShipperTiming = {
  ...{ intervalMs: 5, logBytes: 64 * 1024, waitingBytes: 1024 * 1024 * 1024 },
  ...{ copyMs: 86_400_000, keepMs: 172_800_000 },
};

interface ShipOptions {
  timing?: Partial<ShipperTiming>;
  storage?: ReplicaStorage;
  folder?: string;
  clock?: Clock;
}

interface RestoredCopy {
  reached: Reached;
  gap: string | null;
  /** Digest of the file's content. */
  content: string;
  file: string;
}

export type ReplicaRig = ReturnType<typeof openReplicaRig>;

/** `storage` is a new folder by default. */
export function openReplicaRig(given: { storage?: ReplicaStorage } = {}) {
  const folder = temporaryFolder();
  const file = join(folder.path, 'mail.db');
  const storageFolder = join(folder.path, 'storage');
  mkdirSync(storageFolder);
  const storage = given.storage ?? openReplicaFolder(storageFolder);
  const writer = openWriter(file);
  const running = new Set<Shipper>();
  /** Generations of other servers that took over, and those whose changes the data folder lacks. */
  const fenced: number[] = [];
  const behind: number[] = [];
  const logged: { msg: string; level: number; reason?: string }[] = [];
  let copies = 0;

  function ship(options: ShipOptions = {}): Shipper {
    const shipper = new Shipper({
      ...{ file, folder: options.folder ?? join(folder.path, 'replica') },
      archiveFolder: join(folder.path, 'archive'),
      storage: options.storage ?? storage,
      ...{ names: REPLICA_NAMES, key: REPLICA_KEY, sealKeys: () => Promise.resolve(null) },
      timing: { ...TIMING, ...options.timing },
      clock: options.clock ?? systemClock,
      log: pino({}, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[number]) }),
      inTurn: (work) => Promise.resolve(work()),
      onFenced: ({ generation, isBehind }) => void (isBehind ? behind : fenced).push(generation),
    });
    running.add(shipper);
    void shipper.start(0);
    return shipper;
  }

  return {
    ...{ file, folder: folder.path, storageFolder, storage, writer, fenced, behind, logged, ship },
    source: { storage, names: REPLICA_NAMES, key: REPLICA_KEY },
    replicating: (shipper: Shipper) =>
      waitFor(
        'the base copy',
        () => shipper.state,
        ({ phase }) => phase === 'replicating',
      ),
    async stop(shipper: Shipper, graceMs = 5_000): Promise<void> {
      running.delete(shipper);
      await shipper.stop(graceMs);
    },
    /** Restores the newest state, or that of a time. */
    async restore(until: number | null = null): Promise<RestoredCopy> {
      const to = join(folder.path, `restored-${(copies += 1)}.db`);
      const copy = await ReplicaCopy.make({ storage, names: REPLICA_NAMES, key: REPLICA_KEY }, to, until);
      try {
        const gap = await copy.advance(until);
        return { reached: copy.reached, gap, content: contentOfCopy(to), file: to };
      } finally {
        copy.close();
      }
    },
    content: () => contentOf(writer),
    async close(): Promise<void> {
      for (const shipper of running) await shipper.stop(0);
      writer.close();
      folder.remove();
    },
  };
}

/** Opens a folder as storage. */
export function openReplicaFolder(folder: string): ReplicaStorage {
  return openReplicaStorage(
    {
      ...{ replicaTo: folder, backupS3Endpoint: null, backupS3Region: 'eu-test-1', extraCaFile: null },
      ...{ backupS3AccessKeyId: null, backupS3SecretAccessKey: null },
    },
    folder,
  );
}

/** Writes as the server does, with a log that only the replica checkpoints. */
function openWriter(file: string): Connection {
  const writer = new Database(file);
  writer.pragma('page_size = 1024');
  writer.pragma('auto_vacuum = INCREMENTAL');
  writer.pragma('journal_mode = WAL');
  writer.pragma('wal_autocheckpoint = 0');
  writer.pragma('journal_size_limit = 65536');
  writer.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text BLOB)');
  return writer;
}

/** Digest of the schema and all rows. */
export function contentOf(database: Connection): string {
  const digest = createHash('sha256');
  const tables = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all() as { name: string; sql: string }[];
  for (const { name, sql } of tables) {
    digest.update(`${name} ${sql}\n`);
    for (const row of database.prepare(`SELECT * FROM "${name}" ORDER BY rowid`).raw().iterate()) {
      digest.update(JSON.stringify(row));
    }
  }
  return digest.digest('hex');
}

/** Digest of a file that another process may still write. Throws if SQLite finds it damaged. */
export function contentOfCopy(file: string): string {
  const copy = `${file}.read`;
  copyFileSync(file, copy);
  const database = new Database(copy);
  try {
    const problem = database.pragma('integrity_check', { simple: true });
    if (problem !== 'ok') throw new Error(`${file} is damaged: ${String(problem)}`);
    return contentOf(database);
  } finally {
    database.close();
  }
}
