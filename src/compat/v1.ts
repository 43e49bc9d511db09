// The operations of /v1 that vendor routes call, with the types of their answers.
import type { Static } from 'typebox';
import type { ApiKeyWire, CreatedApiKeyWire } from '../accounts/api-keys/api-key.schema.js';
import type { MeWire } from '../accounts/me.routes.js';
import type { AnalyticsWire } from '../analytics/analytics.schema.js';
import type { ContactUpsert, ContactWire } from '../contacts/contact.schema.js';
import type { ErrorBody } from '../contract/error-body.js';
import type {
  AuditTrail,
  MessageObject,
  MessageRequest,
  messageContent,
} from '../messages/message.schema.js';
import type { KeyPermission, WebhookEvent, WebhookFormat } from '../contract/names.js';
import { Refusal, type FieldProblem } from '../contract/refusal.js';
import type { RawMessageRequest } from '../relay/raw-message.schema.js';
import type { SenderWire } from '../domains/senders/sender.schema.js';
import type { SuppressionWire } from '../suppressions/suppression.schema.js';
import type { TemplateWire } from '../templates/template.schema.js';
import type { UsageWire } from '../accounts/usage.routes.js';
import type { WebhookEndpointWire } from '../webhooks/endpoint.schema.js';
import { pathPart, type PassedRequest, type Query, V1Calls } from '../http/server/v1-calls.js';
import { plainMailbox } from './fields.js';

export interface WireList<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}
/** `total` is a lower bound if counting would take too long. */
type CountedContacts = WireList<ContactWire> & { total: number };
interface ListWire {
  id: string;
  name: string;
  created_at: string;
}
interface WebhookWish {
  url?: string;
  events?: readonly WebhookEvent[] | null;
  status?: 'enabled' | 'disabled';
}
type Rendered = Record<'subject' | 'html' | 'text', string | null> & { missing: string[] };
interface BatchAnswer {
  data: (MessageObject | ErrorBody)[];
}
type Content = Static<typeof messageContent>;

export type V1 = ReturnType<typeof createV1>;

/** `tracked` sets the vendor's default for tracking. */
export function createV1({
  tracked,
  ...passed
}: PassedRequest & { tracked: (message: MessageRequest) => MessageRequest }) {
  const calls = new V1Calls(passed);
  return {
    expect: (count: number): void => calls.expect(count),
    perMinute: (): number | null => calls.perMinute(),
    suppressed: calls.suppressed,
    messages: messageCalls(calls, (message) => tracked(withPlainNames(message))),
    templates: templateCalls(calls),
    senders: senderCalls(calls),
    contacts: contactCalls(calls),
    lists: listCalls(calls),
    suppressions: suppressionCalls(calls),
    apiKeys: apiKeyCalls(calls),
    webhookEndpoints: webhookEndpointCalls(calls),
    usage: () => calls.get('/v1/usage') as Promise<UsageWire>,
    me: () => calls.get('/v1/me') as Promise<MeWire>,
    analytics: (query: Query) => calls.get('/v1/analytics', query) as Promise<AnalyticsWire>,
    events: (query: Query) => calls.get('/v1/events', query) as Promise<WireList<Record<string, unknown>>>,
  };
}

// The schema of each operation determines the type of its answer.
function messageCalls(calls: V1Calls, written: (message: MessageRequest) => MessageRequest) {
  return {
    create: (body: MessageRequest) => calls.send('/v1/messages', written(body)) as Promise<MessageObject>,
    createRaw: (body: RawMessageRequest) => calls.send('/v1/messages/raw', body) as Promise<MessageObject>,
    createBatch: (messages: MessageRequest[], { atomic }: { atomic: boolean }) =>
      calls.send('/v1/messages/batch', { messages: messages.map(written), atomic }) as Promise<BatchAnswer>,
    list: (query: Query) => calls.get('/v1/messages', query) as Promise<WireList<MessageObject>>,
    get: (id: string) => calls.get(`/v1/messages/${pathPart(id)}`) as Promise<MessageObject>,
    content: (id: string) => calls.get(`/v1/messages/${pathPart(id)}/content`) as Promise<Content>,
    trail: (id: string) => calls.get(`/v1/messages/${pathPart(id)}/audit`) as Promise<AuditTrail>,
    raw: (id: string) => calls.octets(`/v1/messages/${pathPart(id)}/raw`, { method: 'GET' }),
    reschedule: (id: string, sendAt: string) =>
      calls.patch(`/v1/messages/${pathPart(id)}`, { send_at: sendAt }) as Promise<MessageObject>,
    cancel: (id: string) => calls.post(`/v1/messages/${pathPart(id)}/cancel`) as Promise<MessageObject>,
  };
}

function templateCalls(calls: V1Calls) {
  return {
    create: (body: Record<string, unknown>) => calls.post('/v1/templates', body) as Promise<TemplateWire>,
    list: (query: Query) => calls.get('/v1/templates', query) as Promise<WireList<TemplateWire>>,
    get: (id: string) => calls.get(`/v1/templates/${pathPart(id)}`) as Promise<TemplateWire>,
    update: (id: string, body: Record<string, unknown>) =>
      calls.patch(`/v1/templates/${pathPart(id)}`, body) as Promise<TemplateWire>,
    delete: (id: string) => calls.remove(`/v1/templates/${pathPart(id)}`) as Promise<{ id: string }>,
    render: (id: string, body: Record<string, unknown>) =>
      calls.post(`/v1/templates/${pathPart(id)}/render`, body) as Promise<Rendered>,
    renderContent: (body: Record<string, unknown>) =>
      calls.post('/v1/templates/render', body) as Promise<Record<'subject' | 'html' | 'text', string | null>>,
  };
}

function senderCalls(calls: V1Calls) {
  return {
    create: (body: Record<string, unknown>) => calls.post('/v1/senders', body) as Promise<SenderWire>,
    list: (query: Query) => calls.get('/v1/senders', query) as Promise<WireList<SenderWire>>,
    get: (id: string) => calls.get(`/v1/senders/${pathPart(id)}`) as Promise<SenderWire>,
    verify: (id: string) => calls.post(`/v1/senders/${pathPart(id)}/verify`) as Promise<SenderWire>,
    delete: (id: string) => calls.remove(`/v1/senders/${pathPart(id)}`) as Promise<{ id: string }>,
  };
}

function contactCalls(calls: V1Calls) {
  return {
    upsert: (body: ContactUpsert) => calls.post('/v1/contacts', body) as Promise<ContactWire>,
    list: (query: Query) => calls.get('/v1/contacts', query) as Promise<CountedContacts>,
    get: (id: string) => calls.get(`/v1/contacts/${pathPart(id)}`) as Promise<ContactWire>,
    update: (id: string, body: Record<string, unknown>) =>
      calls.patch(`/v1/contacts/${pathPart(id)}`, body) as Promise<ContactWire>,
    delete: (id: string) => calls.remove(`/v1/contacts/${pathPart(id)}`) as Promise<{ id: string }>,
  };
}

function listCalls(calls: V1Calls) {
  return {
    create: (body: Record<string, unknown>) => calls.post('/v1/lists', body) as Promise<ListWire>,
    list: (query: Query) => calls.get('/v1/lists', query) as Promise<WireList<ListWire>>,
    get: (id: string) => calls.get(`/v1/lists/${pathPart(id)}`) as Promise<ListWire>,
    update: (id: string, body: { name: string }) =>
      calls.patch(`/v1/lists/${pathPart(id)}`, body) as Promise<ListWire>,
    delete: (id: string) => calls.remove(`/v1/lists/${pathPart(id)}`) as Promise<{ id: string }>,
    contacts: (id: string, query: Query) =>
      calls.get(`/v1/lists/${pathPart(id)}/contacts`, query) as Promise<CountedContacts>,
    addContacts: (id: string, contactIds: readonly string[]) =>
      calls.post(`/v1/lists/${pathPart(id)}/contacts`, { contact_ids: contactIds }),
    removeContact: (id: string, contactId: string) =>
      calls.remove(`/v1/lists/${pathPart(id)}/contacts/${pathPart(contactId)}`),
  };
}

function suppressionCalls(calls: V1Calls) {
  return {
    create: (body: Record<string, unknown>) =>
      calls.post('/v1/suppressions', body) as Promise<SuppressionWire>,
    list: (query: Query) => calls.get('/v1/suppressions', query) as Promise<WireList<SuppressionWire>>,
    delete: (email: string) => calls.remove(`/v1/suppressions/${pathPart(email)}`) as Promise<{ id: string }>,
  };
}

function apiKeyCalls(calls: V1Calls) {
  return {
    create: (body: { name: string; permission: KeyPermission }) =>
      calls.post('/v1/api-keys', body) as Promise<CreatedApiKeyWire>,
    list: (query: Query) => calls.get('/v1/api-keys', query) as Promise<WireList<ApiKeyWire>>,
    get: (id: string) => calls.get(`/v1/api-keys/${pathPart(id)}`) as Promise<ApiKeyWire>,
    update: (id: string, body: { name: string }) =>
      calls.patch(`/v1/api-keys/${pathPart(id)}`, body) as Promise<ApiKeyWire>,
    revoke: (id: string) => calls.remove(`/v1/api-keys/${pathPart(id)}`) as Promise<{ id: string }>,
  };
}

function webhookEndpointCalls(calls: V1Calls) {
  return {
    create: (body: WebhookWish & { url: string; format: WebhookFormat }) =>
      calls.post('/v1/webhook-endpoints', body) as Promise<WebhookEndpointWire & { secret: string }>,
    list: (query: Query) =>
      calls.get('/v1/webhook-endpoints', query) as Promise<WireList<WebhookEndpointWire>>,
    get: (id: string) => calls.get(`/v1/webhook-endpoints/${pathPart(id)}`) as Promise<WebhookEndpointWire>,
    update: (id: string, body: WebhookWish) =>
      calls.patch(`/v1/webhook-endpoints/${pathPart(id)}`, body) as Promise<WebhookEndpointWire>,
    delete: (id: string) => calls.remove(`/v1/webhook-endpoints/${pathPart(id)}`) as Promise<{ id: string }>,
    rotateSecret: (id: string) =>
      calls.post(`/v1/webhook-endpoints/${pathPart(id)}/rotate-secret`) as Promise<{ secret: string }>,
  };
}

/** Sends all messages or none; returns the first. */
export async function sendTogether(v1: V1, messages: MessageRequest[]): Promise<MessageObject> {
  const [only] = messages;
  if (only !== undefined && messages.length === 1) return v1.messages.create(only);
  const { data } = await v1.messages.createBatch(messages, { atomic: true });
  const [first] = data;
  if (first === undefined || !('id' in first)) throw new Error('An atomic batch has no first message.');
  return first;
}

/** Returns a refusal of /v1 with the vendor's field names. */
export function renamed(refusal: Refusal, fields: Readonly<Record<string, string>>): Refusal {
  const nameOf = (path: string): string => {
    const [, messages = '', head = '', rest = ''] = /^(messages\.\d+\.)?([^.]*)(.*)$/.exec(path) ?? [];
    return `${messages}${fields[head] ?? head}${rest}`;
  };
  const { param, details } = refusal;
  const known = details?.['fields'] as FieldProblem[] | undefined;
  const problems = known?.map(({ path, message }) => ({ path: nameOf(path), message }));
  const name = param === undefined ? undefined : nameOf(param);
  const message =
    param !== undefined && name !== undefined && refusal.message.startsWith(`${param}: `)
      ? `${name}${refusal.message.slice(param.length)}`
      : refusal.message;
  return new Refusal(refusal.code, message, {
    ...(name === undefined ? {} : { param: name }),
    ...(details === undefined ? {} : { details: problems ? { ...details, fields: problems } : details }),
  });
}

const MAILBOX_FIELDS = ['from', 'to', 'cc', 'bcc', 'reply_to'] as const;

/** Decodes mailbox names, which clients write as in header fields, for /v1. */
function withPlainNames(message: MessageRequest): MessageRequest {
  const plain = MAILBOX_FIELDS.flatMap((field) => {
    const value = message[field];
    if (value === undefined) return [];
    return [[field, Array.isArray(value) ? value.map(plainMailbox) : plainMailbox(value)] as const];
  });
  return { ...message, ...(Object.fromEntries(plain) as Partial<MessageRequest>) };
}
