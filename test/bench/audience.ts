// Creates lists of contacts for the benchmark, and measures their effect on another client of the API.
import { setTimeout as pause } from 'node:timers/promises';
import { Database, type Connection } from '../../src/database/engine/sqlite-driver.js';
import { searchText } from '../../src/contacts/search.store.js';
import type { Appliance } from './appliance.js';
import { recipient } from './mail.js';
import type { Figures } from './print.js';

const WAIT_MS = 60_000;
/** Rows per commit. Nothing else writes meanwhile. */
const SLICE = 2_000;
const CITIES = 50;
const TAGS = 20;
const STATUSES = ['unsubscribed', 'bounced', 'complained'] as const;
/** One contact in this many may not receive mail. */
const INACTIVE_EVERY = 1_000;

export interface ListSize {
  name: string;
  count: number;
  /** The number in the first address. */
  first: number;
  /** Some are unsubscribed, bounced or complained. */
  isMixed?: boolean;
}

/**
 * Adds a list with `count` contacts, written as the store stores them, because importing a million takes minutes. Returns its ID.
 */
export async function addList(
  appliance: Appliance,
  { name, count, first, isMixed }: ListSize,
): Promise<string> {
  const { id } = await appliance.api('POST', '/v1/lists', { name });
  const database = new Database(appliance.databaseFile, { timeout: WAIT_MS });
  try {
    const list = database
      .prepare<[string], ListRow>('SELECT number, environment_id FROM contact_lists WHERE id = ?')
      .get(String(id));
    if (!list) throw new Error('the list is not there');
    const write = rowWriter(database, list);
    for (let from = 0; from < count; from += SLICE) {
      database.transaction(() => {
        for (let index = from; index < Math.min(count, from + SLICE); index += 1) {
          const inactive = isMixed && index % INACTIVE_EVERY === 0;
          const status = STATUSES[(index / INACTIVE_EVERY) % STATUSES.length];
          write(first + index, inactive && status !== undefined ? status : 'active');
        }
      })();
      await pause(0);
    }
    // The planner knows of the rows as it does after a night's upkeep.
    database.exec('PRAGMA analysis_limit = 400; PRAGMA optimize');
    return String(id);
  } finally {
    database.close();
  }
}

interface ListRow {
  number: number;
  environment_id: number;
}

function rowWriter(database: Connection, { number: listNumber, environment_id: environmentId }: ListRow) {
  const contact = database.prepare(
    `INSERT INTO contacts (id, environment_id, email, email_key, name, tags, metadata, status, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`,
  );
  const tagged = database.prepare(
    'INSERT INTO contact_tags (environment_id, tag, contact_number) VALUES (?, ?, ?)',
  );
  const search = database.prepare('INSERT INTO contact_search (rowid, text) VALUES (?, ?)');
  const member = database.prepare(
    `INSERT INTO list_members (list_number, contact_number, state, joined_at) VALUES (?, ?, 'subscribed', 0)`,
  );
  const counted = database.prepare(
    `INSERT INTO contact_counts (environment_id, sub_tenant_key, status, contacts) VALUES (?, '', ?, 1)
      ON CONFLICT (environment_id, sub_tenant_key, status) DO UPDATE SET contacts = contacts + 1`,
  );
  const joined = database.prepare('UPDATE contact_lists SET contacts = contacts + 1 WHERE number = ?');
  return (index: number, status: string): void => {
    const email = recipient(index);
    const name = `Person ${index}`;
    const tag = `t${index % TAGS}`;
    const metadata = JSON.stringify({ city: `City ${index % CITIES}` });
    const id = `cnt_${String(index).padStart(26, '0')}`;
    const { lastInsertRowid: number } = contact.run(
      ...[id, environmentId, email, email, name, JSON.stringify([tag]), metadata, status],
    );
    tagged.run(environmentId, tag, number);
    search.run(number, searchText(environmentId, email, name));
    member.run(listNumber, number);
    counted.run(environmentId, status);
    joined.run(listNumber);
  };
}

export interface Watch {
  /** Stops, and returns the response times. */
  end(): Promise<Figures>;
}

/** Sends one request at a time repeatedly, and records the response times. */
export function watch(label: string, everyMs: number, ask: (turn: number) => Promise<unknown>): Watch {
  const waits: number[] = [];
  let isOver = false;
  const asking = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const begun = performance.now();
      await ask(turn);
      waits.push(performance.now() - begun);
      await pause(everyMs);
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      const sorted = waits.toSorted((a, b) => a - b);
      const at = (share: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
      return {
        [`${label}, p50 ms`]: at(0.5),
        [`${label}, p99 ms`]: at(0.99),
        [`${label}, most ms`]: at(1),
      };
    },
  };
}
