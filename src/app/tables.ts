// Every table of the database, for the commands that move or empty all of them. Each noun declares its own in a file that ends in
// .tables.ts; test/database/tables.test.ts compares the declarations with what the migrations make.
import {
  addressRechecks,
  destinationPauses,
  mtaStsPolicies,
  operatorRoutes,
  overrides,
  suspendedSources,
  tlsResults,
  trafficState,
} from '../outbound/outbound.tables.js';
import { backups, restoredChains, restores } from '../backups/backups.tables.js';
import { alertIncidents, alertNotices, alertSettings } from '../alerts/alerts.tables.js';
import { archiveMarks, eventSegments } from '../events/archive/archive.tables.js';
import { growthSamples, tableSizes } from '../operations/growth/growth.tables.js';
import { apiKeyDays, apiKeys } from '../accounts/api-keys/api-keys.tables.js';
import {
  attachments,
  attempts,
  blobs,
  contents,
  idempotencyKeys,
  messageTags,
  messages,
  raws,
  smtpSessions,
} from '../messages/messages.tables.js';
import {
  audienceVersions,
  consents,
  contactCounts,
  contactTags,
  contacts,
} from '../contacts/contacts.tables.js';
import { auditEntries } from '../accounts/audit/audit.tables.js';
import {
  campaignOverrides,
  campaignRecipients,
  campaigns,
  deletedMessages,
} from '../campaigns/campaigns.tables.js';
import { brandings, logos } from '../accounts/branding/brandings.tables.js';
import { chains, consumers, events } from '../events/events.tables.js';
import {
  contactLists,
  listDays,
  listMembers,
  listTags,
  listUnsubscribes,
} from '../contacts/lists/lists.tables.js';
import {
  countedTags,
  domainProviders,
  engagement,
  sourceHours,
  sourceLinks,
  sourceStats,
  statBounces,
  statDays,
  statGroups,
  statHours,
  tenantHours,
} from '../analytics/analytics.tables.js';
import { storedFiles } from '../operations/files/stored-files.tables.js';
import { retentionCursors, retentionLeft } from '../operations/retention/retention.tables.js';
import { deliveryReports } from '../messages/relayed/delivery-reports.tables.js';
import {
  deviceSignIns,
  knownPlaces,
  passwordResets,
  sessions,
  unsolicitedMail,
} from '../accounts/sign-in/sign-in.tables.js';
import { dkimKeys, senders } from '../domains/domains.tables.js';
import { enrollmentMessages, enrollments, sequences } from '../sequences/sequences.tables.js';
import { environments, marks, organizations, usage, workspaces } from '../accounts/accounts.tables.js';
import { dmarcSums, receivedReports, tlsSums } from '../inbound/reports/reports.tables.js';
import { inboundMessages } from '../inbound/inbound.tables.js';
import { queue, queues } from '../messages/queue.tables.js';
import { foreignMessageIds, receivedMessages } from '../messages/received.tables.js';
import { threads } from '../messages/threads/threads.tables.js';
import { idempotentRequests } from '../http/idempotency/idempotency.tables.js';
import { invitations, members, users } from '../accounts/people/people.tables.js';
import { nodeLeases, nodes } from '../nodes/nodes.tables.js';
import { requestLog } from '../accounts/request-log/request-log.tables.js';
import { shareLinks } from '../share-links/share-links.tables.js';
import { subTenants, tenantReputations } from '../tenants/tenants.tables.js';
import { suppressions } from '../suppressions/suppressions.tables.js';
import { savedBlocks, templateVersions, templates } from '../templates/templates.tables.js';
import { tlsReports } from '../operations/tls-reports/tls-reports.tables.js';
import { transfers } from '../imports/transfers.tables.js';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookReplays,
} from '../webhooks/webhooks.tables.js';

export const TABLES = [
  organizations,
  workspaces,
  environments,
  usage,
  marks,
  apiKeys,
  apiKeyDays,
  users,
  members,
  invitations,
  sessions,
  passwordResets,
  deviceSignIns,
  knownPlaces,
  unsolicitedMail,
  alertSettings,
  alertIncidents,
  alertNotices,
  auditEntries,
  requestLog,
  idempotentRequests,
  subTenants,
  tenantReputations,
  tenantHours,
  senders,
  dkimKeys,
  brandings,
  logos,
  templates,
  templateVersions,
  savedBlocks,
  contacts,
  contactTags,
  contactCounts,
  audienceVersions,
  consents,
  contactLists,
  listMembers,
  listUnsubscribes,
  listTags,
  listDays,
  transfers,
  suppressions,
  campaigns,
  campaignOverrides,
  campaignRecipients,
  sequences,
  enrollments,
  enrollmentMessages,
  events,
  chains,
  consumers,
  engagement,
  statDays,
  statHours,
  statGroups,
  statBounces,
  countedTags,
  domainProviders,
  sourceStats,
  sourceHours,
  sourceLinks,
  messages,
  contents,
  raws,
  attachments,
  blobs,
  messageTags,
  idempotencyKeys,
  attempts,
  smtpSessions,
  inboundMessages,
  receivedMessages,
  foreignMessageIds,
  threads,
  receivedReports,
  dmarcSums,
  tlsSums,
  deliveryReports,
  queues,
  queue,
  addressRechecks,
  overrides,
  operatorRoutes,
  suspendedSources,
  destinationPauses,
  trafficState,
  mtaStsPolicies,
  tlsResults,
  tlsReports,
  retentionCursors,
  retentionLeft,
  deletedMessages,
  backups,
  archiveMarks,
  eventSegments,
  storedFiles,
  growthSamples,
  tableSizes,
  restores,
  restoredChains,
  shareLinks,
  nodes,
  nodeLeases,
  webhookEndpoints,
  webhookDeliveries,
  webhookAttempts,
  webhookReplays,
] as const;
