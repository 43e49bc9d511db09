// Full-text search of messages, by the index of each engine: FTS5 of SQLite, and a tsvector with a GIN index of PostgreSQL. Both get
// words that were split and folded before, of letters, digits and underscores, so they find the same.
import { type RawBuilder, sql } from 'kysely';
import { rowsAs } from '../sql.js';
import type { Tx } from './engine.js';
import type { Phrase } from './search-words.rules.js';

/** The words of a message in order; null where no phrase continues. */
type Words = readonly (string | null)[];

export interface MessageSearch {
  create: readonly string[];
  /** Statements that empty the index. */
  clear: readonly string[];
  /** Parameters: row id of the message, document. The message must not be in the index. */
  add: string;
  /** Parameter: row id of the message. */
  remove: string;
  /** Drops the words of removed messages from a part of the database file. Resolves to false if none may be left. */
  merge(tx: Tx): Promise<boolean>;
  document(words: Words): string;
  /** The row ids of the newest messages with all phrases, in descending order. `phrases` must not be empty. */
  newest(phrases: readonly Phrase[], limit: number): RawBuilder<number>;
}

/** Pages of the index that one statement merges, in about 10 ms. */
const MERGED_PAGES = 50;
/** A word that no query contains. */
const GAP = '_';

export const sqliteMessageSearch: MessageSearch = {
  create: [
    `CREATE VIRTUAL TABLE message_search USING fts5(words, content='', contentless_delete=1, tokenize="ascii tokenchars '_'")`,
  ],
  clear: [`INSERT INTO message_search (message_search) VALUES ('delete-all')`],
  add: 'INSERT INTO message_search (rowid, words) VALUES (?, ?)',
  remove: 'DELETE FROM message_search WHERE rowid = ?',
  async merge(tx) {
    const before = await countChanges(tx);
    await tx.run(`INSERT INTO message_search (message_search, rank) VALUES ('merge', ?)`, [-MERGED_PAGES]);
    // FTS5 always makes one change, and further ones if it merged anything.
    return (await countChanges(tx)) - before > 1;
  },
  document: (words) => words.map((word) => word ?? GAP).join(' '),
  newest(phrases, limit) {
    const query = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`);
    return sql`SELECT rowid FROM message_search WHERE message_search MATCH ${query.join(' AND ')}
      ORDER BY rowid DESC LIMIT ${limit}`;
  },
};

async function countChanges(tx: Tx): Promise<number> {
  const [row] = await rowsAs<{ changes: number }>(tx.run('SELECT total_changes() AS changes', []));
  return row?.changes ?? 0;
}

export const postgresMessageSearch: MessageSearch = {
  create: [
    'CREATE TABLE message_search (rowid BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)',
    'CREATE INDEX message_search_words ON message_search USING gin (words)',
  ],
  clear: ['DELETE FROM message_search'],
  add: 'INSERT INTO message_search (rowid, words) VALUES (?, (?::text)::tsvector)',
  remove: 'DELETE FROM message_search WHERE rowid = ?',
  // The server drops them.
  merge: () => Promise.resolve(false),
  document: (words) => words.flatMap((word, at) => (word === null ? [] : [`${word}:${at + 1}`])).join(' '),
  newest(phrases, limit) {
    const query = phrases.map(({ words, isPrefix }) => `(${words.join(' <-> ')}${isPrefix ? ':*' : ''})`);
    return sql`SELECT rowid FROM message_search WHERE words @@ (${query.join(' & ')}::text)::tsquery
      ORDER BY rowid DESC LIMIT ${limit}`;
  },
};
