// Where the rows are: in the SQLite file of the data folder, or on a PostgreSQL server.
import type { Engine } from './engine.js';
import { openPostgres } from './postgres.js';
import { connectPostgres } from './postgres-pool.js';
import { workOf } from './postgres-session.js';
import { openSqlite } from './sqlite.js';

export type DatabasePlace = { kind: 'file'; file: string } | { kind: 'server'; url: string };

export interface OpenOptions {
  /** Time (ms) that a statement waits for another process that writes the file. */
  busyTimeoutMs: number;
  /** For a thread or a command that only reads. */
  readOnly?: boolean;
  /** Hears of connections to the server that broke while nobody used them. */
  onLost?: (error: Error) => void;
  /** False: the server may be away at first, and what is asked of it fails as unavailable. Default: it must be there. */
  isChecked?: boolean;
  /** The node that works by the connections to the server. */
  nodeId?: string;
  /** Whether the server is known not to answer: then nothing is asked of it. */
  isAway?: () => boolean;
}

/** Connections of a process that writes; a thread that only reads needs fewer. */
const MOST_CONNECTIONS = 10;
const MOST_READING = 4;

/** The server is where the settings name one. */
export function placeOf(settings: { databaseUrl?: string | null }, file: string): DatabasePlace {
  const { databaseUrl = null } = settings;
  return databaseUrl === null ? { kind: 'file', file } : { kind: 'server', url: databaseUrl };
}

/** The file; null on a server. */
export function fileOf(place: DatabasePlace): string | null {
  return place.kind === 'file' ? place.file : null;
}

/** Opens the database. The file is made when it is missing. Rejects with a DatabaseServerError. */
export async function openEngine(place: DatabasePlace, options: OpenOptions): Promise<Engine> {
  const {
    busyTimeoutMs,
    readOnly = false,
    onLost = () => undefined,
    nodeId,
    isAway,
    isChecked = true,
  } = options;
  if (place.kind === 'file') return openSqlite({ file: place.file, busyTimeoutMs, readOnly });
  const pool = await connectPostgres({
    url: place.url,
    maxConnections: readOnly ? MOST_READING : MOST_CONNECTIONS,
    applicationName: nodeId === undefined ? `mailkeel${readOnly ? ' reader' : ''}` : workOf(nodeId),
    ...{ onLost, isChecked },
  });
  return openPostgres(pool, {
    isServer: true,
    cutOff: () => pool.cutOff(),
    missed: pool.missed,
    ...(isAway === undefined ? {} : { isAway }),
  });
}
