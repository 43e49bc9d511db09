// The change that stores a received message, with a row for each recipient.
import type { Insertable } from 'kysely';
import { insertRaw } from '../messages/accept/accept.store.js';
import { defineChange } from '../database/change.js';
import { columnNames } from '../database/columns.js';
import type { Value } from '../database/engine/engine.js';
import { insertRow } from '../database/sql.js';
import { inboundMessages, type InboundMailTable } from './inbound.tables.js';

/** The row of a received message for one recipient. */
export type NewInboundMail = Omit<Insertable<InboundMailTable>, 'id' | 'raw_id'>;

const COLUMNS = columnNames(inboundMessages, 'id');
const INSERT = insertRow(inboundMessages, COLUMNS);

export const spoolMail = defineChange<{ raw: Uint8Array; mails: readonly NewInboundMail[] }>(
  'spool',
  async ({ tx }, { raw, mails }) => {
    const rawId = await insertRaw(tx, raw);
    for (const mail of mails) {
      const values: Record<string, Value | undefined> = { ...mail, raw_id: rawId };
      await tx.run(
        INSERT,
        COLUMNS.map((column) => values[column] ?? null),
      );
    }
  },
  { readsGathered: false },
);
