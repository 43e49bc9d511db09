// The change that keeps the octets of a received mail, with a row for each of its recipients.
import type { Insertable } from 'kysely';
import { insertRaw } from '../messages/accept/accept.store.js';
import { defineChange } from '../database/change.js';
import { columnNames } from '../database/columns.js';
import type { Value } from '../database/engine/engine.js';
import { insertRow } from '../database/sql.js';
import { inboundMessages, type InboundMailTable } from './inbound.tables.js';

/** One recipient of a mail that came in. */
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
