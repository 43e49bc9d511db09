// Delivery attempts, with the SMTP conversation of each.
import type { AttemptDetail } from './attempt.schema.js';
import type { Json, RowOf } from '../database/columns.js';
import type { attempts as attemptTable } from './messages.tables.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';

/** Maximum number of attempts read for a message, latest ones. */
const MAX_ATTEMPTS = 200;

const SELECT = 'SELECT message_id, number, at, session_id, detail, conversation FROM attempts';
const OF_MESSAGE = `${SELECT} WHERE message_id = ? ORDER BY number DESC LIMIT ?`;

type AttemptRow = RowOf<typeof attemptTable>;

export interface Attempt {
  messageId: number;
  /** From 1. */
  number: number;
  /** Epoch ms at which its outcome was known. */
  at: number;
  sessionId: string | null;
  detail: AttemptDetail;
  /** Lines of the transaction, or of the session that did not open. */
  conversation: string[];
}

export interface AttemptStore {
  /** The latest, at most 200, oldest first. `hasMore`: earlier ones were left out. The message must have been found with a scope. */
  attemptsOf(message: { id: number }, limit?: number): Promise<{ attempts: Attempt[]; hasMore: boolean }>;
  /** Openings of sessions, line by line, by id; sessions without a row are left out. */
  openingsOf(sessionIds: readonly string[]): Promise<Map<string, string[]>>;
  /** The newest attempt of any of these messages; null without one. At most some hundred ids. */
  newestAmong(messageIds: readonly number[]): Promise<Attempt | null>;
}

export function createAttemptStore(engine: Engine): AttemptStore {
  return {
    async attemptsOf(message, limit = MAX_ATTEMPTS) {
      const rows = await rowsAs<AttemptRow>(engine.rows(OF_MESSAGE, [message.id, limit + 1]));
      const attempts = rows.slice(0, limit).map(readAttempt).reverse();
      return { attempts, hasMore: rows.length > limit };
    },

    async openingsOf(sessionIds) {
      if (sessionIds.length === 0) return new Map();
      const { marks, values } = inList([...new Set(sessionIds)]);
      const rows = await rowsAs<{ id: string; detail: Json }>(
        engine.rows(`SELECT id, detail FROM smtp_sessions WHERE id IN (${marks})`, values),
      );
      return new Map(rows.map(({ id, detail }) => [id, openingIn(detail)]));
    },

    async newestAmong(messageIds) {
      if (messageIds.length === 0) return null;
      const { marks, values } = inList(messageIds);
      const statement = `${SELECT} WHERE message_id IN (${marks}) ORDER BY at DESC, number DESC LIMIT 1`;
      const [row] = await rowsAs<AttemptRow>(engine.rows(statement, values));
      return row ? readAttempt(row) : null;
    },
  };
}

function readAttempt(row: AttemptRow): Attempt {
  return {
    messageId: row.message_id,
    number: row.number,
    at: row.at,
    sessionId: row.session_id,
    detail: JSON.parse(row.detail) as AttemptDetail,
    conversation: linesOf(row.conversation),
  };
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split('\n');
}

function openingIn(detail: string): string[] {
  const { opening } = JSON.parse(detail) as { opening?: string[] };
  return opening ?? [];
}
