// Resend, read with an API key that has full access. Custom properties are in the contacts themselves, not in their list, so an
// account that has any needs a request per contact.
import { Type, type Static, type TSchema } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { translateResendTemplate } from '../dialects/resend-variables.rules.js';
import {
  leftOut,
  WAS_SCHEDULED,
  type CampaignItem,
  type ContactItem,
  type LeftOut,
  type SuppressionItem,
  type TemplateItem,
  type VendorPage,
  type WebhookItem,
} from '../items.rules.js';
import { filled, plainValue } from '../values.rules.js';
import { fieldProblems, headerValue } from './connection.rules.js';
import type { ApiSource } from './source.js';
import { shapeOf, type VendorReader } from './vendor-reader.js';

const PAGE = 100;
/** Objects of a page that are read one by one. */
const SINGLE_PAGE = 4;

const listed = <S extends TSchema>(item: S) =>
  shapeOf(Type.Object({ data: Type.Array(item), has_more: Type.Optional(Type.Boolean()) }));
const text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const SUPPRESSIONS = listed(Type.Object({ id: Type.String(), email: Type.String(), origin: Type.String() }));
const SEGMENTS = listed(Type.Object({ id: Type.String(), name: Type.String() }));
const CONTACT = Type.Object({
  id: Type.String(),
  email: Type.String(),
  first_name: text,
  last_name: text,
  unsubscribed: Type.Boolean(),
});
const CONTACTS = listed(CONTACT);
const WHOLE_CONTACT = shapeOf(
  Type.Object({
    ...CONTACT.properties,
    properties: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
);
const PROPERTIES = listed(Type.Object({ id: Type.String() }));
const TEMPLATES = listed(Type.Object({ id: Type.String(), name: Type.String() }));
const TEMPLATE = shapeOf(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    alias: text,
    subject: text,
    html: text,
    text,
    variables: Type.Optional(
      Type.Union([
        Type.Array(Type.Object({ key: Type.String(), fallback_value: Type.Optional(Type.Unknown()) })),
        Type.Null(),
      ]),
    ),
  }),
);
const DOMAINS = listed(Type.Object({ id: Type.String(), name: Type.String() }));
const WEBHOOKS = listed(
  Type.Object({
    id: Type.String(),
    endpoint: Type.String(),
    events: Type.Union([Type.Array(Type.String()), Type.Null()]),
    status: Type.String(),
  }),
);

const BROADCAST = Type.Object({
  id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  status: Type.String(),
  scheduled_at: text,
});
const BROADCASTS = listed(BROADCAST);
const WHOLE_BROADCAST = Type.Object({
  ...BROADCAST.properties,
  ...{ segment_id: text, audience_id: text, topic_id: text, preview_text: text },
  ...{ from: text, subject: text, html: text, text },
  reply_to: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()])),
});
const ONE_BROADCAST = shapeOf(WHOLE_BROADCAST);

const EVENTS: Readonly<Record<string, WebhookEvent>> = {
  'email.sent': 'message.sent',
  'email.delivered': 'message.delivered',
  'email.delivery_delayed': 'message.deferred',
  'email.bounced': 'message.bounced',
  'email.complained': 'message.complained',
  'email.opened': 'message.opened',
  'email.clicked': 'message.clicked',
  'email.failed': 'message.failed',
  'email.suppressed': 'message.suppressed',
  'email.received': 'message.received',
};

export const RESEND: ApiSource = {
  problems: (connection) => fieldProblems(connection, ['api_key']),
  base: () => 'https://api.resend.com',
  headers: ({ api_key: key }) => ({ authorization: `Bearer ${headerValue(key)}` }),
  isPaced: true,
  pages: {
    suppressions: readSuppressions,
    lists: readSegments,
    contacts: readContacts,
    templates: readTemplates,
    domains: readDomains,
    webhooks: readWebhooks,
    campaigns: readBroadcasts,
  },
};

interface Listed<T> {
  data: T[];
  has_more?: boolean;
}

function after(path: string, cursor: string | null, limit = PAGE): string {
  const start = path.includes('?') ? '&' : '?';
  const place = cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`;
  return `${path}${start}limit=${limit}${place}`;
}

/** The ID to continue after. Some lists do not say whether there are more. */
function nextOf({ data, has_more: hasMore }: Listed<{ id: string }>, limit = PAGE): string | null {
  const isLast = data.length === 0 || !(hasMore ?? data.length >= limit);
  return isLast ? null : (data.at(-1)?.id ?? null);
}

async function readSuppressions(
  reader: VendorReader,
  cursor: string | null,
): Promise<VendorPage<'suppressions'>> {
  const page = await reader.json(after('/suppressions', cursor), SUPPRESSIONS);
  const items = page.data.map(({ id, email, origin }): SuppressionItem => ({
    externalId: id,
    name: email,
    reason: origin === 'bounce' || origin === 'complaint' ? origin : 'manual',
  }));
  return { items, leftOut: [], next: nextOf(page) };
}

async function readSegments(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const page = await reader.json(after('/segments', cursor), SEGMENTS);
  const items = page.data.map(({ id, name }) => ({
    externalId: id,
    name,
    description: null,
    doubleOptIn: false,
  }));
  return { items, leftOut: [], next: nextOf(page) };
}

/** First all contacts, then the members of one segment after another. */
interface ContactPlace {
  after: string | null;
  hasProperties: boolean;
  /** Segments that are still to be read, the current one first; null while contacts are read. */
  segments: string[] | null;
}

async function readContacts(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  const place = cursor === null ? await firstPlace(reader) : (JSON.parse(cursor) as ContactPlace);
  return place.segments === null ? readAll(reader, place) : readMembers(reader, place, place.segments);
}

async function firstPlace(reader: VendorReader): Promise<ContactPlace> {
  const { data } = await reader.json('/contact-properties?limit=1', PROPERTIES);
  return { after: null, hasProperties: data.length > 0, segments: null };
}

async function readAll(reader: VendorReader, place: ContactPlace): Promise<VendorPage<'contacts'>> {
  const limit = place.hasProperties ? SINGLE_PAGE : PAGE;
  const page = await reader.json(after('/contacts', place.after, limit), CONTACTS);
  const items: ContactItem[] = [];
  for (const one of page.data) {
    const whole = place.hasProperties
      ? await reader.json(`/contacts/${encodeURIComponent(one.id)}`, WHOLE_CONTACT)
      : { ...one, properties: null };
    items.push({
      ...memberOf(one, []),
      fullName: `${one.first_name ?? ''} ${one.last_name ?? ''}`.trim(),
      metadata: whole.properties ?? {},
      status: one.unsubscribed ? 'unsubscribed' : 'active',
    });
  }
  const next = nextOf(page, limit);
  const then = next === null ? await membersPlace(reader, place) : { ...place, after: next };
  return { items, leftOut: [], next: then === null ? null : JSON.stringify(then) };
}

async function membersPlace(reader: VendorReader, place: ContactPlace): Promise<ContactPlace | null> {
  const segments: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Listed<{ id: string }> = await reader.json(after('/segments', cursor), SEGMENTS);
    segments.push(...page.data.map(({ id }) => id));
    cursor = nextOf(page);
  } while (cursor !== null);
  return segments.length === 0 ? null : { ...place, after: null, segments };
}

async function readMembers(
  reader: VendorReader,
  place: ContactPlace,
  [segment = '', ...others]: readonly string[],
): Promise<VendorPage<'contacts'>> {
  const path = `/contacts?segment_id=${encodeURIComponent(segment)}`;
  const page = await reader.json(after(path, place.after), CONTACTS);
  const items = page.data.map((one) => ({
    ...memberOf(one, [{ listId: segment, state: 'subscribed' as const }]),
    isMembership: true,
  }));
  const next = nextOf(page);
  const then: ContactPlace =
    next === null
      ? { ...place, after: null, segments: others }
      : { ...place, after: next, segments: [segment, ...others] };
  const isEnd = then.segments?.length === 0;
  return { items, leftOut: [], next: isEnd ? null : JSON.stringify(then) };
}

function memberOf(
  { id, email }: { id: string; email: string },
  memberships: ContactItem['memberships'],
): ContactItem {
  return { externalId: id, name: email, fullName: '', tags: [], metadata: {}, status: 'active', memberships };
}

async function readTemplates(reader: VendorReader, cursor: string | null): Promise<VendorPage<'templates'>> {
  const page = await reader.json(after('/templates', cursor, SINGLE_PAGE), TEMPLATES);
  const items: TemplateItem[] = [];
  const unread: LeftOut[] = [];
  for (const { id } of page.data) {
    const one = await reader.json(`/templates/${encodeURIComponent(id)}`, TEMPLATE);
    const fallbacks = new Map(
      (one.variables ?? []).flatMap(({ key, fallback_value: value }): [string, string][] =>
        typeof value === 'string' || typeof value === 'number' ? [[key, plainValue(String(value))]] : [],
      ),
    );
    const parts = [one.subject, one.html, one.text].map((part) =>
      translateResendTemplate(part ?? '', fallbacks),
    );
    const problems = parts.flatMap((part) => part.problems);
    const item = { externalId: id, name: one.name };
    if (problems.length > 0) unread.push({ ...item, problems });
    else {
      const [subject, html, plain] = parts.map((part) => filled(part.text));
      items.push({
        ...item,
        slug: filled(one.alias),
        subject: subject ?? null,
        html: html ?? null,
        text: plain ?? null,
      });
    }
  }
  return { items, leftOut: unread, next: nextOf(page, SINGLE_PAGE) };
}

async function readDomains(reader: VendorReader, cursor: string | null): Promise<VendorPage<'domains'>> {
  const page = await reader.json(after('/domains', cursor), DOMAINS);
  const items = page.data.map(({ id, name }) => ({ externalId: id, name }));
  return { items, leftOut: [], next: nextOf(page) };
}

async function readWebhooks(reader: VendorReader, cursor: string | null): Promise<VendorPage<'webhooks'>> {
  const page = await reader.json(after('/webhooks', cursor), WEBHOOKS);
  const items: WebhookItem[] = [];
  const unread: LeftOut[] = [];
  for (const { id, endpoint, events, status } of page.data) {
    const item = { externalId: id, name: endpoint };
    const known = (events ?? []).flatMap((name) => EVENTS[name] ?? []);
    if (status !== 'enabled') {
      unread.push({ ...item, problems: [{ line: null, problem: 'The webhook is disabled.' }] });
    } else if (events !== null && known.length === 0) {
      const problem = 'Mailkeel has no equivalent of the events of the webhook.';
      unread.push({ ...item, problems: [{ line: null, problem }] });
    } else {
      items.push({ ...item, format: 'resend', events: events === null ? null : known });
    }
  }
  return { items, leftOut: unread, next: nextOf(page) };
}

async function readBroadcasts(reader: VendorReader, cursor: string | null): Promise<VendorPage<'campaigns'>> {
  const page = await reader.json(after('/broadcasts', cursor, SINGLE_PAGE), BROADCASTS);
  const items: CampaignItem[] = [];
  const unread: LeftOut[] = [];
  for (const { id, name, status, scheduled_at: scheduledAt } of page.data) {
    const item = { externalId: id, name: name ?? '' };
    const isUnsent = status === 'draft' || (status !== 'sent' && filled(scheduledAt) !== null);
    if (!isUnsent) unread.push(leftOut(item, 'The broadcast was sent.'));
    else {
      const one = await reader.json(`/broadcasts/${encodeURIComponent(id)}`, ONE_BROADCAST);
      const read = broadcastOf(item, one);
      if ('problems' in read) unread.push(read);
      else items.push(read);
    }
  }
  return { items, leftOut: unread, next: nextOf(page, SINGLE_PAGE) };
}

const NO_FALLBACKS = new Map<string, string>();

function broadcastOf(
  item: { externalId: string; name: string },
  one: Static<typeof WHOLE_BROADCAST>,
): CampaignItem | LeftOut {
  const parts = [one.subject, one.html, one.text].map((part) =>
    translateResendTemplate(part ?? '', NO_FALLBACKS),
  );
  const problems = parts.flatMap((part) => part.problems);
  if (problems.length > 0) return { ...item, problems };
  const [subject = null, html = null, plain = null] = parts.map((part) => filled(part.text));
  const replyTo = typeof one.reply_to === 'string' ? [one.reply_to] : (one.reply_to ?? []);
  const hasContent = html !== null || plain !== null;
  return {
    ...item,
    body: {
      name: item.name,
      list_id: filled(one.segment_id) ?? filled(one.audience_id),
      from: filled(one.from),
      reply_to: filled(replyTo[0]),
      subject: hasContent ? null : subject,
    },
    ...(hasContent ? { content: { subject, html, text: plain } } : {}),
    notes: [
      ...(one.status === 'draft' ? [] : [WAS_SCHEDULED]),
      ...(replyTo.length > 1 ? ['Only the first Reply-To address of the broadcast was imported.'] : []),
      ...(filled(one.preview_text) === null ? [] : ['The preview text of the broadcast was not imported.']),
      ...(filled(one.topic_id) === null ? [] : ['The topic of the broadcast was not imported.']),
    ],
  };
}
