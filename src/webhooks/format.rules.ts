// Describes webhooks in other vendors' formats: the functions of a format, and a message's event with all the data that a format
// may need.
import { createHash } from 'node:crypto';
import type { MessageObject } from '../messages/message.schema.js';
import {
  type MessageType,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookFormat,
} from '../contract/names.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

/** Facts of an event in the trail. */
interface TrailDetail {
  metadata?: Record<string, unknown>;
  ip?: string;
  user_agent?: string;
}

/** An event of a message as input of the formats. The texts of a deleted message are empty. */
export interface MessageEvent {
  /** The same over all deliveries and replays of the event. */
  key: string;
  name: WebhookEvent;
  /** Epoch ms. */
  occurredAt: number;
  messageId: string;
  /** The Message-ID without angle brackets; null for a deleted message. */
  rfcMessageId: string | null;
  to: string;
  from: { email: string; name: string | null };
  subject: string;
  tags: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
  type: MessageType;
  /** ISO 8601. */
  createdAt: string;
  campaignId: string | null;
  templateId: string | null;
  sandbox: boolean;
  /** The first of its name, of an opening or a click. */
  isFirst: boolean;
  /** The reply of the recipient's server, or why the message could not be sent. */
  reply: { code: number | null; enhancedCode: string | null; text: string; host: string | null };
  category: string | null;
  isHardBounce: boolean;
  /** Why an address is suppressed. */
  reason: string | null;
  /** Of a click. */
  url: string | null;
  /** For an open or a click; null if unknown. */
  ip: string | null;
  userAgent: string | null;
  isMachine: boolean;
  /** The list that the recipient left; null for all mail. */
  listId: string | null;
}

/** Request of one attempt. */
interface SignedWebhook {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Another vendor's format: pure, but for the randomness in a signature. */
export interface VendorFormat {
  /** The events that it has a form for. */
  events: readonly WebhookEvent[];
  /** The body of an event; null for one that it has no form for. */
  bodyOf: (event: MessageEvent) => object | null;
  /** `id` is that of the delivery, `timestamp` in unix seconds; the newest of the secrets comes first. */
  sign: (input: {
    body: string;
    secrets: readonly [string, ...string[]];
    id: string;
    timestamp: number;
  }) => SignedWebhook;
  /** The public key that belongs to a secret, where signatures are verified with one. */
  publicKeyOf?: (secret: string) => string;
}

/** By name. `service` and `standard` are Mailkeel's own formats and not among them. */
export type VendorFormats = Partial<Record<WebhookFormat, VendorFormat>>;

/** The events that an endpoint receives: by default all that its format has a form for. */
export function receivedEvents(
  { events, format }: Pick<WebhookEndpoint, 'events' | 'format'>,
  formats: VendorFormats,
): WebhookEvent[] {
  if (events !== null) return JSON.parse(events) as WebhookEvent[]; // written by the API only
  return WEBHOOK_EVENTS.filter((name) => formats[format]?.events.includes(name) ?? true);
}

/** Builds the event of a message. `record` is the message as in the API; `null` if it was deleted. */
export function buildMessageEvent(
  event: { name: WebhookEvent; subjectId: string; occurredAt: number },
  record: Partial<MessageObject> | null,
  detail: string | null,
): MessageEvent {
  const { name, subjectId: messageId, occurredAt } = event;
  const trail = detail === null ? {} : (JSON.parse(detail) as TrailDetail);
  const metadata = trail.metadata ?? {};
  const text = (key: string): string | null => textOf(metadata[key]);
  const error = record?.error ?? null;
  const at = new Date(occurredAt).toISOString();
  const code = metadata['code'];
  return {
    key: keyOf([messageId, name, String(occurredAt), detail ?? '']),
    name,
    occurredAt,
    messageId,
    rfcMessageId: record?.internet_message_id?.slice(1, -1) ?? null,
    to: record?.to ?? '',
    from: record?.from ?? { email: '', name: null },
    subject: record?.subject ?? '',
    tags: record?.tags ?? [],
    metadata: record?.metadata ?? {},
    type: record?.type ?? 'transactional',
    createdAt: record?.created_at ?? at,
    campaignId: record?.campaign_id ?? null,
    templateId: record?.template_id ?? null,
    sandbox: record?.sandbox ?? false,
    isFirst: (name === 'message.clicked' ? record?.clicked_at : record?.opened_at) === at,
    reply: {
      code: typeof code === 'number' ? code : (error?.code ?? null),
      enhancedCode: text('enhanced_code') ?? error?.enhanced_code ?? null,
      text: text('reply') ?? text('message') ?? error?.message ?? '',
      host: text('remote_host') ?? error?.remote_host ?? null,
    },
    category: text('category') ?? error?.category ?? null,
    isHardBounce: (text('type') ?? error?.type) === 'hard',
    reason: text('reason'),
    url: text('url'),
    ip: trail.ip ?? null,
    userAgent: trail.user_agent ?? null,
    isMachine: metadata['machine'] === true,
    listId: text('list_id'),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22);
}
