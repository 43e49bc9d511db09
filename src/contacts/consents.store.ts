// Reads consents for exports: requests to join lists, and their confirmations.
import type { Selectable } from 'kysely';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { ConsentTable } from './contacts.tables.js';

/** A consent with the id of its list, which may be deleted. */
export type Consent = Omit<Selectable<ConsentTable>, 'environment_id' | 'list_number'> & { list_id: string };

export function createConsentStore(engine: Engine) {
  return {
    /** Reads the consents of contacts by number, oldest first. */
    async consentsOf(contactNumbers: readonly number[]): Promise<Map<number, Consent[]>> {
      const found = new Map<number, Consent[]>();
      if (contactNumbers.length === 0) return found;
      const { marks, values } = inList(contactNumbers);
      const rows = await rowsAs<Consent>(
        engine.rows(
          `SELECT s.number, s.contact_number, s.event, s.occurred_at, s.actor, s.actor_id, s.source, s.ip, s.user_agent,
          l.id AS list_id FROM consents s JOIN contact_lists l ON l.number = s.list_number
          WHERE s.contact_number IN (${marks}) ORDER BY s.contact_number, s.number`,
          values,
        ),
      );
      for (const row of rows) {
        const own = found.get(row.contact_number);
        if (own) own.push(row);
        else found.set(row.contact_number, [row]);
      }
      return found;
    },
  };
}
