// Reads the records that events name, many at a time by their public ids, for full webhook payloads.
import type { Kysely } from 'kysely';
import type { Contact, contacts } from '../contacts/contacts.tables.js';
import type { Campaign, campaigns } from '../campaigns/campaigns.tables.js';
import type { Suppression, suppressions } from '../suppressions/suppressions.tables.js';
import type { Sender, senders } from '../domains/domains.tables.js';
import { notByIndex } from '../database/sql.js';
import type { Transfer, transfers } from '../imports/transfers.tables.js';
import type { environments } from '../accounts/accounts.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<
  | typeof campaigns
  | typeof contacts
  | typeof environments
  | typeof senders
  | typeof suppressions
  | typeof transfers
>;

type Ids = readonly string[];

const OF_ENVIRONMENT = notByIndex('environment_id');

/** All of one environment; none is asked for without ids. Unscoped: for deliveries, which are for who may see the event. */
export function createRecordReads(db: Kysely<Known>) {
  return {
    async contacts(environmentId: number, ids: Ids): Promise<Contact[]> {
      const query = db.selectFrom('contacts').selectAll().where(OF_ENVIRONMENT, '=', environmentId);
      return query.where('id', 'in', ids).execute();
    },
    async suppressions(environmentId: number, ids: Ids): Promise<Suppression[]> {
      const query = db.selectFrom('suppressions').selectAll().where(OF_ENVIRONMENT, '=', environmentId);
      return query.where('id', 'in', ids).execute();
    },
    async campaigns(environmentId: number, ids: Ids): Promise<Campaign[]> {
      const query = db.selectFrom('campaigns').selectAll().where(OF_ENVIRONMENT, '=', environmentId);
      return query.where('id', 'in', ids).where('deleted_at', 'is', null).execute();
    },
    async transfers(environmentId: number, ids: Ids): Promise<Transfer[]> {
      const query = db.selectFrom('transfers').selectAll().where(OF_ENVIRONMENT, '=', environmentId);
      return query.where('id', 'in', ids).execute();
    },
    /** Of the environment's workspace. */
    async senders(environmentId: number, ids: Ids): Promise<Sender[]> {
      return db
        .selectFrom('senders as s')
        .innerJoin('environments as e', 'e.workspace_id', 's.workspace_id')
        .selectAll('s')
        .where('e.id', '=', environmentId)
        .where('s.id', 'in', ids)
        .where('s.deleted_at', 'is', null)
        .execute();
    },
  };
}
