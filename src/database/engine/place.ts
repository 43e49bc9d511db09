// Location of the rows: a SQLite file in the data folder, or a PostgreSQL server.
import type { Engine } from './engine.js';
import { openPostgres } from './postgres.js';
import { connectPostgres } from './postgres-pool.js';
import { connectionName } from './postgres-session.js';
import { openSqlite } from './sqlite.js';

export type DatabasePlace = { kind: 'file'; file: string } | { kind: 'server'; url: string };

interface OpenOptions {
  /** Time (ms) that a statement waits for another process that writes to the file. */
  busyTimeoutMs: number;
  /** For threads and commands that only read. */
  readOnly?: boolean;
  /** A replica decides when the log of the file is written back. */
  isReplicated?: boolean;
  /** Called when an idle connection to the server breaks. */
  onLost?: (error: Error) => void;
  /** If false, the server may be unavailable at first, and statements then fail as unavailable. Default: it must respond. */
  isChecked?: boolean;
  /** Node that uses the connections. */
  nodeId?: string;
  /** True while the server is known not to respond; statements then fail immediately. */
  isAway?: () => boolean;
}

/** Connections of a process that writes. A process that only reads needs fewer. */
const MOST_CONNECTIONS = 10;
const MOST_READING = 4;

/** Returns the server of the settings, or the file if they name none. */
export function choosePlace(settings: { databaseUrl?: string | null }, file: string): DatabasePlace {
  const { databaseUrl = null } = settings;
  return databaseUrl === null ? { kind: 'file', file } : { kind: 'server', url: databaseUrl };
}

/** Returns the file; null for a server. */
export function placeFile(place: DatabasePlace): string | null {
  return place.kind === 'file' ? place.file : null;
}

/** Opens the database; creates a missing file. Rejects with a DatabaseServerError. */
export async function openEngine(place: DatabasePlace, options: OpenOptions): Promise<Engine> {
  const {
    busyTimeoutMs,
    readOnly = false,
    onLost = () => undefined,
    nodeId,
    isAway,
    isChecked = true,
    isReplicated = false,
  } = options;
  if (place.kind === 'file') return openSqlite({ file: place.file, busyTimeoutMs, readOnly, isReplicated });
  const pool = await connectPostgres({
    url: place.url,
    maxConnections: readOnly ? MOST_READING : MOST_CONNECTIONS,
    applicationName: nodeId === undefined ? `mailkeel${readOnly ? ' reader' : ''}` : connectionName(nodeId),
    ...{ onLost, isChecked },
  });
  return openPostgres(pool, {
    isServer: true,
    cutOff: () => pool.cutOff(),
    missed: pool.missed,
    ...(isAway === undefined ? {} : { isAway }),
  });
}
