// Amazon SES, read with its API v2 and an access key of IAM. A contact list becomes a list, and so does each of its topics.
import { Type, type Static } from 'typebox';
import { signAwsRequest } from '../../lib/http/index.js';
import { fromSesHtml } from '../dialects/ses-templates.rules.js';
import {
  leftOut,
  type ContactItem,
  type LeftOut,
  type ListItem,
  type Membership,
  type SuppressionItem,
  type TemplateItem,
  type VendorPage,
} from '../items.rules.js';
import { filled } from '../values.rules.js';
import { fieldProblems } from './connection.rules.js';
import type { ApiSource, Connection } from './source.js';
import { shapeOf, type VendorReader } from './vendor-reader.js';

const PAGE = 1_000;
const IDENTITY_PAGE = 100;
/** Templates and contacts take a request each. */
const FEW = 20;
const REGION = /^[a-z]{2}(?:-[a-z]+){1,3}-\d{1,2}$/;

const NEXT = { NextToken: Type.Optional(Type.Union([Type.String(), Type.Null()])) };
const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const SUPPRESSIONS = shapeOf(
  Type.Object({
    SuppressedDestinationSummaries: Type.Array(
      Type.Object({ EmailAddress: Type.String(), Reason: Type.String() }),
    ),
    ...NEXT,
  }),
);
const LISTS = shapeOf(
  Type.Object({ ContactLists: Type.Array(Type.Object({ ContactListName: Type.String() })), ...NEXT }),
);
const LIST = shapeOf(
  Type.Object({
    Description: optionalText,
    Topics: Type.Optional(
      Type.Array(
        Type.Object({ TopicName: Type.String(), DisplayName: Type.String(), Description: optionalText }),
      ),
    ),
  }),
);
const CONTACTS = shapeOf(
  Type.Object({ Contacts: Type.Array(Type.Object({ EmailAddress: Type.String() })), ...NEXT }),
);
const PREFERENCES = Type.Optional(
  Type.Union([
    Type.Array(Type.Object({ TopicName: Type.String(), SubscriptionStatus: Type.String() })),
    Type.Null(),
  ]),
);
const CONTACT_FIELDS = Type.Object({
  EmailAddress: Type.String(),
  TopicPreferences: PREFERENCES,
  TopicDefaultPreferences: PREFERENCES,
  UnsubscribeAll: Type.Boolean(),
  AttributesData: optionalText,
});
const CONTACT = shapeOf(CONTACT_FIELDS);
const TEMPLATES = shapeOf(
  Type.Object({ TemplatesMetadata: Type.Array(Type.Object({ TemplateName: Type.String() })), ...NEXT }),
);
const TEMPLATE = shapeOf(
  Type.Object({
    TemplateContent: Type.Object({ Subject: optionalText, Text: optionalText, Html: optionalText }),
  }),
);
const IDENTITIES = shapeOf(
  Type.Object({
    EmailIdentities: Type.Array(Type.Object({ IdentityType: Type.String(), IdentityName: Type.String() })),
    ...NEXT,
  }),
);

export const SES: ApiSource = {
  problems: (connection) => [
    ...fieldProblems(connection, ['access_key_id', 'secret_access_key', 'aws_region']),
    ...(REGION.test(connection.aws_region ?? 'us-east-1')
      ? []
      : [{ path: 'connection.aws_region', message: 'must be an AWS region such as eu-west-1' }]),
  ],
  base: ({ aws_region: region = '' }) => `https://email.${region}.amazonaws.com`,
  headers: () => ({}),
  sign: signer,
  isPaced: true,
  pages: {
    suppressions: readSuppressions,
    lists: readLists,
    contacts: readContacts,
    templates: readTemplates,
    domains: readIdentities,
  },
};

function signer({
  access_key_id: id = '',
  secret_access_key: secret = '',
  aws_region: region = '',
}: Connection) {
  const key = { accessKeyId: id, secretAccessKey: secret, region, service: 'ses' };
  return async (request: { method: string; url: string; headers: Record<string, string>; body?: string }) =>
    (await signAwsRequest({ ...request, ...key })).headers;
}

/** Adds the page to a path. */
function paged(path: string, size: number, token: string | null): string {
  const place = token === null ? '' : `&NextToken=${encodeURIComponent(token)}`;
  return `${path}?PageSize=${size}${place}`;
}

async function readSuppressions(
  reader: VendorReader,
  cursor: string | null,
): Promise<VendorPage<'suppressions'>> {
  const found = await reader.json(paged('/v2/email/suppression/addresses', PAGE, cursor), SUPPRESSIONS);
  const items = found.SuppressedDestinationSummaries.map(
    ({ EmailAddress: name, Reason: reason }): SuppressionItem => ({
      ...{ externalId: name, name },
      reason: reason === 'COMPLAINT' ? 'complaint' : 'bounce',
    }),
  );
  return { items, leftOut: [], next: filled(found.NextToken) };
}

async function readLists(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const found = await reader.json(paged('/v2/email/contact-lists', FEW, cursor), LISTS);
  const items: ListItem[] = [];
  for (const { ContactListName: name } of found.ContactLists) {
    const list = await reader.json(`/v2/email/contact-lists/${encodeURIComponent(name)}`, LIST);
    items.push({ externalId: name, name, description: filled(list.Description), doubleOptIn: false });
    for (const topic of list.Topics ?? []) {
      items.push({
        ...{ externalId: topicId(name, topic.TopicName), name: topic.DisplayName },
        ...{ description: filled(topic.Description), doubleOptIn: false },
      });
    }
  }
  return { items, leftOut: [], next: filled(found.NextToken) };
}

function topicId(list: string, topic: string): string {
  return `${list}/${topic}`;
}

/** A place in the contacts of lists. Written to the cursor as JSON. */
interface PlaceInList {
  list: string;
  /** The token of the page of lists that follows this list; null after the last one. */
  following: string | null;
  token: string | null;
}

async function readContacts(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  const place = cursor === null ? await listAt(reader, null) : (JSON.parse(cursor) as PlaceInList); // as written below
  if (place === null) return { items: [], leftOut: [], next: null };
  const path = `/v2/email/contact-lists/${encodeURIComponent(place.list)}/contacts`;
  const found = await reader.json(`${path}/list`, CONTACTS, {
    PageSize: FEW,
    ...(place.token === null ? {} : { NextToken: place.token }),
  });
  const items: ContactItem[] = [];
  for (const { EmailAddress: email } of found.Contacts) {
    items.push(contactOf(place.list, await reader.json(`${path}/${encodeURIComponent(email)}`, CONTACT)));
  }
  const token = filled(found.NextToken);
  const next =
    token !== null
      ? { ...place, token }
      : place.following === null
        ? null
        : await listAt(reader, place.following);
  return { items, leftOut: [], next: next === null ? null : JSON.stringify(next) };
}

async function listAt(reader: VendorReader, token: string | null): Promise<PlaceInList | null> {
  const { ContactLists, NextToken } = await reader.json(paged('/v2/email/contact-lists', 1, token), LISTS);
  const [list] = ContactLists;
  return list === undefined
    ? null
    : { list: list.ContactListName, following: filled(NextToken), token: null };
}

function contactOf(list: string, contact: Static<typeof CONTACT_FIELDS>): ContactItem {
  const { EmailAddress: name, TopicPreferences, TopicDefaultPreferences, UnsubscribeAll: hasLeft } = contact;
  // A preference of the contact replaces the default of the topic.
  const topics = new Map(
    [...(TopicDefaultPreferences ?? []), ...(TopicPreferences ?? [])].map(
      ({ TopicName: topic, SubscriptionStatus: status }) => [topic, status],
    ),
  );
  const own = new Set((TopicPreferences ?? []).map(({ TopicName: topic }) => topic));
  const memberships = [...topics].flatMap(([topic, status]): Membership[] => {
    const listId = topicId(list, topic);
    if (status === 'OPT_IN') return [{ listId, state: 'subscribed' }];
    // Without a preference for the topic, the contact has not left it.
    return own.has(topic) ? [{ listId, state: 'unsubscribed' }] : [];
  });
  return {
    ...{ externalId: name, name, fullName: '', tags: [], metadata: attributesOf(contact.AttributesData) },
    status: hasLeft ? 'unsubscribed' : 'active',
    memberships: [{ listId: list, state: 'subscribed' }, ...memberships],
  };
}

/** Attributes are text, and often JSON. */
function attributesOf(text: string | null | undefined): Record<string, unknown> {
  if (text === null || text === undefined || text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>; // neither an array nor null
    }
  } catch {
    // Text of any other form.
  }
  return { attributes: text };
}

async function readTemplates(reader: VendorReader, cursor: string | null): Promise<VendorPage<'templates'>> {
  const found = await reader.json(paged('/v2/email/templates', FEW, cursor), TEMPLATES);
  const items: TemplateItem[] = [];
  for (const { TemplateName: name } of found.TemplatesMetadata) {
    const path = `/v2/email/templates/${encodeURIComponent(name)}`;
    const { TemplateContent: content } = await reader.json(path, TEMPLATE);
    items.push({
      ...{ externalId: name, name, slug: name.toLowerCase() },
      subject: filled(content.Subject),
      html: filled(fromSesHtml(content.Html ?? '')),
      text: filled(content.Text),
    });
  }
  return { items, leftOut: [], next: filled(found.NextToken) };
}

async function readIdentities(reader: VendorReader, cursor: string | null): Promise<VendorPage<'domains'>> {
  const found = await reader.json(paged('/v2/email/identities', IDENTITY_PAGE, cursor), IDENTITIES);
  const named = found.EmailIdentities.map(({ IdentityName: name, IdentityType: type }) => ({
    ...{ externalId: name, name, type },
  }));
  return {
    items: named
      .filter(({ type }) => type !== 'MANAGED_DOMAIN')
      .map(({ externalId, name, type }) => ({
        ...{ externalId, name },
        ...(type === 'EMAIL_ADDRESS' ? { address: { displayName: null } } : {}),
      })),
    leftOut: named
      .filter(({ type }) => type === 'MANAGED_DOMAIN')
      .map((one): LeftOut => leftOut(one, 'The domain is managed by Amazon.')),
    next: filled(found.NextToken),
  };
}
