// Keeps the index of the full-text search up to date: adds the messages of threads that changed, and removes messages whose content
// is removed. A thread is marked as due in the transaction that changes it.
import { type Change, defineChange } from '../../database/change.js';
import type { MessageSearch } from '../../database/engine/message-search.js';
import { type Phrase, wordsOf } from '../../database/engine/search-words.rules.js';
import { update } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import { inList, rowsAs } from '../../database/sql.js';
import { decodeReferences, walkShown } from '../../lib/html/index.js';
import type { Message } from '../messages.tables.js';
import { threads } from './threads.tables.js';

/** Mark of a database whose file may have words of removed messages. */
export const REMOVED = 'removed_words';
/** Newest messages of a thread that are searched. */
const MESSAGES_OF_THREAD = 1_000;
/** Characters of a message's text, and of HTML that is read for it. */
const MAX_TEXT = 16 * 1024;
const MAX_HTML = 64 * 1024;

/** The newest first, so that an upgraded server soon finds recent threads. */
const DUE = 'SELECT id FROM threads t WHERE search_due = 1 ORDER BY last_message_at DESC LIMIT ?';
const MISSING = `SELECT id FROM (SELECT id, redacted_at FROM messages WHERE thread_id = ? ORDER BY id DESC
    LIMIT ${MESSAGES_OF_THREAD}) newest
  WHERE redacted_at IS NULL AND NOT EXISTS (SELECT 1 FROM message_search s WHERE s.rowid = newest.id)
  ORDER BY id DESC LIMIT ?`;
const LOCK = (marks: string): string => `SELECT id FROM messages WHERE id IN (${marks})`;
const TEXTS = (
  marks: string,
): string => `SELECT m.id, m.environment_id, m.sub_tenant_id, m.subject, m.from_email, m.from_name,
    m.to_email, m.to_name, r.signature, SUBSTR(COALESCE(r.visible_text, c.text), 1, ${MAX_TEXT}) AS text,
    CASE WHEN r.message_id IS NULL AND c.text IS NULL THEN SUBSTR(c.html, 1, ${MAX_HTML}) END AS html
  FROM messages m JOIN contents c ON c.id = m.content_id LEFT JOIN received_messages r ON r.message_id = m.id
  WHERE m.id IN (${marks}) AND m.redacted_at IS NULL`;
const SETTLE = 'UPDATE threads SET search_due = 0 WHERE id = ?';

type SearchedMessage = Pick<
  Message,
  'id' | 'environment_id' | 'sub_tenant_id' | 'subject' | 'from_email' | 'from_name' | 'to_email' | 'to_name'
> & { signature: string | null; text: string | null; html: string | null };

/** Adds up to `limit` messages of due threads to the index. Nodes that do so at the same time take different threads. */
export const indexDueThreads = defineChange<{ limit: number }>(
  'index-threads',
  async ({ tx, engine }, { limit }) => {
    const { messageSearch: search } = engine.spelling;
    const due = await rowsAs<{ id: string }>(tx.run(`${DUE} ${engine.forUpdateSkipLocked('t')}`, [limit]));
    let left = limit;
    for (const { id } of due) {
      if (left === 0) return;
      const missing = await rowsAs<{ id: number }>(tx.run(MISSING, [id, left + 1]));
      const taken = missing.slice(0, left);
      left -= taken.length;
      if (taken.length > 0) {
        const { marks, values } = inList(taken.map((message) => message.id));
        // Keeps the content from being removed before the commit, which would leave the words behind.
        if (engine.forUpdate !== '') await tx.run(`${LOCK(marks)} ${engine.forUpdate}`, values);
        for (const message of await rowsAs<SearchedMessage>(tx.run(TEXTS(marks), values))) {
          tx.post(search.add, [message.id, documentOf(search, message)]);
        }
      }
      if (taken.length === missing.length) tx.post(SETTLE, [id]);
    }
  },
);

/** Marks all threads as due if the index is empty, as after a move to another database. */
export const fillEmptyIndex = defineChange<object>('fill-index', async ({ tx }) => {
  const isEmpty = (await tx.run('SELECT rowid FROM message_search LIMIT 1', [])).length === 0;
  if (isEmpty) tx.post('UPDATE threads SET search_due = 1 WHERE search_due = 0', []);
});

const removeWords = defineChange<{ messageIds: readonly number[] }>(
  'remove-words',
  ({ tx, engine: { spelling } }, { messageIds }) => {
    for (const id of messageIds) tx.post(spelling.messageSearch.remove, [id]);
    tx.post(
      `INSERT INTO marks (name, value, created_at) VALUES ('${REMOVED}', NULL, ${spelling.now}) ON CONFLICT DO NOTHING`,
      [],
    );
  },
);

type InThread = Pick<Message, 'id' | 'thread_id'>;

/** Removes messages from the index. Follows the change that removes their content. */
export function removeFromSearch(messages: readonly InThread[]): Change[] {
  const messageIds = messages.flatMap(({ id, thread_id: thread }) => (thread === null ? [] : [id]));
  return messageIds.length === 0 ? [] : [removeWords({ messageIds })];
}

/** Removes the words of removed messages from a part of the database file, and the mark after the last part. */
export const dropRemovedWords = defineChange<object>('drop-removed-words', async ({ tx, engine }) => {
  const isMore = await engine.spelling.messageSearch.merge(tx);
  if (!isMore) tx.post('DELETE FROM marks WHERE name = ?', [REMOVED]);
});

/** Changes the index after the content of messages that stay. Follows the change of their content. */
export function searchAgain(messages: readonly InThread[]): Change[] {
  const threadIds = messages.flatMap(({ thread_id: thread }) => thread ?? []);
  if (threadIds.length === 0) return [];
  return [
    ...removeFromSearch(messages),
    update(threads, { set: { search_due: 1 }, where: { id: threadIds } }),
  ];
}

/** Words of other environments are other words, so that no search reads them. */
export function inScope({ environmentId, subTenantId }: Scope, phrases: readonly Phrase[]): Phrase[] {
  const scoped = phrases.map(({ words, isPrefix }) => ({
    words: words.map((word) => scopedWord(environmentId, word)),
    isPrefix,
  }));
  if (subTenantId === null) return scoped;
  return [...scoped, { words: [subTenantWord(environmentId, subTenantId)], isPrefix: false }];
}

function documentOf(search: MessageSearch, message: SearchedMessage): string {
  const {
    environment_id: environmentId,
    sub_tenant_id: subTenantId,
    subject,
    text,
    signature,
    html,
  } = message;
  const fields = [
    subject,
    ...[message.from_email, message.from_name, message.to_email, message.to_name],
    ...[html === null ? text : textOf(html), signature],
  ];
  const words = fields.flatMap((field) =>
    field === null || field === ''
      ? []
      : [...wordsOf(field.slice(0, MAX_TEXT)).map((word) => scopedWord(environmentId, word)), null],
  );
  return search.document([
    ...(subTenantId === null ? [] : [subTenantWord(environmentId, subTenantId), null]),
    ...words,
  ]);
}

function textOf(html: string): string {
  return Array.from(walkShown(html), ({ token, isSeen }) =>
    token.kind === 'text' && isSeen ? decodeReferences(html.slice(token.start, token.end)) : ' ',
  ).join('');
}

const scopedWord = (environmentId: number, word: string): string => `${environmentId}_${word}`;
/** No word has an underscore. */
const subTenantWord = (environmentId: number, id: string): string => `${environmentId}__${id}`;
