// Mailgun, read with an API key. Suppressions, templates and webhooks belong to domains, which are read one after the other.
import { Type, type Static } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { translateMailgunTemplate } from '../dialects/mailgun-templates.rules.js';
import {
  leftOut,
  type ContactItem,
  type LeftOut,
  type SuppressionItem,
  type TemplateItem,
  type VendorPage,
  type WebhookItem,
} from '../items.rules.js';
import type { ImportKind } from '../kinds.rules.js';
import { filled } from '../values.rules.js';
import { fieldProblems, headerValue } from './connection.rules.js';
import type { ApiSource } from './source.js';
import { shapeOf, VendorProblem, type VendorReader } from './vendor-reader.js';

const PAGE = 100;
const SUPPRESSION_PAGE = 1_000;

const PAGING = Type.Optional(Type.Object({ next: Type.Optional(Type.String()) }));
const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const DOMAINS = shapeOf(
  Type.Object({
    total_count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        id: Type.Optional(Type.String()),
        name: Type.String(),
        type: Type.Optional(Type.String()),
      }),
    ),
  }),
);
const ADDRESSES = shapeOf(
  Type.Object({
    items: Type.Array(
      Type.Object({ address: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
    ),
    paging: PAGING,
  }),
);
const LISTS = shapeOf(
  Type.Object({
    items: Type.Array(Type.Object({ address: Type.String(), name: optionalText, description: optionalText })),
    paging: PAGING,
  }),
);
const MEMBERS = shapeOf(
  Type.Object({
    items: Type.Array(
      Type.Object({
        address: Type.String(),
        name: optionalText,
        vars: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
        subscribed: Type.Boolean(),
      }),
    ),
    paging: PAGING,
  }),
);
const TEMPLATES = shapeOf(
  Type.Object({
    items: Type.Union([Type.Array(Type.Object({ name: Type.String() })), Type.Null()]),
    paging: PAGING,
  }),
);
const VERSION = Type.Object({
  template: optionalText,
  engine: optionalText,
  headers: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
});
const TEMPLATE = shapeOf(
  Type.Object({ template: Type.Object({ version: Type.Optional(Type.Union([VERSION, Type.Null()])) }) }),
);
const WEBHOOKS = shapeOf(
  Type.Object({
    webhooks: Type.Record(
      Type.String(),
      Type.Union([
        Type.Object({ urls: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])) }),
        Type.Null(),
      ]),
    ),
  }),
);

export const MAILGUN: ApiSource = {
  problems: (connection) => fieldProblems(connection, ['api_key'], ['region']),
  base: ({ region }) => (region === 'eu' ? 'https://api.eu.mailgun.net' : 'https://api.mailgun.net'),
  headers: ({ api_key: key }) => ({
    authorization: `Basic ${Buffer.from(`api:${headerValue(key)}`).toString('base64')}`,
  }),
  isPaced: false,
  pages: {
    suppressions: (reader, cursor) => readDomainByDomain(reader, cursor, SUPPRESSED.length, readSuppressions),
    lists: readLists,
    contacts: readMembers,
    templates: (reader, cursor) => readDomainByDomain(reader, cursor, 1, readTemplates),
    domains: readDomains,
    webhooks: (reader, cursor) => readDomainByDomain(reader, cursor, 1, readWebhooks),
  },
};

/** A place in what belongs to domains. Written to the cursor as JSON. */
interface PlaceInDomain {
  /** Position of the domain by name. */
  skip: number;
  domain: string;
  /** Index of the list within the domain. */
  part: number;
  /** The page within it; null for the first one. */
  path: string | null;
}

type Read<K extends ImportKind> = (reader: VendorReader, place: PlaceInDomain) => Promise<VendorPage<K>>;

async function readDomainByDomain<K extends ImportKind>(
  reader: VendorReader,
  cursor: string | null,
  parts: number,
  read: Read<K>,
): Promise<VendorPage<K>> {
  const place = cursor === null ? await domainAt(reader, 0) : (JSON.parse(cursor) as PlaceInDomain); // as written below
  if (place === null) return { items: [], leftOut: [], next: null };
  const page = await read(reader, place);
  const next =
    page.next !== null
      ? { ...place, path: page.next }
      : place.part + 1 < parts
        ? { ...place, part: place.part + 1, path: null }
        : await domainAt(reader, place.skip + 1);
  return { ...page, next: next === null ? null : JSON.stringify(next) };
}

async function domainAt(reader: VendorReader, skip: number): Promise<PlaceInDomain | null> {
  const { items } = await reader.json(`/v4/domains?limit=1&skip=${skip}&sort=name`, DOMAINS);
  const [domain] = items;
  return domain === undefined ? null : { skip, domain: domain.name, part: 0, path: null };
}

/** The path of the next page, from its address; null after the last page, which is not full. */
function nextPath(
  { items, paging }: { items: readonly unknown[]; paging?: Static<typeof PAGING> },
  limit: number,
): string | null {
  if (items.length < limit) return null;
  const next = paging?.next ?? '';
  if (!URL.canParse(next))
    throw new VendorProblem('form', 'Mailgun returned a page without a link to the next page.');
  const { pathname, search } = new URL(next);
  return pathname + search;
}

const SUPPRESSED = [
  { list: 'bounces', reason: 'bounce' },
  { list: 'complaints', reason: 'complaint' },
  { list: 'unsubscribes', reason: 'unsubscribe' },
] as const;

async function readSuppressions(
  reader: VendorReader,
  { domain, part, path }: PlaceInDomain,
): Promise<VendorPage<'suppressions'>> {
  const { list, reason } = SUPPRESSED[part] ?? SUPPRESSED[0];
  const first = `/v3/${encodeURIComponent(domain)}/${list}?limit=${SUPPRESSION_PAGE}`;
  const found = await reader.json(path ?? first, ADDRESSES);
  const items: SuppressionItem[] = [];
  const unread: LeftOut[] = [];
  for (const { address, tags = [] } of found.items) {
    const item = { externalId: `${domain}/${address}`, name: address };
    if (tags.length === 0 || tags.includes('*')) items.push({ ...item, reason });
    else
      unread.push(
        leftOut(item, 'The recipient unsubscribed from single tags. Use a list as the topic of such mail.'),
      );
  }
  return { items, leftOut: unread, next: nextPath(found, SUPPRESSION_PAGE) };
}

async function readLists(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const found = await reader.json(cursor ?? `/v3/lists/pages?limit=${PAGE}`, LISTS);
  const items = found.items.map(({ address, name, description }) => ({
    externalId: address,
    name: filled(name) ?? address,
    description: filled(description),
    doubleOptIn: false,
  }));
  return { items, leftOut: [], next: nextPath(found, PAGE) };
}

/** A place in the members of lists. Written to the cursor as JSON. */
interface PlaceInList {
  list: string;
  /** The path of the page with the list after this one. */
  following: string | null;
  path: string | null;
}

async function readMembers(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  const place =
    cursor === null ? await listAt(reader, '/v3/lists/pages?limit=1') : (JSON.parse(cursor) as PlaceInList); // as written below
  if (place === null) return { items: [], leftOut: [], next: null };
  const { list, path, following } = place;
  const found = await reader.json(
    path ?? `/v3/lists/${encodeURIComponent(list)}/members/pages?limit=${PAGE}`,
    MEMBERS,
  );
  const items = found.items.map(({ address, name, vars, subscribed }): ContactItem => ({
    ...{ externalId: address, name: address, fullName: name ?? '', tags: [] },
    metadata: vars ?? {},
    status: 'active',
    memberships: [{ listId: list, state: subscribed ? 'subscribed' : 'unsubscribed' }],
  }));
  const more = nextPath(found, PAGE);
  const next =
    more !== null ? { ...place, path: more } : following === null ? null : await listAt(reader, following);
  return { items, leftOut: [], next: next === null ? null : JSON.stringify(next) };
}

async function listAt(reader: VendorReader, path: string): Promise<PlaceInList | null> {
  const found = await reader.json(path, LISTS);
  const [list] = found.items;
  return list === undefined ? null : { list: list.address, following: nextPath(found, 1), path: null };
}

async function readTemplates(
  reader: VendorReader,
  { domain, path }: PlaceInDomain,
): Promise<VendorPage<'templates'>> {
  const base = `/v3/${encodeURIComponent(domain)}/templates`;
  const { items: names, paging } = await reader.json(path ?? `${base}?limit=${PAGE}`, TEMPLATES);
  const items: TemplateItem[] = [];
  const unread: LeftOut[] = [];
  for (const { name } of names ?? []) {
    const item = { externalId: `${domain}/${name}`, name };
    const { template } = await reader.json(`${base}/${encodeURIComponent(name)}?active=yes`, TEMPLATE);
    const read = readVersion(template.version ?? null);
    if ('problems' in read) unread.push({ ...item, problems: read.problems });
    else items.push({ ...item, slug: name, ...read });
  }
  return {
    items,
    leftOut: unread,
    next: nextPath({ items: names ?? [], ...(paging === undefined ? {} : { paging }) }, PAGE),
  };
}

function readVersion(
  version: Static<typeof VERSION> | null,
): Pick<TemplateItem, 'subject' | 'html' | 'text'> | Pick<LeftOut, 'problems'> {
  const html = filled(version?.template);
  if (html === null) return { problems: [{ line: null, problem: 'The template has no active version.' }] };
  if (version?.engine === 'go') {
    return { problems: [{ line: null, problem: "Mailgun's Go templates cannot be translated." }] };
  }
  const subject = version?.headers?.['Subject'];
  const parts = [typeof subject === 'string' ? subject : '', html].map(translateMailgunTemplate);
  const problems = parts.flatMap((part) => part.problems);
  if (problems.length > 0) return { problems };
  return { subject: filled(parts[0]?.text), html: filled(parts[1]?.text), text: null };
}

async function readDomains(reader: VendorReader, cursor: string | null): Promise<VendorPage<'domains'>> {
  const skip = Number(cursor ?? 0);
  const found = await reader.json(`/v4/domains?limit=${PAGE}&skip=${skip}&sort=name`, DOMAINS);
  const named = found.items.map((one) => ({ ...one, externalId: one.name }));
  const isSandbox = ({ type }: { type?: string }): boolean => type === 'sandbox';
  return {
    items: named.filter((one) => !isSandbox(one)).map(({ externalId, name }) => ({ externalId, name })),
    leftOut: named.filter(isSandbox).map((one) => leftOut(one, 'The sandbox domain belongs to Mailgun.')),
    next: found.items.length < PAGE ? null : String(skip + PAGE),
  };
}

const EVENTS: Readonly<Record<string, readonly WebhookEvent[]>> = {
  accepted: ['message.sent'],
  delivered: ['message.delivered'],
  opened: ['message.opened'],
  clicked: ['message.clicked'],
  unsubscribed: ['message.unsubscribed'],
  complained: ['message.complained'],
  temporary_fail: ['message.deferred'],
  permanent_fail: ['message.bounced', 'message.failed', 'message.suppressed'],
};

/** One webhook for each URL, with all of its events. A URL of several domains is one webhook. */
async function readWebhooks(
  reader: VendorReader,
  { domain }: PlaceInDomain,
): Promise<VendorPage<'webhooks'>> {
  const { webhooks } = await reader.json(`/v3/domains/${encodeURIComponent(domain)}/webhooks`, WEBHOOKS);
  const events = new Map<string, WebhookEvent[]>();
  for (const [name, found] of Object.entries(webhooks)) {
    for (const url of found?.urls ?? [])
      events.set(url, [...(events.get(url) ?? []), ...(EVENTS[name] ?? [])]);
  }
  const items = [...events].map(([url, names]): WebhookItem => ({
    ...{ externalId: url, name: url, format: 'mailgun', events: names },
  }));
  return {
    items: items.filter((item) => item.events?.length !== 0),
    leftOut: items
      .filter((item) => item.events?.length === 0)
      .map((item) => leftOut(item, 'Mailkeel has no equivalent of the events of the webhook.')),
    next: null,
  };
}
