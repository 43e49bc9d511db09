// Finds the waiting messages of a queue that a purge removes.
import type { MessageType } from '../../contract/names.js';
import type { Engine, Value } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import { waitingRows } from './waiting-rows.store.js';

/** Waiting messages that are read together. */
const PAGE = 1_000;

/** Conditions on messages of a queue; all must hold. */
export interface PurgeFilter {
  types?: readonly MessageType[];
  /** Matches messages with any of these. */
  tags?: readonly string[];
  campaignId?: string;
  /** Epoch ms; accepted before that. */
  acceptedBefore?: number;
}

export interface PurgeStore {
  /** Matching messages that wait in the queue, page by page. A page may be empty. */
  matching(queueId: number, filter: PurgeFilter): AsyncGenerator<{ id: number; publicId: string }[]>;
}

export function createPurgeStore(engine: Engine): PurgeStore {
  return {
    async *matching(queueId, filter) {
      const { text, values } = purgeConditions(filter);
      for await (const rows of waitingRows(engine, queueId, { after: -1, size: PAGE })) {
        const list = inList(rows.map(({ message_id }) => message_id));
        const statement = `SELECT m.id, m.public_id AS "publicId" FROM messages m WHERE m.id IN (${list.marks})${text} ORDER BY m.id`;
        yield await rowsAs<{ id: number; publicId: string }>(
          engine.rows(statement, [...list.values, ...values]),
        );
      }
    },
  };
}

function purgeConditions(filter: PurgeFilter): { text: string; values: Value[] } {
  const { types, tags, campaignId, acceptedBefore } = filter;
  const conditions: { text: string; values: readonly Value[] }[] = [];
  if (types !== undefined) {
    const list = inList(types);
    conditions.push({ text: `m.type IN (${list.marks})`, values: list.values });
  }
  if (campaignId !== undefined) conditions.push({ text: 'm.campaign_id = ?', values: [campaignId] });
  if (acceptedBefore !== undefined) conditions.push({ text: 'm.created_at < ?', values: [acceptedBefore] });
  if (tags !== undefined) {
    const list = inList(tags);
    conditions.push({
      text: `EXISTS (SELECT 1 FROM message_tags t WHERE t.environment_id = m.environment_id AND t.tag IN (${list.marks}) AND t.message_id = m.id)`,
      values: list.values,
    });
  }
  return {
    text: conditions.map(({ text }) => ` AND ${text}`).join(''),
    values: conditions.flatMap(({ values }) => [...values]),
  };
}
