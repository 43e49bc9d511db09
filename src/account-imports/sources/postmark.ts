// Postmark, read with the API token of a server, and its domains and sender signatures with the token of the account.
import { Type, type Static } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { translateMustachio } from '../dialects/mustachio-templates.rules.js';
import {
  leftOut,
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
import { shapeOf, VendorProblem, type VendorReader } from './vendor-reader.js';

const PAGE = 100;
const ACCOUNT_TOKEN = 'x-postmark-account-token';
const CONTENT = /\{\{\{\s*@content\s*\}\}\}/;

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const STREAMS = shapeOf(
  Type.Object({
    MessageStreams: Type.Array(Type.Object({ ID: Type.String(), MessageStreamType: Type.String() })),
  }),
);
const SUPPRESSIONS = shapeOf(
  Type.Object({
    Suppressions: Type.Array(Type.Object({ EmailAddress: Type.String(), Origin: Type.String() })),
  }),
);
const TEMPLATES = shapeOf(
  Type.Object({
    TotalCount: Type.Integer(),
    Templates: Type.Array(
      Type.Object({
        TemplateId: Type.Integer(),
        Name: Type.String(),
        TemplateType: Type.String(),
        Active: Type.Boolean(),
      }),
    ),
  }),
);
const TEMPLATE_PARTS = Type.Object({
  Alias: optionalText,
  Subject: optionalText,
  HtmlBody: optionalText,
  TextBody: optionalText,
  LayoutTemplate: optionalText,
});
const TEMPLATE = shapeOf(TEMPLATE_PARTS);
const DOMAINS = shapeOf(
  Type.Object({
    TotalCount: Type.Integer(),
    Domains: Type.Array(Type.Object({ ID: Type.Integer(), Name: Type.String() })),
  }),
);
const SIGNATURES = shapeOf(
  Type.Object({
    TotalCount: Type.Integer(),
    SenderSignatures: Type.Array(
      Type.Object({ ID: Type.Integer(), EmailAddress: Type.String(), Name: optionalText }),
    ),
  }),
);
const TRIGGER = Type.Optional(Type.Object({ Enabled: Type.Boolean() }));
const WEBHOOKS = shapeOf(
  Type.Object({
    Webhooks: Type.Array(
      Type.Object({
        ID: Type.Integer(),
        Url: Type.String(),
        Triggers: Type.Object({
          Open: TRIGGER,
          Click: TRIGGER,
          Delivery: TRIGGER,
          Bounce: TRIGGER,
          SpamComplaint: TRIGGER,
          SubscriptionChange: TRIGGER,
        }),
      }),
    ),
  }),
);

export const POSTMARK: ApiSource = {
  problems: (connection) => fieldProblems(connection, ['api_key'], ['account_token']),
  base: () => 'https://api.postmarkapp.com',
  headers: ({ api_key: key, account_token: account }) => ({
    'x-postmark-server-token': headerValue(key),
    ...(account === undefined ? {} : { [ACCOUNT_TOKEN]: headerValue(account) }),
  }),
  isPaced: false,
  pages: {
    suppressions: readSuppressions,
    templates: readTemplates,
    domains: readSenders,
    webhooks: readWebhooks,
  },
};

const REASONS = ['HardBounce', 'SpamComplaint', 'ManualSuppression'] as const;

/** The lists of a server's streams by reason. The cursor is the stream and the index of the reason. */
async function readSuppressions(
  reader: VendorReader,
  cursor: string | null,
): Promise<VendorPage<'suppressions'>> {
  const found = await reader.json(
    '/message-streams?MessageStreamType=All&IncludeArchivedStreams=true',
    STREAMS,
  );
  // Inbound streams send nothing.
  const streams = found.MessageStreams.filter((one) => one.MessageStreamType !== 'Inbound').map(
    ({ ID }) => ID,
  );
  const [number = 0, stream = streams[0]] = placeOf(cursor);
  const reason = REASONS[number];
  if (stream === undefined || reason === undefined) return { items: [], leftOut: [], next: null };
  const path = `/message-streams/${encodeURIComponent(stream)}/suppressions/dump`;
  const { Suppressions } = await reader.json(`${path}?SuppressionReason=${reason}`, SUPPRESSIONS);
  const items = Suppressions.map(({ EmailAddress: name, Origin: origin }): SuppressionItem => ({
    ...{ externalId: `${stream}/${name}`, name },
    reason: reasonOf(reason, origin),
  }));
  const following = streams[streams.indexOf(stream) + 1];
  const next =
    number + 1 < REASONS.length
      ? `${number + 1} ${stream}`
      : following === undefined
        ? null
        : `0 ${following}`;
  return { items, leftOut: [], next };
}

function placeOf(cursor: string | null): [number?, string?] {
  if (cursor === null) return [];
  const space = cursor.indexOf(' ');
  return [Number(cursor.slice(0, space)), cursor.slice(space + 1)];
}

function reasonOf(reason: (typeof REASONS)[number], origin: string): SuppressionItem['reason'] {
  switch (reason) {
    case 'HardBounce':
      return 'bounce';
    case 'SpamComplaint':
      return 'complaint';
    case 'ManualSuppression':
      return origin === 'Recipient' ? 'unsubscribe' : 'manual';
  }
}

async function readTemplates(reader: VendorReader, cursor: string | null): Promise<VendorPage<'templates'>> {
  const offset = Number(cursor ?? 0);
  const { Templates } = await reader.json(`/templates?Count=${PAGE}&Offset=${offset}`, TEMPLATES);
  const items: TemplateItem[] = [];
  const unread: LeftOut[] = [];
  for (const { TemplateId: id, Name: name, TemplateType: type, Active: isActive } of Templates) {
    const item = { externalId: String(id), name };
    if (type === 'Layout') {
      unread.push(leftOut(item, 'The layout becomes a part of each template that uses it.'));
    } else if (isActive) {
      const found = await readTemplate(reader, String(id));
      if ('problems' in found) unread.push({ ...item, problems: found.problems });
      else items.push({ ...item, ...found });
    } else unread.push(leftOut(item, 'The template is not active.'));
  }
  return { items, leftOut: unread, next: Templates.length < PAGE ? null : String(offset + PAGE) };
}

/** Reads a template within its layout. */
async function readTemplate(
  reader: VendorReader,
  idOrAlias: string,
): Promise<Pick<TemplateItem, 'slug' | 'subject' | 'html' | 'text'> | Pick<LeftOut, 'problems'>> {
  const own = await reader.json(`/templates/${encodeURIComponent(idOrAlias)}`, TEMPLATE);
  const name = filled(own.LayoutTemplate);
  const layout = name === null ? null : await reader.json(`/templates/${encodeURIComponent(name)}`, TEMPLATE);
  const parts = [own.Subject ?? '', within(layout, own, 'HtmlBody'), within(layout, own, 'TextBody')].map(
    translateMustachio,
  );
  const problems = parts.flatMap((part) => part.problems);
  if (problems.length > 0) return { problems };
  const [subject = null, html = null, text = null] = parts.map((part) => filled(part.text));
  return { slug: filled(own.Alias), subject, html, text };
}

type Template = Static<typeof TEMPLATE_PARTS>;

/** The content in its layout. A part that the template does not have stays empty. */
function within(layout: Template | null, own: Template, part: 'HtmlBody' | 'TextBody'): string {
  const content = own[part] ?? '';
  const around = layout?.[part] ?? '';
  return content === '' || !CONTENT.test(around) ? content : around.replace(CONTENT, () => content);
}

/** Domains, then sender signatures. */
async function readSenders(reader: VendorReader, cursor: string | null): Promise<VendorPage<'domains'>> {
  if (!reader.sends(ACCOUNT_TOKEN)) {
    throw new VendorProblem('permission', 'Postmark requires an account token to read domains.');
  }
  const [, kind = 'domains', offset = '0'] = /^(\w+) (\d+)$/.exec(cursor ?? 'domains 0') ?? [];
  const query = `?count=${PAGE}&offset=${offset}`;
  const items = kind === 'domains' ? await readDomains(reader, query) : await readSignatures(reader, query);
  const following = kind === 'domains' ? 'senders 0' : null;
  const next = items.length < PAGE ? following : `${kind} ${Number(offset) + PAGE}`;
  return { items, leftOut: [], next };
}

async function readDomains(reader: VendorReader, query: string): Promise<DomainItem[]> {
  const { Domains } = await reader.json(`/domains${query}`, DOMAINS);
  return Domains.map(({ ID, Name }) => ({ externalId: `domain ${ID}`, name: Name }));
}

async function readSignatures(reader: VendorReader, query: string): Promise<DomainItem[]> {
  const { SenderSignatures } = await reader.json(`/senders${query}`, SIGNATURES);
  return SenderSignatures.map(({ ID, EmailAddress, Name }) => ({
    ...{ externalId: `sender ${ID}`, name: EmailAddress },
    address: { displayName: filled(Name) },
  }));
}

const EVENTS = [
  ['Open', 'message.opened'],
  ['Click', 'message.clicked'],
  ['Delivery', 'message.delivered'],
  ['Bounce', 'message.bounced'],
  ['SpamComplaint', 'message.complained'],
  ['SubscriptionChange', 'message.unsubscribed'],
] as const satisfies (readonly [string, WebhookEvent])[];

async function readWebhooks(reader: VendorReader): Promise<VendorPage<'webhooks'>> {
  const { Webhooks } = await reader.json('/webhooks', WEBHOOKS);
  const items: WebhookItem[] = [];
  const unread: LeftOut[] = [];
  for (const { ID, Url, Triggers } of Webhooks) {
    const item = { externalId: String(ID), name: Url };
    const events = EVENTS.flatMap(([name, event]) => (Triggers[name]?.Enabled === true ? [event] : []));
    if (events.length === 0)
      unread.push(leftOut(item, 'Mailkeel has no equivalent of the events of the webhook.'));
    else items.push({ ...item, format: 'postmark', events });
  }
  return { items, leftOut: unread, next: null };
}
