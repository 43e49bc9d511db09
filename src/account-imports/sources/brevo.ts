// Brevo, read with an API key. Pages are in the order of creation, so that objects which are added meanwhile come last.
import { Type } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { mapColumns } from '../../imports/contact-columns.js';
import { translateBrevoTemplate } from '../dialects/brevo-templates.rules.js';
import {
  leftOut,
  type ContactItem,
  type DomainItem,
  type LeftOut,
  type SuppressionItem,
  type TemplateItem,
  type VendorPage,
  type WebhookItem,
} from '../items.rules.js';
import { filled } from '../values.rules.js';
import { fieldProblems, headerValue } from './connection.rules.js';
import type { ApiSource } from './source.js';
import { shapeOf, type VendorReader } from './vendor-reader.js';

/** Objects of a page, up to Brevo's limits. Templates come with their content. */
const PAGE = { contacts: 500, lists: 50, blocked: 100, templates: 20 } as const;

const BLOCKED = shapeOf(
  Type.Object({
    contacts: Type.Optional(
      Type.Array(
        Type.Object({
          email: Type.String(),
          reason: Type.Object({ code: Type.Optional(Type.String()) }),
        }),
      ),
    ),
  }),
);
const LISTS = shapeOf(
  Type.Object({
    lists: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }))),
  }),
);
const listIds = Type.Optional(Type.Union([Type.Array(Type.Integer()), Type.Null()]));
const CONTACTS = shapeOf(
  Type.Object({
    contacts: Type.Array(
      Type.Object({
        id: Type.Integer(),
        email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        emailBlacklisted: Type.Boolean(),
        listIds,
        listUnsubscribed: listIds,
        attributes: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
  }),
);
const TEMPLATES = shapeOf(
  Type.Object({
    templates: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          subject: Type.String(),
          isActive: Type.Boolean(),
          htmlContent: Type.String(),
        }),
      ),
    ),
  }),
);
const DOMAINS = shapeOf(
  Type.Object({
    domains: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), domain_name: Type.String() }))),
  }),
);
const SENDERS = shapeOf(
  Type.Object({
    senders: Type.Optional(
      Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), email: Type.String() })),
    ),
  }),
);
const WEBHOOKS = shapeOf(
  Type.Object({
    webhooks: Type.Array(
      Type.Object({ id: Type.Integer(), url: Type.String(), events: Type.Array(Type.String()) }),
    ),
  }),
);

export const BREVO: ApiSource = {
  problems: (connection) => fieldProblems(connection, ['api_key']),
  base: () => 'https://api.brevo.com/v3',
  headers: ({ api_key: key }) => ({ 'api-key': headerValue(key) }),
  isPaced: true,
  pages: {
    suppressions: readBlocked,
    lists: readLists,
    contacts: readContacts,
    templates: readTemplates,
    domains: readSenders,
    webhooks: readWebhooks,
  },
};

function queryOf(cursor: string | null, limit: number): string {
  return `?limit=${limit}&offset=${cursor ?? 0}&sort=asc`;
}

function nextOf(cursor: string | null, found: number, limit: number): string | null {
  return found < limit ? null : String(Number(cursor ?? 0) + limit);
}

const REASONS: Readonly<Record<string, SuppressionItem['reason']>> = {
  hardBounce: 'bounce',
  contactFlaggedAsSpam: 'complaint',
  adminBlocked: 'manual',
};

/** Everything else is a way to unsubscribe. */
async function readBlocked(reader: VendorReader, cursor: string | null): Promise<VendorPage<'suppressions'>> {
  const path = `/smtp/blockedContacts${queryOf(cursor, PAGE.blocked)}`;
  const { contacts = [] } = await reader.json(path, BLOCKED);
  const items = contacts.map(({ email, reason: { code = '' } }): SuppressionItem => ({
    ...{ externalId: email, name: email },
    reason: REASONS[code] ?? 'unsubscribe',
  }));
  return { items, leftOut: [], next: nextOf(cursor, contacts.length, PAGE.blocked) };
}

async function readLists(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const { lists = [] } = await reader.json(`/contacts/lists${queryOf(cursor, PAGE.lists)}`, LISTS);
  const items = lists.map(({ id, name }) => ({
    ...{ externalId: String(id), name, description: null, doubleOptIn: false },
  }));
  return { items, leftOut: [], next: nextOf(cursor, lists.length, PAGE.lists) };
}

async function readContacts(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  const { contacts } = await reader.json(`/contacts${queryOf(cursor, PAGE.contacts)}`, CONTACTS);
  const items: ContactItem[] = [];
  const unread: LeftOut[] = [];
  for (const {
    id,
    email,
    emailBlacklisted,
    listIds: joined,
    listUnsubscribed: left,
    attributes,
  } of contacts) {
    const address = filled(email);
    if (address === null) {
      const item = { externalId: String(id), name: String(id) };
      unread.push(leftOut(item, 'The contact has no email address.'));
      continue;
    }
    const memberships = [
      ...(joined ?? []).map((list) => ({ listId: String(list), state: 'subscribed' as const })),
      ...(left ?? []).map((list) => ({ listId: String(list), state: 'unsubscribed' as const })),
    ];
    items.push({
      ...{ externalId: String(id), name: address, tags: [], memberships, ...fieldsOf(attributes) },
      status: emailBlacklisted ? 'unsubscribed' : 'active',
    });
  }
  return { items, leftOut: unread, next: nextOf(cursor, contacts.length, PAGE.contacts) };
}

/** Attributes of a person by their meaning. Their names depend on the language of the account. */
function fieldsOf(
  attributes: Readonly<Record<string, unknown>>,
): Pick<ContactItem, 'fullName' | 'phone' | 'metadata'> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== null && value !== '');
  const columns = mapColumns(
    entries.map(([name]) => name),
    {},
  );
  const texts = new Map<string, string>();
  const metadata: Record<string, unknown> = {};
  for (const [i, [name, value]] of entries.entries()) {
    const column = columns[i] ?? null;
    const field = column !== null && 'field' in column ? column.field : '';
    if (typeof value === 'string' && PERSONAL.has(field)) texts.set(field, value);
    else metadata[name] = value;
  }
  const fullName = `${texts.get('first_name') ?? ''} ${texts.get('last_name') ?? ''}`.trim();
  const phone = texts.get('phone');
  return {
    fullName: texts.get('name') ?? fullName,
    ...(phone === undefined ? {} : { phone }),
    metadata,
  };
}

const PERSONAL: ReadonlySet<string> = new Set(['email', 'name', 'first_name', 'last_name', 'phone']);

async function readTemplates(reader: VendorReader, cursor: string | null): Promise<VendorPage<'templates'>> {
  const { templates = [] } = await reader.json(
    `/smtp/templates${queryOf(cursor, PAGE.templates)}`,
    TEMPLATES,
  );
  const read = templates.map((one): TemplateItem | LeftOut => {
    const item = { externalId: String(one.id), name: one.name };
    if (!one.isActive) return leftOut(item, 'The template is not active.');
    const [subject, html] = [translateBrevoTemplate(one.subject), translateBrevoTemplate(one.htmlContent)];
    const problems = [...subject.problems, ...html.problems];
    if (problems.length > 0) return { ...item, problems };
    return { ...item, slug: null, subject: filled(subject.text), html: filled(html.text), text: null };
  });
  return {
    items: read.filter((one): one is TemplateItem => !('problems' in one)),
    leftOut: read.filter((one): one is LeftOut => 'problems' in one),
    next: nextOf(cursor, templates.length, PAGE.templates),
  };
}

/** Domains, then the addresses of senders. */
async function readSenders(reader: VendorReader, cursor: string | null): Promise<VendorPage<'domains'>> {
  if (cursor === null) {
    const { domains = [] } = await reader.json('/senders/domains', DOMAINS);
    const items = domains.map(({ id, domain_name: name }): DomainItem => ({
      externalId: `domain ${id}`,
      name,
    }));
    return { items, leftOut: [], next: 'senders' };
  }
  const { senders = [] } = await reader.json('/senders', SENDERS);
  const items = senders.map(({ id, name, email }): DomainItem => ({
    ...{ externalId: `sender ${id}`, name: email },
    address: { displayName: filled(name) },
  }));
  return { items, leftOut: [], next: null };
}

const EVENTS: Readonly<Record<string, WebhookEvent>> = {
  sent: 'message.sent',
  request: 'message.sent',
  delivered: 'message.delivered',
  deferred: 'message.deferred',
  softBounce: 'message.deferred',
  hardBounce: 'message.bounced',
  blocked: 'message.suppressed',
  invalid: 'message.failed',
  error: 'message.failed',
  spam: 'message.complained',
  opened: 'message.opened',
  uniqueOpened: 'message.opened',
  click: 'message.clicked',
  unsubscribed: 'message.unsubscribed',
};
const TYPES = ['transactional', 'marketing'] as const;

/** Brevo's own format is not available, so receivers have to be changed. */
async function readWebhooks(reader: VendorReader, cursor: string | null): Promise<VendorPage<'webhooks'>> {
  const type = cursor ?? TYPES[0];
  const { webhooks } = await reader.json(`/webhooks?type=${type}&sort=asc`, WEBHOOKS);
  const items: WebhookItem[] = [];
  const unread: LeftOut[] = [];
  for (const { id, url, events: names } of webhooks) {
    const item = { externalId: String(id), name: url };
    const events = [...new Set(names.flatMap((name) => EVENTS[name] ?? []))];
    if (events.length === 0) {
      unread.push(leftOut(item, 'Mailkeel has no equivalent of the events of the webhook.'));
    } else items.push({ ...item, events, format: 'service', isDisabled: true });
  }
  return { items, leftOut: unread, next: type === TYPES[0] ? TYPES[1] : null };
}
