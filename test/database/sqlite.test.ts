// Tests features that only SQLite has: pragmas, locks of other processes, a full disk, and the plans of the hot queries.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { Kysely, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import type { Engine, Value } from '../../src/database/engine/engine.js';
import { plannedOnce, statementCache, writeBack } from '../../src/database/engine/sqlite-connection.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import type { Scope } from '../../src/database/scope.js';
import { type Store, createStore } from '../../src/app/store.js';
import { layMigratedFile } from '../support/migrated-file.js';
import { type OpenEngine, openSqliteFile, temporaryFolder } from '../support/open-engines.js';
import { NOW, accept, eventOf, newMessage, newWorld } from './contract/builders.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { appendEvent } from '../../src/events/append.store.js';
import type { messages } from '../../src/messages/messages.tables.js';
import type { TablesOf } from '../../src/database/columns.js';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let opened: OpenEngine;
let store: Store;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'mail.db');
  await layMigratedFile(file);
  opened = openSqliteFile(file, 50);
  store = createStore(opened.engine, { maxGroup: 50 });
});

afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

async function pragma(name: string): Promise<unknown> {
  const { rows } = await opened.engine.schema.executeQuery<Record<string, unknown>>({
    sql: `PRAGMA ${name}`,
    parameters: [],
    query: { kind: 'RawNode' } as never,
    queryId: { queryId: name },
  });
  return Object.values(rows[0] ?? {})[0];
}

async function countOf(table: string): Promise<unknown> {
  return (await opened.raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.['n'];
}

describe('an SQLite file', () => {
  it('uses a write-ahead log and checks foreign keys', async () => {
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('foreign_keys')).toBe(1);
  });

  it('is refused if a write-ahead log is unavailable', () => {
    expect(() => openSqlite({ file: ':memory:', busyTimeoutMs: 50 })).toThrow('journal_mode=memory');
  });

  it('is refused if a folder is in its place', () => {
    const path = join(folder.path, 'folder.db');
    mkdirSync(path);
    expect(() => openSqlite({ file: path, busyTimeoutMs: 50 })).toThrow('unable to open');
  });

  it('is never written through a read-only connection', async () => {
    const engine = openSqlite({ file, busyTimeoutMs: 50, readOnly: true });
    const { live } = await newWorld(store);
    await accept(store, live, [{}]);
    expect(
      await engine.read
        .$extendTables<TablesOf<typeof messages>>()
        .selectFrom('messages')
        .select('id')
        .execute(),
    ).toHaveLength(1);
    await expect(engine.transaction(() => Promise.resolve(1))).rejects.toThrow('only reads');
    await engine.close();
  });

  it('is never written outside a transaction, nor read from an open one', async () => {
    const { engine } = opened;
    expect(() => engine.rows('DELETE FROM traffic_state', [])).toThrow('Only transactions write.');
    const count = async (): Promise<unknown> =>
      (await engine.rows('SELECT COUNT(*) AS n FROM traffic_state', []))[0]?.['n'];
    expect(await count()).toBe(0);
    await engine.transaction(async (tx) => {
      await tx.run('INSERT INTO traffic_state (key, state, updated_at) VALUES (?, 0, 0)', ['a']);
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(1);
  });
});

/** Writes a row in a transaction. */
const writeState = (engine: Engine, key: string, state: string): Promise<void> =>
  engine.transaction(async (tx) => {
    await tx.run('INSERT INTO traffic_state (key, state, updated_at) VALUES (?, ?, 0)', [key, state]);
  });

describe('a commit', () => {
  let flushes: ((error?: Error) => void)[];
  let engine: Engine;

  beforeEach(() => {
    flushes = [];
    const flushFile = (): Promise<void> =>
      new Promise((resolve, reject) => flushes.push((error) => (error ? reject(error) : resolve())));
    engine = openSqlite({ file, busyTimeoutMs: 50, flushFile });
  });
  afterEach(() => engine.close());

  /** Resolves to the error or null. */
  const write = (key: string): Promise<unknown> =>
    writeState(engine, key, '0').then(
      () => null,
      (error: unknown) => error,
    );
  const flushesBegun = (count: number): Promise<void> => expect.poll(() => flushes.length).toBe(count);

  it('counts once it is on disk, and does not block the main thread', async () => {
    const ended: string[] = [];
    const writing = write('a').then(() => ended.push('commit'));
    await flushesBegun(1);
    const onDisk = engine.flushed().then(() => ended.push('flush'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual([]);
    flushes[0]?.();
    await Promise.all([writing, onDisk]);
  });

  it('that the disk does not confirm has an unknown outcome, and no later one depends on its log', async () => {
    const reader = new Database(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM traffic_state').get();
    const lost = write('a');
    await flushesBegun(1);
    flushes[0]?.(new Error('EIO: i/o error, fdatasync'));
    expect(engine.isOutcomeUnknown(await lost)).toBe(true);

    // The reader prevents SQLite from checkpointing the log.
    const refused = await write('b');
    expect([engine.isUnavailable(refused), engine.isOutcomeUnknown(refused)]).toEqual([true, false]);
    reader.close();
    const next = write('c');
    await flushesBegun(2);
    flushes[1]?.();
    expect(await next).toBeNull();
    expect(await opened.raw('SELECT key FROM traffic_state ORDER BY key')).toEqual([
      { key: 'a' },
      { key: 'c' },
    ]);
  });
});

describe('the log', () => {
  it('is not taken as written back while another connection writes it back', async () => {
    await writeState(opened.engine, 'a', '0');
    const reader = new Database(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM traffic_state').get();
    await writeState(opened.engine, 'b', '0');
    // Holds the checkpoint lock while it waits for the reader.
    const other = new Worker(
      `const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))});
      const database = new Database(${JSON.stringify(file)}, { timeout: 20_000 });
      database.pragma('wal_checkpoint(FULL)');`,
      { eval: true },
    );
    const database = new Database(file);
    await expect.poll(() => writeBack(database), { timeout: 10_000, interval: 5 }).toBe(Infinity);
    reader.close();
    await once(other, 'exit');
    expect(writeBack(database)).toBe(0);
    database.close();
  });

  it('is checkpointed in a thread and restarts, while commits continue', async () => {
    const other = new Database(file, { readonly: true });
    const log = other.prepare('PRAGMA wal_checkpoint(NOOP)');
    const frames = (): number => (log.get() as { log: number }).log;
    const state = 'x'.repeat(6_000);
    let rows = 0;
    let longest = 0;
    for (; rows < 5_000 && frames() >= longest; rows += 1) {
      longest = frames();
      await writeState(opened.engine, `k${rows}`, state);
    }
    expect(longest).toBeGreaterThan(2_000);
    expect(longest).toBeLessThan(20_000);
    expect(await countOf('traffic_state')).toBe(rows);
    other.close();
  });
});

describe('a store that cannot write', () => {
  it("reports another process's write lock, stores nothing, and recovers", async () => {
    const { live } = await newWorld(store);
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const attempts = [1, 2, 3].map(() => store.commit([acceptMessage({ message: newMessage(live) })]));
    for (const result of await Promise.allSettled(attempts)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    await expect(store.queue.moveLeases([1], 'w1', NOW)).rejects.toBeInstanceOf(Refusal);
    // Reads continue.
    expect((await store.messages.messages(live, { limit: 1, after: null }, {})).rows).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    await accept(store, live, [{}]);
    expect(await countOf('messages')).toBe(1);
    expect((await store.events.chainHead(live.workspaceNumber)).seq).toBe(1);
  });

  it('reports a full disk, stores nothing of the whole group, and recovers', async () => {
    const { live } = await newWorld(store);
    const pages = Number(await pragma('page_count'));
    await pragma(`max_page_count = ${pages + 4}`);
    const large = 'x'.repeat(100_000);
    const small = store.commit([acceptMessage({ message: newMessage(live) })]);
    const big = store.commit([acceptMessage({ message: newMessage(live, { text: large }) })]);
    await expect(big).rejects.toMatchObject({ code: 'unavailable', type: 'unavailable' });
    await expect(small).rejects.toMatchObject({ code: 'unavailable' });
    for (const table of ['messages', 'contents', 'queue', 'events', 'usage']) {
      expect(await countOf(table)).toBe(0);
    }
    expect((await store.events.chainHead(live.workspaceNumber)).seq).toBe(0);
    await pragma('max_page_count = 100000');
    await accept(store, live, [{ text: large }]);
    expect(await countOf('messages')).toBe(1);
  });
});

interface Statement {
  sql: string;
  values: readonly unknown[];
}

/** The same engine, with every statement written down. */
function recorded(engine: Engine, statements: Statement[]): Engine {
  const read = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Database(file, { readonly: true }) }),
    log: ({ query }) => void statements.push({ sql: query.sql, values: query.parameters }),
  });
  return {
    ...engine,
    read,
    schema: engine.schema,
    rows: (sql, values) => {
      statements.push({ sql, values });
      return engine.rows(sql, values);
    },
    transaction: (work) =>
      engine.transaction((tx) =>
        work({
          db: tx.db,
          run: (sql, values) => {
            statements.push({ sql, values });
            return tx.run(sql, values);
          },
          post(sql, values) {
            statements.push({ sql, values });
            tx.post(sql, values);
          },
          settle: () => tx.settle(),
        }),
      ),
  };
}

describe('the hot queries', () => {
  let statements: Statement[];
  let watched: Store;
  let live: Scope;
  let messageId: number;
  let queueId: number;

  beforeEach(async () => {
    ({ live } = await newWorld(store));
    for (let i = 0; i < 200; i++) void store.commit([acceptMessage({ message: newMessage(live) })]);
    const committed = await store.commit([acceptMessage({ message: newMessage(live, { tags: ['t'] }) })]);
    messageId = committed.messageIds[0] ?? 0;
    queueId = committed.queueIds[0] ?? 0;
    const event = { ...eventOf(live, 'tnt_1', 'tenant_warned'), messageId: null };
    await store.commit([appendEvent({ event })]);
    statements = [];
    watched = createStore(recorded(opened.engine, statements), { maxGroup: 50 });
  });

  /** The steps of every SELECT and UPDATE that was run. */
  async function plans(): Promise<string[]> {
    await watched.drain();
    const steps: string[] = [];
    for (const { sql, values } of statements) {
      if (!/^\s*(SELECT|UPDATE|WITH|DELETE)/i.test(sql)) continue;
      const rows = await opened.raw(`EXPLAIN QUERY PLAN ${plannedOnce(sql)}`, values as Value[]);
      steps.push(...rows.map((row) => String(row['detail'])));
    }
    expect(steps).not.toEqual([]);
    return steps;
  }

  const page = { limit: 25, after: '100' };
  it.each<[string, string, () => Promise<unknown>]>([
    [
      'a claim',
      'queue_waiting',
      () =>
        watched.queue.claim({
          picks: [{ queueId, limit: 10 }],
          now: NOW,
          leaseUntil: NOW + 1,
          owner: 'w',
        }),
    ],
    [
      'the search for stale leases',
      'queue_leased',
      () => watched.queue.staleLeases({ before: NOW, limit: 10, owner: null }),
    ],
    [
      'the list of messages',
      'INTEGER PRIMARY KEY|messages_by_environment',
      () => watched.messages.messages(live, page, {}),
    ],
    [
      'the list of a tenant’s messages',
      'messages_by_tenant',
      () => watched.messages.messages({ ...live, subTenantId: 'tnt_1' }, page, {}),
    ],
    [
      'the list of messages to an address',
      'messages_by_recipient',
      () => watched.messages.messages(live, page, { toKeys: ['ann@example.com'] }),
    ],
    [
      'the list of bounced messages',
      'messages_by_rare_status',
      () => watched.messages.messages(live, page, { status: ['bounced'] }),
    ],
    [
      'the list of messages with a tag',
      'message_tags',
      () => watched.messages.messages(live, page, { tags: ['t'] }),
    ],
    [
      'the number of campaign copies in doubt',
      'messages_in_doubt_by_campaign',
      () => watched.messages.countInDoubt('campaign_id', ['cmp_1', 'cmp_2']),
    ],
    [
      'the number of sequence mails in doubt',
      'messages_in_doubt_by_sequence',
      () => watched.messages.countInDoubt('sequence_id', ['seq_1', 'seq_2']),
    ],
    ['a message by its id', 'sqlite_autoindex_messages', () => watched.messages.message(live, 'msg_1')],
    ['a message’s trail', 'events_by_message', () => watched.events.auditTrailOfMessage(messageId)],
    ['a tenant’s trail', 'events_by_subject', () => watched.events.auditTrailOfSubject(live, 'tnt_1', 50)],
    ['the chain', 'INTEGER PRIMARY KEY', () => watched.events.chainAfter(live.workspaceNumber, 5, 50)],
    ['due webhooks', 'webhook_deliveries_due', () => watched.webhooks.claimDeliveries('whe_1', NOW, NOW, 10)],
    [
      'a contact by address',
      'contacts_address',
      () => watched.contacts.contactByAddress(live, 'a@x.example'),
    ],
    [
      'the suppressions of a recipient',
      'sqlite_autoindex_suppressions',
      () => watched.suppressions.suppressionsOf(live, ['a@x.example']),
    ],
    ['a credential', 'sqlite_autoindex_api_keys', () => watched.accounts.credential(Buffer.alloc(32))],
  ])('use an index for %s', async (_, index, run) => {
    await run();
    const steps = await plans();
    expect(steps.join('\n')).toMatch(new RegExp(index));
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });

  it('step through the index from one waiting webhook endpoint to the next, with any number of deliveries', async () => {
    await watched.webhooks.dueEndpoints(NOW);
    expect((await plans()).filter((step) => step.includes(' d'))).toEqual([
      'SEARCH d USING COVERING INDEX webhook_deliveries_due (endpoint_id>?)',
      'SEARCH d USING COVERING INDEX webhook_deliveries_due (endpoint_id=?)',
    ]);
  });

  it('step from queue to queue instead of counting every waiting message', async () => {
    await watched.queue.waitingQueues({ after: 0, limit: 250 });
    const steps = await plans();
    expect(steps.join('\n')).toMatch(/SEARCH q USING (COVERING )?INDEX queue_waiting \(queue_id>\?\)/);
    expect(steps.filter((step) => /^SCAN (q|l|queue|queues)\b/.test(step))).toEqual([]);
  });

  it('are planned once, regardless of their values', async () => {
    await watched.queue.claim({ picks: [{ queueId, limit: 1 }], now: NOW, leaseUntil: NOW + 1, owner: 'w' });
    const claim = statements.find(({ sql }) => sql.includes('q.due_at <= ?'));
    const database = new Database(file, { readonly: true });
    const plain = database.prepare(claim?.sql ?? '');
    const cached = statementCache(database)(claim?.sql ?? '');
    const cpuOf = (statement: typeof plain): number => {
      const before = process.cpuUsage();
      for (let due = 0; due < 3_000; due += 1) statement.all([queueId, due, 1 + (due % 3)]);
      return process.cpuUsage(before).user;
    };
    cpuOf(cached);
    expect(cpuOf(cached)).toBeLessThan(cpuOf(plain) / 2);
    database.close();
  });

  it('can use each partial index, because parameters that its condition compares stay bare', async () => {
    const indexes = await opened.raw(
      `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'`,
    );
    const compared = indexes.flatMap(({ sql }) => {
      const condition = String(sql).split(/\sWHERE\s/)[1] ?? '';
      return [...condition.matchAll(/(\w+) (?:=|<>|IN) /g)].map(([, column]) => column);
    });
    for (const column of new Set(compared))
      expect(plannedOnce(`SELECT 1 FROM t WHERE "${column}" = ? AND id = ?`), column).toMatch(
        /" = \? AND id = \+\?$/,
      );
    expect(compared.length).toBeGreaterThan(20);
  });
});
