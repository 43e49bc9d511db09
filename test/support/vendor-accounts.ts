// Accounts at other vendors for tests: an HTTP server that responds as their public API descriptions say.
import { gzipSync } from 'node:zlib';
import {
  type HttpReceiver,
  type ReceivedRequest,
  type ScriptedReply,
  startHttpReceiver,
} from './http-receiver.js';

export const API_KEY = 'vk_k3y';
/** An access key of AWS. */
export const ACCESS_KEY = {
  ...{ access_key_id: 'AKIAEXAMPLE', secret_access_key: 's3cr3t', aws_region: 'eu-west-1' },
};
export const API_USER = { user: 'mailkeel', token: 't0ken' };

export const json = (body: unknown, status = 200): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
export const NOT_FOUND = json({ message: 'not found' }, 404);

type Answer = (url: URL, request: ReceivedRequest) => ScriptedReply;

export interface VendorAccount {
  url: string;
  receiver: HttpReceiver;
  /** Requested paths, in order. */
  asked(): string[];
  /** Changes the response to the next requests for a path. Null restores it. */
  disturb(path: string, reply: ScriptedReply | null): void;
  close(): Promise<void>;
}

export async function startVendor(
  mayAnswer: (request: ReceivedRequest) => boolean,
  answer: Answer,
): Promise<VendorAccount> {
  const receiver = await startHttpReceiver();
  const disturbances = new Map<string, ScriptedReply>();
  receiver.setDefault((request) => {
    const url = new URL(request.url, 'http://vendor.example');
    const isFile = url.pathname.startsWith('/files/');
    if (!isFile && !mayAnswer(request)) return json({ message: 'unauthorized' }, 401);
    return (
      disturbances.get(url.pathname + url.search) ?? disturbances.get(url.pathname) ?? answer(url, request)
    );
  });
  const { origin: url } = new URL(receiver.url);
  return {
    url,
    receiver,
    asked: () => receiver.requests.map((request) => request.url),
    disturb: (path, reply) => {
      if (reply === null) disturbances.delete(path);
      else disturbances.set(path, reply);
    },
    close: () => receiver.close(),
  };
}

const hasKey = ({ headers }: ReceivedRequest): boolean => headers.authorization === `Bearer ${API_KEY}`;

interface ListmonkSubscriber {
  email: string;
  name: string;
  status?: string;
  attribs?: object;
  lists?: { uuid: string; subscription_status: string; optin?: string }[];
}

export interface ListmonkData {
  subscribers: ListmonkSubscriber[];
  bounces?: { email: string; type: string }[];
  lists?: { uuid: string; name: string; optin: string; description?: string }[];
  templates?: { name: string; type: string; subject?: string; body: string }[];
}

export function startListmonk(data: ListmonkData): Promise<VendorAccount> {
  const { subscribers, bounces = [], lists = [], templates = [] } = data;
  const page = (url: URL, rows: readonly object[]): ScriptedReply => {
    const [number, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('per_page'))];
    const results = rows.slice((number - 1) * size, number * size);
    return json({ data: { results, query: '', total: rows.length, per_page: size, page: number } });
  };
  const basic = Buffer.from(`${API_USER.user}:${API_USER.token}`).toString('base64');
  return startVendor(
    ({ headers }) => headers.authorization === `Basic ${basic}`,
    (url) => {
      switch (url.pathname) {
        case '/api/bounces':
          return page(
            url,
            bounces.map((one, i) => ({ id: i + 1, source: 'demo', meta: {}, ...one })),
          );
        case '/api/lists':
          return page(
            url,
            lists.map((one, i) => ({ id: i + 1, type: 'public', status: 'active', tags: [], ...one })),
          );
        case '/api/subscribers':
          return page(
            url,
            subscribers.map((one, i) => ({
              ...{ id: i + 1, uuid: `sub-${i + 1}`, attribs: {}, status: 'enabled', lists: [] },
              ...one,
            })),
          );
        case '/api/templates':
          return json({ data: templates.map((one, i) => ({ id: i + 1, is_default: false, ...one })) });
        default:
          return NOT_FOUND;
      }
    },
  );
}

export interface ResendData {
  contacts: { id: string; email: string; first_name?: string; unsubscribed?: boolean; properties?: object }[];
  suppressions?: { id: string; email: string; origin: string }[];
  /** IDs of the contacts by the ID of the segment. */
  segments?: Record<string, { name: string; members: string[] }>;
  hasProperties?: boolean;
  templates?: { id: string; name: string; [field: string]: unknown }[];
  domains?: { id: string; name: string }[];
  webhooks?: { id: string; endpoint: string; events: string[]; status: string }[];
  broadcasts?: { id: string; name: string; status: string; [field: string]: unknown }[];
}

export function startResend(data: ResendData): Promise<VendorAccount> {
  const { suppressions = [], segments = {}, templates = [], domains = [], webhooks = [] } = data;
  const { broadcasts = [] } = data;
  const contacts = data.contacts.map((one) => ({
    ...{ first_name: null, last_name: null, unsubscribed: false, created_at: '2026-01-06 23:47:56.678+00' },
    ...one,
  }));
  const list = (url: URL, rows: readonly { id: string }[]): ScriptedReply => {
    const [limit, after] = [Number(url.searchParams.get('limit') ?? 20), url.searchParams.get('after')];
    const start = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1;
    const some = rows.slice(start, start + limit);
    return json({ object: 'list', has_more: start + limit < rows.length, data: some });
  };
  const one = (rows: readonly { id: string }[], id: string): ScriptedReply => {
    const found = rows.find((row) => row.id === id);
    return found ? json(found) : NOT_FOUND;
  };
  return startVendor(hasKey, (url) => {
    const [, kind = '', id] = url.pathname.split('/');
    switch (kind) {
      case 'suppressions':
        return list(url, suppressions);
      case 'segments':
        return list(
          url,
          Object.entries(segments).map(([segment, { name }]) => ({ id: segment, name })),
        );
      case 'contact-properties':
        return list(url, data.hasProperties === true ? [{ id: 'prp_1' }] : []);
      case 'contacts': {
        if (id !== undefined) return one(contacts, id);
        // The list has no custom properties.
        const shown = contacts.map((contact) => ({ ...contact, properties: undefined }));
        const segment = segments[url.searchParams.get('segment_id') ?? ''];
        return list(url, segment ? shown.filter((contact) => segment.members.includes(contact.id)) : shown);
      }
      case 'templates':
        return id === undefined
          ? list(
              url,
              templates.map((template) => ({ id: template.id, name: template.name, status: 'published' })),
            )
          : one(templates, id);
      case 'domains':
        return list(url, domains);
      case 'webhooks':
        return list(url, webhooks);
      case 'broadcasts':
        return id === undefined
          ? list(
              url,
              broadcasts.map((one) => ({ scheduled_at: null, ...one, html: undefined, text: undefined })),
            )
          : one(broadcasts, id);
      default:
        return NOT_FOUND;
    }
  });
}

export interface SendgridData {
  contacts: { email: string; first?: string; city?: string; lists?: string[] }[];
  lists?: Record<string, string>;
  suppressed?: Partial<Record<'bounces' | 'invalid_emails' | 'spam_reports' | 'unsubscribes', string[]>>;
  groups?: { id: number; name: string; left: string[] }[];
  templates?: { id: string; name: string; generation: string; subject?: string; html?: string }[];
  domains?: string[];
  webhooks?: object[];
}

export async function startSendgrid(data: SendgridData): Promise<VendorAccount> {
  const { lists = {}, suppressed = {}, groups = [], templates = [], domains = [], webhooks = [] } = data;
  const exports: { list: string | null; looks: number }[] = [];
  const file = (list: string | null): Buffer => {
    const rows = data.contacts
      .filter((contact) => list === null || (contact.lists ?? []).includes(list))
      .map(({ email, first = '', city = '' }, i) => `"${email}","${first}","","${city}","c-${i}"`);
    return gzipSync(['"EMAIL","FIRST_NAME","LAST_NAME","CITY","CONTACT_ID"', ...rows, ''].join('\n'));
  };
  const vendor = await startVendor(hasKey, (url, { method, rawBody }) => {
    const path = url.pathname.replace('/v3', '');
    const [, list] = /^\/suppression\/(\w+)$/.exec(path) ?? [];
    if (list !== undefined) {
      const [limit, offset] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('offset'))];
      const all = suppressed[list as keyof typeof suppressed] ?? [];
      return json(all.slice(offset, offset + limit).map((email) => ({ created: 1, email })));
    }
    const [, number] = /^\/files\/(\d+)$/.exec(url.pathname) ?? [];
    if (number !== undefined) return { status: 200, body: file(exports[Number(number)]?.list ?? null) };
    const [, job] = /^\/marketing\/contacts\/exports\/(\d+)$/.exec(path) ?? [];
    if (job !== undefined) {
      const found = exports[Number(job)];
      if (!found) return NOT_FOUND;
      const isReady = found.looks++ > 0;
      return json({
        id: job,
        status: isReady ? 'ready' : 'pending',
        ...(isReady ? { urls: [`${vendor.url}/files/${job}`] } : {}),
      });
    }
    const [, template] = /^\/templates\/(.+)$/.exec(path) ?? [];
    if (template !== undefined) {
      const found = templates.find(({ id }) => id === template);
      const version = {
        active: 1,
        subject: found?.subject ?? '',
        html_content: found?.html ?? '',
        plain_content: '',
      };
      return found ? json({ ...found, versions: [version] }) : NOT_FOUND;
    }
    switch (`${method} ${path}`) {
      case 'POST /marketing/contacts/exports': {
        const { list_ids: [wanted = null] = [] } = JSON.parse(rawBody.toString()) as { list_ids?: string[] };
        exports.push({ list: wanted, looks: 0 });
        return json({ id: String(exports.length - 1) }, 202);
      }
      case 'GET /marketing/lists':
        return json({ result: Object.entries(lists).map(([id, name]) => ({ id, name })), _metadata: {} });
      case 'GET /asm/groups':
        return json(groups.map(({ id, name }) => ({ id, name, description: '', is_default: false })));
      case 'GET /asm/suppressions':
        return json(groups.flatMap(({ id, left }) => left.map((email) => ({ email, group_id: id }))));
      case 'GET /marketing/segments/2.0':
        return json({ contacts: [{ id: 'seg-1', name: 'Active people' }] });
      case 'GET /templates':
        return json({
          result: templates.map(({ id, name, generation }) => ({ id, name, generation, versions: [] })),
          _metadata: {},
        });
      case 'GET /whitelabel/domains':
        return json(domains.map((domain, i) => ({ id: i + 1, domain, valid: true })));
      case 'GET /user/webhooks/event/settings/all':
        return json({ max_allowed: 5, webhooks });
      default:
        return NOT_FOUND;
    }
  });
  return vendor;
}

export interface MailgunData {
  domains: {
    name: string;
    type?: string;
    bounces?: string[];
    complaints?: string[];
    unsubscribes?: { address: string; tags?: string[] }[];
    templates?: { name: string; engine?: string; subject?: string; html: string | null }[];
    webhooks?: Record<string, string[]>;
  }[];
  lists?: {
    address: string;
    name?: string;
    members: { address: string; name?: string; vars?: object; subscribed?: boolean }[];
  }[];
}

/** Pages after a key end with an empty page, as Mailgun's do. */
export async function startMailgun({ domains, lists = [] }: MailgunData): Promise<VendorAccount> {
  const basic = Buffer.from(`api:${API_KEY}`).toString('base64');
  const page = (url: URL, items: readonly object[]): ScriptedReply => {
    const [limit, from] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('pivot') ?? 0)];
    const next = `https://api.mailgun.net${url.pathname}?page=next&limit=${limit}&pivot=${from + limit}`;
    return json({
      items: items.slice(from, from + limit),
      paging: { first: '', next, previous: '', last: '' },
    });
  };
  const domainOf = (name: string | undefined) => domains.find((one) => one.name === name);
  return startVendor(
    ({ headers }) => headers.authorization === `Basic ${basic}`,
    (url) => {
      const [, version, ...rest] = url.pathname.split('/').map(decodeURIComponent);
      const [first, second, third] = rest;
      if (version === 'v4') {
        const [skip, limit] = [Number(url.searchParams.get('skip')), Number(url.searchParams.get('limit'))];
        const items = domains.slice(skip, skip + limit).map(({ name, type = 'custom' }, i) => ({
          ...{ id: String(i), name, type, state: 'active', smtp_password: 'x' },
        }));
        return json({ total_count: domains.length, items });
      }
      if (first === 'lists') {
        if (second === 'pages') {
          return page(
            url,
            lists.map(({ address, name = '' }) => ({
              address,
              name,
              description: '',
              access_level: 'readonly',
            })),
          );
        }
        const list = lists.find(({ address }) => address === second);
        const members = (list?.members ?? []).map((one) => ({
          name: '',
          vars: {},
          subscribed: true,
          ...one,
        }));
        return list ? page(url, members) : NOT_FOUND;
      }
      if (first === 'domains') {
        const urls = Object.entries(domainOf(second)?.webhooks ?? {});
        return json({ webhooks: Object.fromEntries(urls.map(([name, some]) => [name, { urls: some }])) });
      }
      const domain = domainOf(first);
      if (!domain) return NOT_FOUND;
      if (second === 'templates' && third !== undefined) {
        const found = domain.templates?.find(({ name }) => name === third);
        const { engine = 'handlebars', subject, html } = found ?? { html: null };
        const headers = subject === undefined ? null : { Subject: subject };
        const shown = { tag: 'initial', engine, template: html, active: true, headers };
        return json({ template: { name: third, ...(html === null ? {} : { version: shown }) } });
      }
      switch (second ?? '') {
        case 'bounces':
        case 'complaints':
          return page(
            url,
            (domain[second as 'bounces' | 'complaints'] ?? []).map((address) => ({
              address,
              code: '550',
              created_at: 'Thu, 11 Dec 2025 01:49:40 UTC',
            })),
          );
        case 'unsubscribes':
          return page(
            url,
            (domain.unsubscribes ?? []).map((one) => ({ tags: ['*'], ...one })),
          );
        case 'templates':
          return page(
            url,
            (domain.templates ?? []).map(({ name }) => ({ name, description: '' })),
          );
        default:
          return NOT_FOUND;
      }
    },
  );
}

export interface PostmarkData {
  /** Suppressed addresses by stream. */
  streams: Record<string, { type: string; suppressed?: { email: string; reason: string; origin: string }[] }>;
  templates?: {
    id: number;
    name: string;
    alias?: string;
    type?: string;
    active?: boolean;
    subject?: string;
    html?: string;
    text?: string;
    layout?: string;
  }[];
  domains?: string[];
  signatures?: { email: string; name: string }[];
  webhooks?: { id: number; url: string; triggers: Record<string, boolean> }[];
}

export function startPostmark(data: PostmarkData): Promise<VendorAccount> {
  const { streams, templates = [], domains = [], signatures = [], webhooks = [] } = data;
  const page = <T>(url: URL, rows: readonly T[]): T[] => {
    const number = (name: string) =>
      Number(url.searchParams.get(name) ?? url.searchParams.get(name.toLowerCase()));
    return rows.slice(number('Offset'), number('Offset') + number('Count'));
  };
  const isAccounts = (path: string): boolean => path.startsWith('/domains') || path.startsWith('/senders');
  return startVendor(
    ({ url, headers }) =>
      headers[isAccounts(url) ? 'x-postmark-account-token' : 'x-postmark-server-token'] === API_KEY,
    (url) => {
      const [, noun, id] = url.pathname.split('/').map(decodeURIComponent);
      switch (noun ?? '') {
        case 'message-streams': {
          if (id === undefined) {
            const all = Object.entries(streams).map(([ID, { type }]) => ({
              ID,
              Name: ID,
              MessageStreamType: type,
            }));
            return json({ MessageStreams: all, TotalCount: all.length });
          }
          const reason = url.searchParams.get('SuppressionReason');
          const found = (streams[id]?.suppressed ?? []).filter((one) => one.reason === reason);
          return json({
            Suppressions: found.map(({ email, origin }) => ({
              ...{ EmailAddress: email, SuppressionReason: reason, Origin: origin },
              CreatedAt: '2026-01-01T00:00:00-05:00',
            })),
          });
        }
        case 'templates': {
          const found = templates.find((one) => String(one.id) === id || one.alias === id);
          const shown = templates.map(({ id: TemplateId, name: Name, type = 'Standard', active = true }) => ({
            ...{ TemplateId, Name, TemplateType: type, Active: active, Alias: null, LayoutTemplate: null },
          }));
          if (id === undefined) return json({ TotalCount: shown.length, Templates: page(url, shown) });
          if (!found) return NOT_FOUND;
          const { alias = null, subject = '', html = null, text = null, layout = null } = found;
          return json({
            Alias: alias,
            Subject: subject,
            HtmlBody: html,
            TextBody: text,
            LayoutTemplate: layout,
          });
        }
        case 'domains':
          return json({
            TotalCount: domains.length,
            Domains: page(
              url,
              domains.map((Name, i) => ({ ID: i + 1, Name, DKIMVerified: true })),
            ),
          });
        case 'senders':
          return json({
            TotalCount: signatures.length,
            SenderSignatures: page(
              url,
              signatures.map(({ email, name }, i) => ({
                ID: i + 1,
                EmailAddress: email,
                Name: name,
                Confirmed: true,
              })),
            ),
          });
        case 'webhooks':
          return json({
            Webhooks: webhooks.map(({ id: ID, url: Url, triggers }) => ({
              ...{ ID, Url, MessageStream: 'outbound' },
              Triggers: Object.fromEntries(
                Object.entries(triggers).map(([name, Enabled]) => [name, { Enabled }]),
              ),
            })),
          });
        default:
          return NOT_FOUND;
      }
    },
  );
}
