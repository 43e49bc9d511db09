// Lists every table of the database, for commands that move or empty all tables. Each noun declares its tables in files ending in
// .tables.ts; test/database/tables.test.ts compares the declarations with the migrated schema.
import * as accountImports from '../account-imports/account-imports.tables.js';
import * as accounts from '../accounts/accounts.tables.js';
import * as apiKeys from '../accounts/api-keys/api-keys.tables.js';
import * as audit from '../accounts/audit/audit.tables.js';
import * as brandings from '../accounts/branding/brandings.tables.js';
import * as oauth from '../accounts/oauth/oauth.tables.js';
import * as people from '../accounts/people/people.tables.js';
import * as requestLog from '../accounts/request-log/request-log.tables.js';
import * as signIn from '../accounts/sign-in/sign-in.tables.js';
import * as alerts from '../alerts/alerts.tables.js';
import * as analytics from '../analytics/analytics.tables.js';
import * as backups from '../backups/backups.tables.js';
import * as campaigns from '../campaigns/campaigns.tables.js';
import * as contacts from '../contacts/contacts.tables.js';
import * as lists from '../contacts/lists/lists.tables.js';
import * as domains from '../domains/domains.tables.js';
import * as archive from '../events/archive/archive.tables.js';
import * as events from '../events/events.tables.js';
import * as idempotency from '../http/idempotency/idempotency.tables.js';
import * as transfers from '../imports/transfers.tables.js';
import * as inbound from '../inbound/inbound.tables.js';
import * as reports from '../inbound/reports/reports.tables.js';
import * as approvals from '../messages/approvals/approvals.tables.js';
import * as drafts from '../messages/drafts/drafts.tables.js';
import * as forwards from '../messages/inboxes/forwards.tables.js';
import * as inboxes from '../messages/inboxes/inboxes.tables.js';
import * as messages from '../messages/messages.tables.js';
import * as queue from '../messages/queue.tables.js';
import * as received from '../messages/received.tables.js';
import * as deliveryReports from '../messages/relayed/delivery-reports.tables.js';
import * as threads from '../messages/threads/threads.tables.js';
import * as nodes from '../nodes/nodes.tables.js';
import * as storedFiles from '../operations/files/stored-files.tables.js';
import * as growth from '../operations/growth/growth.tables.js';
import * as retention from '../operations/retention/retention.tables.js';
import * as tlsReports from '../operations/tls-reports/tls-reports.tables.js';
import * as outbound from '../outbound/outbound.tables.js';
import * as sequences from '../sequences/sequences.tables.js';
import * as shareLinks from '../share-links/share-links.tables.js';
import * as suppressions from '../suppressions/suppressions.tables.js';
import * as templates from '../templates/templates.tables.js';
import * as tenants from '../tenants/tenants.tables.js';
import * as webhooks from '../webhooks/webhooks.tables.js';
import type { Table } from '../database/columns.js';

const DECLARATIONS = [
  accounts,
  apiKeys,
  audit,
  brandings,
  oauth,
  people,
  requestLog,
  signIn,
  alerts,
  analytics,
  backups,
  campaigns,
  contacts,
  lists,
  domains,
  archive,
  events,
  idempotency,
  transfers,
  accountImports,
  inbound,
  reports,
  approvals,
  drafts,
  forwards,
  inboxes,
  messages,
  queue,
  received,
  deliveryReports,
  threads,
  nodes,
  storedFiles,
  growth,
  retention,
  tlsReports,
  outbound,
  sequences,
  shareLinks,
  suppressions,
  templates,
  tenants,
  webhooks,
];

export const TABLES: readonly Table[] = DECLARATIONS.flatMap((declared) =>
  Object.values<unknown>(declared).filter(isTable),
);

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && 'name' in value && 'columns' in value;
}
