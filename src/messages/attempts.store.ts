// Delivery attempts, with the SMTP conversation of each.
import type { AttemptDetail } from './attempt.schema.js';
import type { Engine, Row } from '../database/engine/engine.js';
import { inList } from '../database/sql.js';

/** Maximum number of attempts read for a message, latest ones. */
const MAX_ATTEMPTS = 200;

const OF_MESSAGE = `SELECT message_id, number, at, session_id, detail, conversation FROM attempts
  WHERE message_id = ? ORDER BY number DESC LIMIT ?`;

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
      const rows = await engine.rows(OF_MESSAGE, [message.id, limit + 1]);
      const attempts = rows.slice(0, limit).map(readAttempt).reverse();
      return { attempts, hasMore: rows.length > limit };
    },

    async openingsOf(sessionIds) {
      if (sessionIds.length === 0) return new Map();
      const { marks, values } = inList([...new Set(sessionIds)]);
      const rows = await engine.rows(`SELECT id, detail FROM smtp_sessions WHERE id IN (${marks})`, values);
      return new Map(rows.map((row) => [row['id'] as string, openingIn(row['detail'] as string)]));
    },

    async newestAmong(messageIds) {
      if (messageIds.length === 0) return null;
      const { marks, values } = inList(messageIds);
      const statement = `SELECT message_id, number, at, session_id, detail, conversation FROM attempts
        WHERE message_id IN (${marks}) ORDER BY at DESC, number DESC LIMIT 1`;
      const [row] = await engine.rows(statement, values);
      return row ? readAttempt(row) : null;
    },
  };
}

function readAttempt(row: Row): Attempt {
  return {
    messageId: Number(row['message_id']),
    number: Number(row['number']),
    at: Number(row['at']),
    sessionId: row['session_id'] as string | null,
    detail: JSON.parse(row['detail'] as string) as AttemptDetail,
    conversation: linesOf(row['conversation'] as string | null),
  };
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.split('\n');
}

function openingIn(detail: string): string[] {
  const { opening } = JSON.parse(detail) as { opening?: string[] };
  return opening ?? [];
}
