// SendGrid, read with an API key. Contacts are in files that SendGrid exports on request: one with all contacts, and one per list,
// because the files do not name the lists.
import { Type } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { translateSendgridTemplate } from '../dialects/sendgrid-templates.rules.js';
import {
  leftOut,
  type LeftOut,
  type TemplateItem,
  type VendorPage,
  type WebhookItem,
} from '../items.rules.js';
import { filled } from '../values.rules.js';
import { fieldProblems, headerValue } from './connection.rules.js';
import { readExports } from './sendgrid-contacts.js';
import type { ApiSource } from './source.js';
import { shapeOf, type VendorReader } from './vendor-reader.js';

const PAGE = 500;
const TEMPLATE_PAGE = 50;
const LIST_PAGE = 1_000;

const ADDRESSES = shapeOf(Type.Array(Type.Object({ email: Type.String() })));
const METADATA = Type.Optional(Type.Object({ next: Type.Optional(Type.String()) }));
const LISTS = shapeOf(
  Type.Object({
    result: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    _metadata: METADATA,
  }),
);
const GROUPS = shapeOf(
  Type.Array(
    Type.Object({ id: Type.Integer(), name: Type.String(), description: Type.Optional(Type.String()) }),
  ),
);
const GROUP_MEMBERS = shapeOf(Type.Array(Type.Object({ email: Type.String(), group_id: Type.Integer() })));
const SEGMENTS = shapeOf(
  Type.Object({ contacts: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })) }),
);
const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const VERSION = Type.Object({
  active: Type.Optional(Type.Integer()),
  subject: optionalText,
  html_content: optionalText,
  plain_content: optionalText,
});
const TEMPLATES = shapeOf(
  Type.Object({
    result: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), generation: Type.String() })),
    _metadata: METADATA,
  }),
);
const TEMPLATE = shapeOf(Type.Object({ versions: Type.Optional(Type.Array(VERSION)) }));
const DOMAINS = shapeOf(Type.Array(Type.Object({ id: Type.Integer(), domain: Type.String() })));
const SWITCH = Type.Optional(Type.Boolean());
const WEBHOOKS = shapeOf(
  Type.Object({
    webhooks: Type.Array(
      Type.Object({
        id: Type.String(),
        enabled: Type.Boolean(),
        url: Type.String(),
        processed: SWITCH,
        delivered: SWITCH,
        deferred: SWITCH,
        bounce: SWITCH,
        spam_report: SWITCH,
        open: SWITCH,
        click: SWITCH,
        dropped: SWITCH,
        unsubscribe: SWITCH,
      }),
    ),
  }),
);

export const SENDGRID: ApiSource = {
  problems: (connection) => fieldProblems(connection, ['api_key'], ['region']),
  base: ({ region }) => (region === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com'),
  headers: ({ api_key: key }) => ({ authorization: `Bearer ${headerValue(key)}` }),
  isPaced: false,
  pages: {
    suppressions: readSuppressions,
    lists: readLists,
    contacts: readContacts,
    templates: readTemplates,
    domains: readDomains,
    webhooks: readWebhooks,
  },
};

/** Lists of addresses, one after the other. Blocks are missing because SendGrid sends to blocked addresses again. */
const SUPPRESSED = [
  { path: 'bounces', reason: 'bounce' },
  { path: 'invalid_emails', reason: 'bounce' },
  { path: 'spam_reports', reason: 'complaint' },
  { path: 'unsubscribes', reason: 'unsubscribe' },
] as const;

/** The cursor is the number of the list and the offset in it. */
async function readSuppressions(
  reader: VendorReader,
  cursor: string | null,
): Promise<VendorPage<'suppressions'>> {
  const [number = 0, offset = 0] = (cursor ?? '0 0').split(' ').map(Number);
  const list = SUPPRESSED[number];
  if (!list) return { items: [], leftOut: [], next: null };
  const found = await reader.json(`/v3/suppression/${list.path}?limit=${PAGE}&offset=${offset}`, ADDRESSES);
  const items = found.map(({ email }) => ({ externalId: email, name: email, reason: list.reason }));
  const isLast = found.length < PAGE;
  const next = isLast ? `${number + 1} 0` : `${number} ${offset + PAGE}`;
  return { items, leftOut: [], next: isLast && number + 1 === SUPPRESSED.length ? null : next };
}

const GROUP_ID = 'unsubscribe_group:';

/** Contact lists, then a list for each unsubscribe group, which remembers who left it. Segments are queries. */
async function readLists(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  if (cursor === 'groups') {
    const groups = await reader.json('/v3/asm/groups', GROUPS);
    const items = groups.map(({ id, name, description }) => ({
      externalId: `${GROUP_ID}${id}`,
      name,
      description: filled(description),
      doubleOptIn: false,
    }));
    return { items, leftOut: [], next: 'segments' };
  }
  if (cursor === 'segments') {
    const { contacts } = await reader.json('/v3/marketing/segments/2.0', SEGMENTS);
    const queries = contacts.map(({ id, name }) =>
      leftOut({ externalId: id, name }, 'The segment is a SendGrid query. Create a segment with a filter.'),
    );
    return { items: [], leftOut: queries, next: null };
  }
  const page = await pageOfLists(reader, cursor);
  const items = page.result.map(({ id, name }) => ({
    externalId: id,
    name,
    description: null,
    doubleOptIn: false,
  }));
  return { items, leftOut: [], next: page.next ?? 'groups' };
}

async function pageOfLists(reader: VendorReader, token: string | null) {
  const place = token === null ? '' : `&page_token=${encodeURIComponent(token)}`;
  const { result, _metadata: more } = await reader.json(
    `/v3/marketing/lists?page_size=${LIST_PAGE}${place}`,
    LISTS,
  );
  return { result, next: tokenOf(more?.next) };
}

/** The token in the address of the next page. */
function tokenOf(next: string | undefined): string | null {
  if (next === undefined || !URL.canParse(next)) return null;
  return new URL(next).searchParams.get('page_token');
}

async function readContacts(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  if (cursor === 'groups') return readGroupMembers(reader);
  const page = await readExports(reader, cursor, () => idsOfLists(reader));
  return { ...page, next: page.next ?? 'groups' };
}

async function idsOfLists(reader: VendorReader): Promise<string[]> {
  const ids: string[] = [];
  let token: string | null = null;
  do {
    const page: { result: { id: string }[]; next: string | null } = await pageOfLists(reader, token);
    ids.push(...page.result.map(({ id }) => id));
    token = page.next;
  } while (token !== null);
  return ids;
}

/** Addresses that left an unsubscribe group. They need not be contacts. */
async function readGroupMembers(reader: VendorReader): Promise<VendorPage<'contacts'>> {
  const found = await reader.json('/v3/asm/suppressions', GROUP_MEMBERS);
  const items = found.map(({ email, group_id: group }) => ({
    externalId: email,
    name: email,
    fullName: '',
    tags: [],
    metadata: {},
    status: 'active' as const,
    memberships: [{ listId: `${GROUP_ID}${group}`, state: 'unsubscribed' as const }],
    isMembership: true,
  }));
  return { items, leftOut: [], next: null };
}

async function readTemplates(reader: VendorReader, cursor: string | null): Promise<VendorPage<'templates'>> {
  const place = cursor === null ? '' : `&page_token=${encodeURIComponent(cursor)}`;
  const { result, _metadata: more } = await reader.json(
    `/v3/templates?generations=legacy,dynamic&page_size=${TEMPLATE_PAGE}${place}`,
    TEMPLATES,
  );
  const items: TemplateItem[] = [];
  const unread: LeftOut[] = [];
  for (const { id, name, generation } of result) {
    const item = { externalId: id, name };
    if (generation !== 'dynamic') {
      unread.push(leftOut(item, 'Legacy templates get their substitutions from each message.'));
      continue;
    }
    const { versions = [] } = await reader.json(`/v3/templates/${encodeURIComponent(id)}`, TEMPLATE);
    const active = versions.find((version) => version.active === 1);
    if (!active) {
      unread.push(leftOut(item, 'The template has no active version.'));
      continue;
    }
    const parts = [active.subject, active.html_content, active.plain_content].map((part) =>
      translateSendgridTemplate(part ?? ''),
    );
    const problems = parts.flatMap((part) => part.problems);
    const [subject = null, html = null, text = null] = parts.map((part) => filled(part.text));
    if (problems.length > 0) unread.push({ ...item, problems });
    else items.push({ ...item, slug: null, subject, html, text });
  }
  return { items, leftOut: unread, next: tokenOf(more?.next) };
}

async function readDomains(reader: VendorReader, cursor: string | null): Promise<VendorPage<'domains'>> {
  const offset = cursor === null ? 0 : Number(cursor);
  const found = await reader.json(`/v3/whitelabel/domains?limit=${PAGE}&offset=${offset}`, DOMAINS);
  const items = found.map(({ id, domain }) => ({ externalId: String(id), name: domain }));
  return { items, leftOut: [], next: found.length < PAGE ? null : String(offset + PAGE) };
}

const EVENTS = [
  ['processed', 'message.sent'],
  ['delivered', 'message.delivered'],
  ['deferred', 'message.deferred'],
  ['bounce', 'message.bounced'],
  ['spam_report', 'message.complained'],
  ['open', 'message.opened'],
  ['click', 'message.clicked'],
  ['dropped', 'message.failed'],
  ['dropped', 'message.suppressed'],
  ['unsubscribe', 'message.unsubscribed'],
] as const satisfies (readonly [string, WebhookEvent])[];

async function readWebhooks(reader: VendorReader): Promise<VendorPage<'webhooks'>> {
  const { webhooks } = await reader.json('/v3/user/webhooks/event/settings/all', WEBHOOKS);
  const items: WebhookItem[] = [];
  const unread: LeftOut[] = [];
  for (const webhook of webhooks) {
    const item = { externalId: webhook.id, name: webhook.url };
    const events = EVENTS.flatMap(([name, event]) => (webhook[name] === true ? [event] : []));
    if (!webhook.enabled) unread.push(leftOut(item, 'The webhook is disabled.'));
    else if (events.length === 0) {
      unread.push(leftOut(item, 'Mailkeel has no equivalent of the events of the webhook.'));
    } else items.push({ ...item, format: 'sendgrid', events });
  }
  return { items, leftOut: unread, next: null };
}
