// The closed sets of words in /v1: statuses, events, actors, types.

export const MESSAGE_TYPES = ['transactional', 'marketing', 'sales'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
  'received',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Events in `GET /v1/messages/:id/audit`. */
export const MESSAGE_TRAIL_EVENTS = [
  'queued',
  'sending',
  'sent',
  'deferred',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
  'unsubscribed',
  'received',
  'auto_replied',
  'rescheduled',
  'approval_requested',
  'approval_changed',
  'approved',
  'rejected',
  'approval_expired',
] as const;
export type MessageTrailEvent = (typeof MESSAGE_TRAIL_EVENTS)[number];

export const TENANT_TRAIL_EVENTS = [
  'tenant_warned',
  'tenant_throttled',
  'tenant_paused',
  'tenant_recovered',
  'tenant_dns_drifted',
  'tenant_dns_suspended',
  'tenant_dns_recovered',
  'dkim_rotation_started',
  'dkim_rotation_completed',
] as const;
export type TenantTrailEvent = (typeof TENANT_TRAIL_EVENTS)[number];

/** Events of other records than messages and sub-tenants, with their meanings. They have the same names in webhooks. */
const RECORD_MEANINGS = [
  ['suppression.created', 'An address was suppressed, except by an import or bulk action.'],
  ['suppression.deleted', 'A suppression was deleted.'],
  ['contact.created', 'A contact was created, except by an import.'],
  ['contact.updated', 'A contact was changed, except by an import or bulk action.'],
  ['contact.unsubscribed', 'A contact became unsubscribed or left a list themselves.'],
  ['contact.deleted', 'A contact was deleted, except by a bulk action.'],
  ['contact.erased', "A contact and all of the person's data were erased."],
  [
    'domain.verified',
    'A domain was verified. `data.id` is the sender, or the sub-tenant whose sending domain it is.',
  ],
  [
    'domain.failed',
    'A domain was not verified in time and is no longer checked automatically. `data.id` is as for domain.verified.',
  ],
  ['domain.drifted', 'The DKIM record of a sender domain no longer resolves and a grace period has begun.'],
  [
    'domain.suspended',
    'Mail from a sender domain is on hold because the grace period has ended or another workspace has verified the domain.',
  ],
  ['domain.recovered', 'The DKIM record of a sender domain resolves again.'],
  ['campaign.scheduled', 'A campaign was scheduled or rescheduled.'],
  ['campaign.started', 'Sending of a campaign has begun.'],
  ['campaign.paused', 'A campaign was paused by a user or automatically. See the campaign for the reason.'],
  ['campaign.resumed', 'A paused campaign was resumed.'],
  ['campaign.sent', 'Every message of a campaign has been attempted at least once.'],
  ['campaign.canceled', 'A campaign was canceled.'],
  ['import.completed', 'A contact import has finished.'],
  ['import.failed', 'A contact import has failed. See the import for the reason.'],
  ['import.canceled', 'A contact import was canceled.'],
  ['export.completed', 'The file of an export is complete.'],
  ['export.failed', 'An export has failed. See the export for the reason.'],
  ['export.canceled', 'An export was canceled.'],
  ['bulk_action.completed', 'A bulk action has finished.'],
  ['bulk_action.failed', 'A bulk action has failed. See the bulk action for the reason.'],
  ['bulk_action.canceled', 'A bulk action was canceled.'],
  ['account_import.completed', 'An account import has finished.'],
  ['account_import.failed', 'An account import has failed. See the account import for the reason.'],
  ['account_import.canceled', 'An account import was canceled.'],
  ['thread.updated', 'The status, labels, assignee or unread mark of a thread was changed by a request.'],
  ['draft.created', 'A draft of a reply was created.'],
  ['draft.updated', 'A draft was changed.'],
  ['draft.sent', 'A draft was sent. Its `message_id` is the message.'],
  ['draft.deleted', 'A draft was deleted.'],
  [
    'approval.requested',
    'A message is waiting for approval, because the send policy of its API key requires it.',
  ],
  ['approval.approved', 'A message was approved and is queued for delivery.'],
  ['approval.rejected', 'A message was rejected and will not be sent.'],
  ['approval.expired', 'No one decided about a message in time, so it will not be sent.'],
] as const;
export const RECORD_EVENTS = eventsOf(RECORD_MEANINGS);
export type RecordEvent = (typeof RECORD_EVENTS)[number];

export type TrailEvent = MessageTrailEvent | TenantTrailEvent | RecordEvent;

export const ACTORS = ['api', 'api_key', 'user', 'system', 'worker', 'provider', 'recipient'] as const;
export type Actor = (typeof ACTORS)[number];

/** Webhook events with their meanings for the description of the API; `docs/events.md` has the long form. */
const DEFAULT_MEANINGS = [
  ['message.sent', 'The message was handed to a delivery session for the first time.'],
  ['message.delivered', "The recipient's mail server accepted the message."],
  ['message.opened', 'The tracking pixel was loaded.'],
  ['message.clicked', 'A tracked link was clicked.'],
  ['message.bounced', 'The message will not be delivered. See its error for the reason.'],
  ['message.complained', 'The recipient marked the message as spam.'],
  ['message.failed', 'The message could not be sent.'],
  ['message.suppressed', 'The message was not sent because the address is suppressed.'],
  ['message.received', 'A reply was received. `data.id` is the ID of the reply.'],
  [
    'recipient.suppressed',
    'The address was added to the suppression list. `data.id` is the message that caused it.',
  ],
  ['tenant.warned', "A sub-tenant's complaint rate reached the warning level."],
  [
    'tenant.throttled',
    'A sub-tenant was throttled because of its complaint rate, by default to 60 messages per hour.',
  ],
  ['tenant.paused', "A sub-tenant's live mail is on hold until it is resumed."],
  ['tenant.recovered', "A sub-tenant's rates are back within the limits."],
  ['tenant.dns_drifted', "A sub-tenant's DKIM record no longer resolves and a grace period has begun."],
  [
    'tenant.dns_suspended',
    'The grace period has ended. Live messages are rejected and queued messages are on hold.',
  ],
  ['tenant.dns_recovered', 'The DKIM record resolves again.'],
  ['tenant.dkim_rotation_started', 'A new DKIM key is waiting for its DNS record.'],
  ['tenant.dkim_rotation_completed', 'The new DKIM key is now used for signing.'],
] as const;
/** Endpoints receive these only if they subscribe to them by name. */
const EXTRA_MEANINGS = [
  ['message.deferred', 'An attempt failed and will be retried.'],
  ['message.unsubscribed', 'The recipient unsubscribed.'],
  ...RECORD_MEANINGS,
] as const;
export const WEBHOOK_EVENTS = eventsOf(DEFAULT_MEANINGS);
export const EXTRA_WEBHOOK_EVENTS = eventsOf(EXTRA_MEANINGS);
export const ALL_WEBHOOK_EVENTS = [...WEBHOOK_EVENTS, ...EXTRA_WEBHOOK_EVENTS] as const;
export type WebhookEvent = (typeof ALL_WEBHOOK_EVENTS)[number];

export const WEBHOOK_MEANINGS: readonly (readonly [event: WebhookEvent, meaning: string])[] = [
  ...DEFAULT_MEANINGS,
  ...EXTRA_MEANINGS.map(([event, meaning]) => [event, `${meaning} Opt-in event.`] as const),
];

/** `admin` includes `full` for its workspace, and operations on the organization. */
export const KEY_PERMISSIONS = ['full', 'send', 'read', 'admin'] as const;
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** Owners may do everything, admins everything that does not concern owners; members work, and viewers read. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Kinds of work that nodes divide among themselves. */
export const NODE_ROLES = ['api', 'relay', 'inbound', 'mta', 'webhooks', 'schedules', 'dns'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'canceled'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Incidents that people can be notified about. */
export const ALERTS = [
  'host_check_failed',
  'disk_filling',
  'backup_failed',
  'replica_failed',
  'database_damaged',
  'certificate_expiring',
  'node_missing',
  'inbound_failed',
  'outbound_held',
  'queue_late',
  'route_share_lowered',
  'webhooks_late',
  'webhook_disabled',
  'approval_requested',
  'sub_tenant_throttled',
  'sub_tenant_paused',
  'domain_drifted',
] as const;
export type Alert = (typeof ALERTS)[number];

/** Sign-in of a program that a person must approve. */
export const DEVICE_SIGN_IN_STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;
export type DeviceSignInStatus = (typeof DEVICE_SIGN_IN_STATUSES)[number];

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** The two ways of a route with a share: its pools, and its smarthosts. */
export const ROUTE_SIDES = ['direct', 'smarthost'] as const;
export type RouteSide = (typeof ROUTE_SIDES)[number];

const PROVIDERS = ['mta', 'smarthost', 'simulator'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Reasons why a delivery ended or is deferred. Disposition and category are independent. */
export const BOUNCE_CATEGORIES = [
  'invalid_recipient',
  'inactive_mailbox',
  'bad_domain',
  'quota',
  'greylist',
  'rate_limited',
  'spam_block',
  'spam_content',
  'auth_failed',
  'policy',
  'tls',
  'too_large',
  'network',
  'protocol',
  'expired',
  'ambiguous',
  'unknown',
] as const;
export type BounceCategory = (typeof BOUNCE_CATEGORIES)[number];

/** Reasons why a message bounced or failed, before or during delivery. */
export const ERROR_CATEGORIES = [
  ...BOUNCE_CATEGORIES,
  'template',
  'signing',
  'routing',
  'tenant',
  'sender',
] as const;

/** `error` of a message that bounced or failed. */
export interface ErrorDetail {
  type: 'hard' | 'soft' | 'failure';
  category: (typeof ERROR_CATEGORIES)[number];
  /** SMTP reply code, such as 550; null without a reply. */
  code: number | null;
  /** RFC 3463 code, such as "5.1.1". */
  enhanced_code: string | null;
  message: string;
  remote_host: string | null;
  occurred_at: string;
}

export const CONTACT_STATUSES = ['active', 'unsubscribed', 'bounced', 'complained'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** `waiting` and `held` (for the winner of a split) have no message yet; `created` has one. */
export const RECIPIENT_STATES = ['waiting', 'held', 'created', 'skipped', 'failed'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** State of a recipient's campaign copy and of the recipient's actions, named as in the funnel. */
export const RECIPIENT_RESULTS = [
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'replied',
  'unsubscribed',
  'skipped',
] as const;
export type RecipientResult = (typeof RECIPIENT_RESULTS)[number];

/** Metric that decides the winning variant of a random split. */
export const SPLIT_METRICS = ['opened', 'clicked'] as const;
export type SplitMetric = (typeof SPLIT_METRICS)[number];

export const SEQUENCE_STATUSES = ['active', 'paused'] as const;
export type SequenceStatus = (typeof SEQUENCE_STATUSES)[number];

/** Events of the last message to the enrolled contact that a branch can wait for. */
export const BRANCH_EVENTS = ['opened', 'clicked', 'delivered', 'replied', 'bounced'] as const;
export type BranchEvent = (typeof BRANCH_EVENTS)[number];

/** Events that can end an enrolment. */
export const EXIT_EVENTS = ['replied', 'unsubscribed', 'bounced', 'complained'] as const;
export type ExitEvent = (typeof EXIT_EVENTS)[number];

export const ENROLLMENT_STATUSES = ['active', 'completed', 'exited', 'canceled', 'failed'] as const;
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number];

/**
 * Formats of webhook deliveries. `service` has only Service-Signature, `standard` also signs as Standard Webhooks; the others
 * use the format of the vendor with that name.
 */
export const WEBHOOK_FORMATS = [
  'service',
  'standard',
  'resend',
  'postmark',
  'sendgrid',
  'mailgun',
  'ses',
] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** `thin` identifies the record; `full` includes it. */
export const WEBHOOK_PAYLOADS = ['thin', 'full'] as const;
export type WebhookPayload = (typeof WEBHOOK_PAYLOADS)[number];

export const DIRECTIONS = ['outbound', 'inbound'] as const;

/** Languages of the pages that recipients see. */
export const PAGE_LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt-BR'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Sets that are components of the OpenAPI document. */
export const NAMED_SETS = {
  MessageType: MESSAGE_TYPES,
  MessagePriority: PRIORITIES,
  MessageStatus: MESSAGE_STATUSES,
  MessageTrailEvent: MESSAGE_TRAIL_EVENTS,
  TenantTrailEvent: TENANT_TRAIL_EVENTS,
  Actor: ACTORS,
  KeyPermission: KEY_PERMISSIONS,
  Role: ROLES,
  DeviceSignInStatus: DEVICE_SIGN_IN_STATUSES,
  Environment: MODES,
  PageLanguage: PAGE_LANGUAGES,
  Provider: PROVIDERS,
  BounceCategory: BOUNCE_CATEGORIES,
  ErrorCategory: ERROR_CATEGORIES,
  ContactStatus: CONTACT_STATUSES,
  CampaignStatus: CAMPAIGN_STATUSES,
  CampaignRecipientState: RECIPIENT_STATES,
  CampaignRecipientResult: RECIPIENT_RESULTS,
  SplitMetric: SPLIT_METRICS,
  SequenceStatus: SEQUENCE_STATUSES,
  SequenceBranchEvent: BRANCH_EVENTS,
  SequenceExitEvent: EXIT_EVENTS,
  EnrollmentStatus: ENROLLMENT_STATUSES,
  ApprovalStatus: APPROVAL_STATUSES,
  Direction: DIRECTIONS,
  WebhookFormat: WEBHOOK_FORMATS,
  WebhookPayload: WEBHOOK_PAYLOADS,
};

function eventsOf<E extends string>(
  meanings: readonly (readonly [event: E, meaning: string])[],
): readonly E[] {
  return meanings.map(([event]) => event);
}
