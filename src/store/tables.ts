// Every table by its name, as the queries see it. Portable subset: text ids, integer epoch milliseconds,
// JSON as text, booleans as 0 or 1. The rows are in tables/; the statements that create them are in migrations/.
import type {
  ApiKeyDayTable,
  ApiKeyTable,
  BrandingTable,
  DkimKeyTable,
  EnvironmentTable,
  LogoTable,
  MarkTable,
  OrganizationTable,
  SenderTable,
  SubTenantTable,
  UsageTable,
  WorkspaceTable,
} from './tables/accounts.js';
import type {
  AudienceVersionTable,
  ConsentTable,
  ContactCountTable,
  ContactListTable,
  ContactTable,
  ContactTagTable,
  ListDayTable,
  ListUnsubscribeTable,
  ListMemberTable,
  ListTagTable,
  SuppressionTable,
  TemplateTable,
  TemplateVersionTable,
  TransferTable,
} from './tables/audience.js';
import type {
  CampaignOverrideTable,
  CampaignRecipientTable,
  CampaignTable,
  EngagementTable,
  EnrollmentMessageTable,
  EnrollmentTable,
  ConsumerTable,
  SequenceTable,
  SourceHourTable,
  SourceLinkTable,
  SourceStatTable,
  StatBounceTable,
  StatGroupTable,
  StatHourTable,
  CountedTagTable,
  DomainProviderTable,
  StatDayTable,
} from './tables/campaigns.js';
import type {
  DeliveryReportTable,
  ForeignMessageIdTable,
  InboundMailTable,
  RawTable,
  ReceivedMessageTable,
  ThreadTable,
} from './tables/correspondence.js';
import type { ChainTable, EventTable } from './tables/events.js';
import type {
  AttachmentTable,
  BlobTable,
  ContentTable,
  IdempotencyKeyTable,
  MessageTable,
  MessageTagTable,
} from './tables/messages.js';
import type {
  AuditEntryTable,
  DeviceSignInTable,
  InvitationTable,
  KnownPlaceTable,
  MemberTable,
  PasswordResetTable,
  SessionTable,
  UnsolicitedMailTable,
  UserTable,
} from './tables/people.js';
import type {
  AddressRecheckTable,
  AttemptTable,
  QueuesTable,
  QueueTable,
  SmtpSessionTable,
} from './tables/queue.js';
import type { IdempotentRequestTable, RequestLogTable, ShareLinkTable } from './tables/requests.js';
import type { DeletedMessagesTable, RetentionCursorTable, RetentionLeftTable } from './tables/retention.js';
import type { TenantHourTable, TenantReputationTable } from './tables/reputations.js';
import type {
  DestinationPauseTable,
  MtaStsPolicyTable,
  OverrideTable,
  TlsReportTable,
  TlsResultTable,
  TrafficStateTable,
} from './tables/traffic.js';
import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
  WebhookReplayTable,
} from './tables/webhooks.js';

export interface Tables {
  known_places: KnownPlaceTable;
  unsolicited_mail: UnsolicitedMailTable;
  organizations: OrganizationTable;
  workspaces: WorkspaceTable;
  environments: EnvironmentTable;
  marks: MarkTable;
  api_keys: ApiKeyTable;
  sub_tenants: SubTenantTable;
  senders: SenderTable;
  dkim_keys: DkimKeyTable;
  templates: TemplateTable;
  template_versions: TemplateVersionTable;
  contacts: ContactTable;
  contact_tags: ContactTagTable;
  contact_counts: ContactCountTable;
  contact_lists: ContactListTable;
  list_members: ListMemberTable;
  list_unsubscribes: ListUnsubscribeTable;
  list_days: ListDayTable;
  list_tags: ListTagTable;
  audience_versions: AudienceVersionTable;
  consents: ConsentTable;
  transfers: TransferTable;
  campaigns: CampaignTable;
  campaign_overrides: CampaignOverrideTable;
  campaign_recipients: CampaignRecipientTable;
  sequences: SequenceTable;
  enrollments: EnrollmentTable;
  enrollment_messages: EnrollmentMessageTable;
  consumers: ConsumerTable;
  engagement: EngagementTable;
  stat_days: StatDayTable;
  stat_hours: StatHourTable;
  stat_groups: StatGroupTable;
  stat_bounces: StatBounceTable;
  counted_tags: CountedTagTable;
  domain_providers: DomainProviderTable;
  source_stats: SourceStatTable;
  source_hours: SourceHourTable;
  source_links: SourceLinkTable;
  suppressions: SuppressionTable;
  messages: MessageTable;
  contents: ContentTable;
  attachments: AttachmentTable;
  blobs: BlobTable;
  message_tags: MessageTagTable;
  idempotency_keys: IdempotencyKeyTable;
  idempotent_requests: IdempotentRequestTable;
  request_log: RequestLogTable;
  share_links: ShareLinkTable;
  brandings: BrandingTable;
  logos: LogoTable;
  raws: RawTable;
  foreign_message_ids: ForeignMessageIdTable;
  inbound_messages: InboundMailTable;
  received_messages: ReceivedMessageTable;
  threads: ThreadTable;
  delivery_reports: DeliveryReportTable;
  queues: QueuesTable;
  queue: QueueTable;
  attempts: AttemptTable;
  smtp_sessions: SmtpSessionTable;
  overrides: OverrideTable;
  destination_pauses: DestinationPauseTable;
  traffic_state: TrafficStateTable;
  address_rechecks: AddressRecheckTable;
  mta_sts_policies: MtaStsPolicyTable;
  tls_results: TlsResultTable;
  tls_reports: TlsReportTable;
  events: EventTable;
  chains: ChainTable;
  api_key_days: ApiKeyDayTable;
  usage: UsageTable;
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
  webhook_replays: WebhookReplayTable;
  tenant_reputations: TenantReputationTable;
  tenant_hours: TenantHourTable;
  users: UserTable;
  members: MemberTable;
  invitations: InvitationTable;
  sessions: SessionTable;
  password_resets: PasswordResetTable;
  device_sign_ins: DeviceSignInTable;
  audit_entries: AuditEntryTable;
  retention_cursors: RetentionCursorTable;
  retention_left: RetentionLeftTable;
  deleted_messages: DeletedMessagesTable;
}
