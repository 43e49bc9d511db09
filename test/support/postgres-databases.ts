// Creates databases on the PostgreSQL server of TEST_POSTGRES_URL, each for one test.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openEngine } from '../../src/database/engine/place.js';
import { migrate } from '../../src/database/migrations/migrate.js';

export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'];
/** The programs that tests start keep their rows on that server. */
export const IS_ON_POSTGRES = process.env['TEST_PROGRAM_ON'] === 'PostgreSQL';

export interface TestDatabase {
  url: string;
  /** Ends all connections to it. */
  drop(): Promise<void>;
}

/** Created once per process, because a copy takes a tenth of the time of the migrations. */
let template: Promise<string> | null = null;

/** With the newest schema and without rows. */
export async function migratedPostgresDatabase(): Promise<TestDatabase> {
  template ??= makeTemplate();
  return makeDatabase(`TEMPLATE ${await template}`);
}

export function emptyPostgresDatabase(): Promise<TestDatabase> {
  return makeDatabase('');
}

/** Runs one statement in a separate connection. */
export async function runOnServer(statement: string, url = serverUrl()): Promise<Record<string, unknown>[]> {
  const client = await connectTo(url);
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** For many statements, because each connection is a process of the server. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // If the server goes down, the statement rejects.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function makeTemplate(): Promise<string> {
  const { url, name } = await makeDatabase('');
  await migrateDatabase(url);
  return name;
}

/** Brings an empty one to the newest schema. */
export async function migrateDatabase(url: string): Promise<void> {
  const engine = await openEngine({ kind: 'server', url }, { busyTimeoutMs: 0 });
  await migrate(engine);
  await engine.close();
}

async function makeDatabase(how: string): Promise<TestDatabase & { name: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOnServer(`CREATE DATABASE ${name} ${how}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return {
    ...{ name, url: url.href },
    drop: () => runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(() => undefined),
  };
}

function serverUrl(): string {
  if (POSTGRES_URL === undefined) throw new Error('TEST_POSTGRES_URL is not set.');
  return POSTGRES_URL;
}
