// The schema of release 0.1.0. Later changes are separate steps: CONTRIBUTING.md, "Write a migration".
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';
import { accountsSchema } from './baseline/accounts.js';
import { alertsSchema } from './baseline/alerts.js';
import { analyticsSchema } from './baseline/analytics.js';
import { apiSchema } from './baseline/api.js';
import { campaignsSchema } from './baseline/campaigns.js';
import { contactsSchema } from './baseline/contacts.js';
import { domainsSchema } from './baseline/domains.js';
import { eventsSchema } from './baseline/events.js';
import { importsSchema } from './baseline/imports.js';
import { inboundSchema } from './baseline/inbound.js';
import { listsSchema } from './baseline/lists.js';
import { messagesSchema } from './baseline/messages.js';
import { nodesSchema } from './baseline/nodes.js';
import { operationsSchema } from './baseline/operations.js';
import { outboundSchema } from './baseline/outbound.js';
import { pagesSchema } from './baseline/pages.js';
import { relaySchema } from './baseline/relay.js';
import { sequencesSchema } from './baseline/sequences.js';
import { shareLinksSchema } from './baseline/share-links.js';
import { suppressionsSchema } from './baseline/suppressions.js';
import { templatesSchema } from './baseline/templates.js';
import { tenantsSchema } from './baseline/tenants.js';
import { webhooksSchema } from './baseline/webhooks.js';

/** Ordered so that a table exists before another one references it. */
const SCHEMAS: readonly ((spelling: Spelling) => string[])[] = [
  accountsSchema,
  alertsSchema,
  analyticsSchema,
  apiSchema,
  campaignsSchema,
  contactsSchema,
  domainsSchema,
  eventsSchema,
  importsSchema,
  messagesSchema,
  inboundSchema,
  listsSchema,
  nodesSchema,
  operationsSchema,
  outboundSchema,
  pagesSchema,
  relaySchema,
  sequencesSchema,
  shareLinksSchema,
  suppressionsSchema,
  templatesSchema,
  tenantsSchema,
  webhooksSchema,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const schema of SCHEMAS) {
    for (const statement of schema(spelling)) await sql.raw(statement).execute(db);
  }
}
