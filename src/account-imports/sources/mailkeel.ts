// A workspace export of another Mailkeel server, read from the uploaded file.
import { Type, type Static, type TSchema } from 'typebox';
import { campaign, campaignCreate } from '../../campaigns/campaign.schema.js';
import { contact, contactConsent } from '../../contacts/contact.schema.js';
import { readSegment } from '../../contacts/lists/segment.rules.js';
import { sender } from '../../domains/senders/sender.schema.js';
import { subTenant } from '../../domains/sub-tenants/sub-tenant.schema.js';
import { WORKSPACE_HEADER } from '../../imports/workspace-file.js';
import { contactListObject } from '../../lists/contact-list.schema.js';
import { sequence, sequenceCreate } from '../../sequences/sequence.schema.js';
import { suppression } from '../../suppressions/suppression.schema.js';
import { savedBlock } from '../../templates/saved-block.schema.js';
import { template } from '../../templates/template.schema.js';
import { webhookEndpoint } from '../../webhooks/endpoint.schema.js';
import {
  leftOut,
  WAS_SCHEDULED,
  type ContactItem,
  type ItemOfKind,
  type LeftOut,
  type Membership,
  type RecordedConsent,
  type VendorPage,
} from '../items.rules.js';
import type { ImportKind } from '../kinds.rules.js';
import type { FileSource } from './source.js';
import type { UploadedLine, UploadReader } from './upload-reader.js';
import { shapeOf, VendorProblem, type Shape } from './vendor-reader.js';
import { checkWorkspaceFile } from './workspace-check.js';

const PAGE = 200;
/** Lines with content of templates. */
const FEW = 10;

const OWNED = ['id', 'sub_tenant_id'] as const;
const HEADER = shapeOf(Type.Object({ sub_tenant_id: Type.Union([Type.String(), Type.Null()]) }));
const SUB_TENANT = shapeOf(Type.Pick(subTenant, ['id', 'name', 'external_id', 'sending_domain']));
const SUPPRESSION = shapeOf(Type.Pick(suppression, [...OWNED, 'email', 'reason']));
const TEMPLATE = shapeOf(
  Type.Pick(template, [...OWNED, 'name', 'slug', 'type', 'subject', 'html', 'text', 'inline_css', 'design']),
);
const LIST = shapeOf(
  Type.Pick(contactListObject, [
    ...[...OWNED, 'name', 'description', 'double_opt_in', 'confirmation_template_id'],
    ...['filter', 'form_origins'],
  ] as const),
);
const CONTACT = shapeOf(
  Type.Object({
    ...Type.Pick(contact, [...OWNED, 'email', 'name', 'phone', 'tags', 'metadata', 'status']).properties,
    memberships: Type.Array(
      Type.Object({
        list_id: Type.String(),
        list_state: Type.Union([Type.Literal('subscribed'), Type.Literal('pending')]),
      }),
    ),
    consents: Type.Array(
      Type.Object({ ...contactConsent.properties, occurred_at: Type.String({ maxLength: 40 }) }),
    ),
  }),
);
const UNSUBSCRIBE = shapeOf(Type.Object({ list_id: Type.String(), email: Type.String() }));
const SENDER = shapeOf(Type.Pick(sender, [...OWNED, 'kind', 'email', 'domain', 'name']));
const WEBHOOK = shapeOf(
  Type.Object({
    ...Type.Pick(webhookEndpoint, [...OWNED, 'events', 'description', 'format', 'payload']).properties,
    url: Type.String(),
    // Exports of earlier releases lack it.
    inbox_ids: Type.Optional(webhookEndpoint.properties.inbox_ids),
  }),
);
const BLOCK = shapeOf(Type.Pick(savedBlock, [...OWNED, 'name', 'block']));
const SEQUENCE_FIELDS = [
  ...(['name', 'type', 'trigger', 'steps', 'exit_on', 'goal', 'from', 'reply_to'] as const),
] as const;
const SEQUENCE = shapeOf(
  Type.Object({
    ...Type.Pick(sequence, OWNED).properties,
    ...Type.Required(Type.Pick(sequenceCreate, SEQUENCE_FIELDS)).properties,
    template_ids: Type.Record(Type.String(), Type.String()),
  }),
);
const CAMPAIGN_FIELDS = [
  ...(['name', 'type', 'list_id', 'template_id', 'subject', 'from', 'reply_to', 'segment_tag'] as const),
  ...(['variants', 'track_opens', 'track_clicks', 'utm'] as const),
] as const;
const CAMPAIGN = shapeOf(
  Type.Object({
    ...Type.Pick(campaign, [...OWNED, 'status']).properties,
    ...Type.Required(Type.Pick(campaignCreate, CAMPAIGN_FIELDS)).properties,
    // Without the winner.
    split: Type.Union([Type.Object({ ...campaignCreate.properties.split.anyOf[0].properties }), Type.Null()]),
  }),
);

export const MAILKEEL: FileSource = {
  receive: ({ pieces }) => checkWorkspaceFile(pieces),
  pages: {
    sub_tenants: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['sub_tenant'], itemOf: subTenantOf }),
    suppressions: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['suppression'], itemOf: suppressionOf }),
    templates: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['template'], limit: FEW, itemOf: templateOf }),
    lists: readLists,
    contacts: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['contact', 'list_unsubscribe'], itemOf: personOf }),
    domains: (reader, cursor) => readPage(reader, cursor, { objects: ['sender'], itemOf: senderOf }),
    webhooks: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['webhook_endpoint'], itemOf: webhookOf }),
    saved_blocks: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['saved_block'], limit: FEW, itemOf: blockOf }),
    sequences: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['sequence'], limit: FEW, itemOf: sequenceOf }),
    campaigns: (reader, cursor) =>
      readPage(reader, cursor, { objects: ['campaign'], limit: FEW, itemOf: campaignOf }),
  },
};

/** Returns the importing scope's ID of an object's sub-tenant: undefined for the objects of the exported scope itself. */
type OwnerOf = (value: { sub_tenant_id: string | null }) => string | undefined;

interface Wanted<K extends ImportKind> {
  objects: readonly string[];
  limit?: number;
  isWanted?: (value: Record<string, unknown>) => boolean;
  itemOf: (line: UploadedLine, ownerOf: OwnerOf) => ItemOfKind[K] | LeftOut;
}

async function readPage<K extends ImportKind>(
  reader: UploadReader,
  cursor: string | null,
  { objects, limit = PAGE, isWanted = () => true, itemOf }: Wanted<K>,
): Promise<VendorPage<K>> {
  const ownerOf = await readOwner(reader);
  const { lines, next } = await reader.page(cursor, {
    limit,
    isWanted: (value) => objects.includes(String(value['object'])) && isWanted(value),
  });
  const read = lines.map((line) => itemOf(line, ownerOf));
  const isLeftOut = (item: ItemOfKind[K] | LeftOut): item is LeftOut => 'problems' in item;
  return {
    items: read.filter((item): item is ItemOfKind[K] => !isLeftOut(item)),
    leftOut: read.filter(isLeftOut),
    next,
  };
}

async function readOwner(reader: UploadReader): Promise<OwnerOf> {
  const { lines } = await reader.page(null, { limit: 1, isWanted: () => true });
  const [line] = lines;
  if (line?.value['object'] !== WORKSPACE_HEADER) throw new VendorProblem('form', 'The file has no header.');
  const { sub_tenant_id: exported } = valueOf(line, HEADER);
  return ({ sub_tenant_id: owner }) => (owner === null || owner === exported ? undefined : owner);
}

/** Throws a VendorProblem for a line that the format does not permit. */
function valueOf<S extends TSchema>({ value, number }: UploadedLine, shape: Shape<S>): Static<S> {
  if (shape.check(value)) return value;
  const object = String(value['object']).slice(0, 40);
  throw new VendorProblem('form', `Line ${number} of the file is not a valid object of the type ${object}.`);
}

function subTenantOf(line: UploadedLine): ItemOfKind['sub_tenants'] {
  const { id, name, external_id: customerId, sending_domain: sendingDomain } = valueOf(line, SUB_TENANT);
  return { externalId: id, name, sendingDomain, customerId };
}

function suppressionOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['suppressions'] {
  const value = valueOf(line, SUPPRESSION);
  return { externalId: value.id, name: value.email, reason: value.reason, subTenantId: ownerOf(value) };
}

function templateOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['templates'] {
  const value = valueOf(line, TEMPLATE);
  const { id, name, slug, type, subject, html, text, inline_css: inlineCss, design } = value;
  return {
    ...{ externalId: id, name, slug, type, subject, html, text, inlineCss, design },
    subTenantId: ownerOf(value),
  };
}

/** Lists first, because the filters of segments refer to them. */
async function readLists(reader: UploadReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const [, pass = 'lists', place = null] = /^(\w+) ?(.+)?$/.exec(cursor ?? 'lists') ?? [];
  const isSegments = pass === 'segments';
  const page = await readPage<'lists'>(reader, place, {
    objects: ['contact_list'],
    isWanted: ({ filter }) => (filter !== null) === isSegments,
    itemOf: listOf,
  });
  const next = page.next === null ? (isSegments ? null : 'segments') : `${pass} ${page.next}`;
  return { ...page, next };
}

function listOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['lists'] | LeftOut {
  const value = valueOf(line, LIST);
  const { id, name, description, double_opt_in: doubleOptIn, form_origins: formOrigins } = value;
  const item = { externalId: id, name, subTenantId: ownerOf(value) };
  const read = value.filter === null ? null : readSegment(value.filter, 'filter');
  if (read !== null && !read.ok) {
    return leftOut(item, read.problems.map(({ path, message }) => `${path} ${message}.`).join(' '));
  }
  return {
    ...{ ...item, description, doubleOptIn, formOrigins },
    filter: read?.filter ?? null,
    confirmationTemplateId: value.confirmation_template_id,
  };
}

function personOf(line: UploadedLine, ownerOf: OwnerOf): ContactItem {
  return line.value['object'] === 'contact' ? contactOf(line, ownerOf) : unsubscribeOf(line);
}

function contactOf(line: UploadedLine, ownerOf: OwnerOf): ContactItem {
  const value = valueOf(line, CONTACT);
  const { id, email, name, phone, tags, metadata, status, memberships } = value;
  return {
    ...{ externalId: id, name: email, fullName: name ?? '', tags, metadata, status },
    ...(phone === null ? {} : { phone }),
    memberships: memberships.map(({ list_id: listId, list_state: state }): Membership => ({
      ...{ listId, state },
      consent: consentOf(value.consents.findLast((consent) => consent.list_id === listId)),
    })),
    subTenantId: ownerOf(value),
  };
}

/** Returns undefined for a member without a record. */
function consentOf(consent: Static<typeof contactConsent> | undefined): RecordedConsent | undefined {
  const givenAt = Date.parse(consent?.occurred_at ?? '');
  if (consent === undefined || Number.isNaN(givenAt)) return undefined;
  const { event, actor, actor_id: actorId, source, ip, user_agent: userAgent } = consent;
  return {
    ...{ actor, actorId, source, ip, userAgent, givenAt },
    event: event === 'requested' ? 'joined' : event,
  };
}

function unsubscribeOf(line: UploadedLine): ContactItem {
  const { list_id: listId, email } = valueOf(line, UNSUBSCRIBE);
  return {
    ...{ externalId: email, name: email, fullName: '', tags: [], metadata: {} },
    status: 'active',
    memberships: [{ listId, state: 'unsubscribed' }],
    isMembership: true,
  };
}

function senderOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['domains'] {
  const value = valueOf(line, SENDER);
  const { id, email, domain, name } = value;
  return {
    ...{ externalId: id, name: email ?? domain, subTenantId: ownerOf(value) },
    ...(email === null ? {} : { address: { displayName: name } }),
  };
}

/** Credentials in the URL are masked in the export. */
function webhookOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['webhooks'] {
  const value = valueOf(line, WEBHOOK);
  const { id, url, events, inbox_ids: inboxIds = null, description, format, payload } = value;
  return {
    ...{ externalId: id, name: url.replace('://***@', '://'), events, description, format, payload },
    ...{ isDisabled: true, hadInboxes: inboxIds !== null, subTenantId: ownerOf(value) },
  };
}

function blockOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['saved_blocks'] {
  const value = valueOf(line, BLOCK);
  const { id, name, block } = value;
  return { externalId: id, name, block, subTenantId: ownerOf(value) };
}

function sequenceOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['sequences'] {
  const value = valueOf(line, SEQUENCE);
  const { id, name, type, trigger, steps, exit_on, goal, from, reply_to } = value;
  return {
    ...{ externalId: id, name, subTenantId: ownerOf(value), templateIds: value.template_ids },
    body: { name, type, trigger, steps, exit_on, goal, from, reply_to },
  };
}

function campaignOf(line: UploadedLine, ownerOf: OwnerOf): ItemOfKind['campaigns'] {
  const value = valueOf(line, CAMPAIGN);
  const { id, name, status, type, list_id, template_id, subject, from, reply_to } = value;
  const { segment_tag, variants, split, track_opens, track_clicks, utm } = value;
  return {
    ...{ externalId: id, name, subTenantId: ownerOf(value) },
    notes: status === 'scheduled' ? [WAS_SCHEDULED] : [],
    body: {
      ...{ name, type, list_id, template_id, subject, from, reply_to, segment_tag },
      ...{ variants, split, track_opens, track_clicks, utm },
    },
  };
}
