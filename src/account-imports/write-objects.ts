// Writes objects other than people with the plans of their nouns, and remembers the source's IDs.
import { listsNamedBy, renameLists, type SegmentGroup } from '../contacts/lists/segment.rules.js';
import { Refusal } from '../contract/refusal.js';
import type { Change } from '../database/change.js';
import { insert, upsert } from '../database/rows.js';
import { planList } from '../lists/lists.js';
import { slugProblem } from '../templates/template.schema.js';
import { planNewTemplate } from '../templates/templates.js';
import { planBlock } from '../templates/saved-blocks.js';
import { DISABLED_BY_IMPORT } from '../webhooks/disabled.rules.js';
import { planEndpoint } from '../webhooks/endpoints.js';
import { webhookEndpoints } from '../webhooks/webhooks.tables.js';
import { accountImportObjects } from './account-imports.tables.js';
import { planOneCampaign, planOneSequence } from './bulk-mail.js';
import {
  leftOut,
  type DomainItem,
  type ItemOfKind,
  type ItemProblem,
  type LeftOut,
  type ListItem,
  type SavedBlockItem,
  type SubTenantItem,
  type TemplateItem,
  type WebhookItem,
} from './items.rules.js';
import type { ImportKind } from './kinds.rules.js';
import { cut } from './values.rules.js';
import type { WriteTerms, Written } from './write.js';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 1_000;

export type ObjectKind = Exclude<ImportKind, 'suppressions' | 'contacts'>;

export interface Planned {
  id: string;
  changes: readonly Change[];
  /** Sentences for the report. */
  notes?: readonly string[];
  /** Called after the commit. */
  announce?: (() => void) | undefined;
}

interface Writer<K extends ObjectKind> {
  /** Whether the object of an earlier import still exists. */
  exists(terms: WriteTerms, id: string): Promise<boolean>;
  /** Returns the ID of an existing object that the item corresponds to, even if no import created it. */
  find?(terms: WriteTerms, item: ItemOfKind[K]): Promise<string | null>;
  plan(terms: WriteTerms, item: ItemOfKind[K]): Promise<Planned>;
}

const WRITERS: { readonly [K in ObjectKind]: Writer<K> } = {
  sub_tenants: {
    exists: async ({ store, scope }, id) => (await store.tenants.subTenant(scope, id)) !== null,
    find: findSubTenant,
    plan: planOneSubTenant,
  },
  lists: {
    exists: async ({ store, scope }, id) => (await store.lists.list(scope, id)) !== null,
    plan: planOneList,
  },
  templates: {
    exists: async ({ store, scope }, id) => (await store.templates.template(scope, id)) !== null,
    plan: planOneTemplate,
  },
  domains: {
    exists: async ({ store, scope }, id) => (await store.domains.sender(scope, id)) !== null,
    plan: planOneSender,
  },
  webhooks: {
    exists: async ({ store, scope }, id) => (await store.webhooks.endpoint(scope, id)) !== null,
    plan: planOneWebhook,
  },
  saved_blocks: {
    exists: async ({ store, scope }, id) => (await store.savedBlocks.savedBlock(scope, id)) !== null,
    plan: planOneBlock,
  },
  sequences: {
    exists: async ({ store, scope }, id) => (await store.sequences.sequence(scope, id)) !== null,
    plan: planOneSequence,
  },
  campaigns: {
    exists: async ({ store, scope }, id) => (await store.campaigns.campaign(scope, id)) !== null,
    plan: planOneCampaign,
  },
};

/** Objects that an earlier import created are left as they are, because they may have been edited since. */
export async function writeObjects<K extends ObjectKind>(
  kind: K,
  terms: WriteTerms,
  items: readonly ItemOfKind[K][],
): Promise<Written> {
  const writer: Writer<K> = WRITERS[kind];
  const known = await terms.objectsOf(
    kind,
    items.map(({ externalId }) => externalId),
  );
  const missing: LeftOut[] = [];
  const notes: LeftOut[] = [];
  const changes: Change[] = [];
  const announce: (() => void)[] = [];
  let created = 0;
  let unchanged = 0;
  for (const item of items) {
    const id = known.get(item.externalId);
    if (id !== undefined && (await writer.exists(terms, id))) {
      unchanged++;
      continue;
    }
    const found = (await writer.find?.(terms, item)) ?? null;
    if (found !== null) {
      unchanged++;
      if (!terms.isDryRun) changes.push(remember(terms, kind, item.externalId, found));
      continue;
    }
    try {
      const planned = await writer.plan(terms, item);
      created++;
      for (const note of planned.notes ?? []) notes.push(leftOut(item, note));
      if (terms.isDryRun) continue;
      changes.push(...planned.changes, remember(terms, kind, item.externalId, planned.id));
      if (planned.announce) announce.push(planned.announce);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
      missing.push(refused(item, error));
    }
  }
  return { created, updated: 0, unchanged, leftOut: missing, notes, changes, announce };
}

/** An object that its noun refuses, with the reason. */
export function refused(
  { externalId, name }: { externalId: string; name: string },
  { message, details }: Refusal,
): LeftOut {
  const fields = Array.isArray(details?.['fields']) ? (details['fields'] as readonly FieldOf[]) : [];
  const line = typeof details?.['line'] === 'number' ? details['line'] : null;
  const problems: ItemProblem[] = fields.map(({ path, message: problem }) => ({
    line,
    problem: `${path} ${problem}.`,
  }));
  return { externalId, name, problems: problems.length > 0 ? problems : [{ line, problem: message }] };
}

interface FieldOf {
  path: string;
  message: string;
}

function remember(
  { place, now }: WriteTerms,
  kind: ObjectKind,
  externalId: string,
  objectId: string,
): Change {
  const row = {
    environment_id: place.environmentId,
    sub_tenant_key: place.subTenantId ?? '',
    source: place.source,
    origin: place.origin,
    kind,
    external_id: externalId,
    object_id: objectId,
    created_at: now,
  };
  return upsert(accountImportObjects, {
    row,
    key: ['environment_id', 'sub_tenant_key', 'source', 'origin', 'kind', 'external_id'],
    set: { object_id: objectId, created_at: now },
  });
}

async function planOneList(
  terms: WriteTerms,
  { name, description, doubleOptIn, filter, confirmationTemplateId: templateId, formOrigins }: ListItem,
): Promise<Planned> {
  const { context, scope, isDryRun } = terms;
  const given = {
    name: cut(name, MAX_NAME) || 'List',
    description: description === null ? null : cut(description, MAX_DESCRIPTION),
    double_opt_in: doubleOptIn,
    ...(formOrigins === undefined ? {} : { form_origins: [...formOrigins] }),
  };
  // A dry run has not created the lists and templates that these name.
  const named = isDryRun
    ? {}
    : {
        filter: filter ? await importedFilter(terms, filter) : null,
        confirmation_template_id: templateId ? await importedTemplate(terms, templateId) : null,
      };
  const { id, change } = await planList(context, scope, { ...given, ...named });
  return { id, changes: [change] };
}

/** Returns the filter with the IDs of the imported lists. An ID that was not imported stays, so that the list is refused. */
async function importedFilter(terms: WriteTerms, filter: SegmentGroup): Promise<Record<string, unknown>> {
  const ids = await terms.objectsOf('lists', listsNamedBy(filter));
  return { ...renameLists(filter, ids) };
}

async function importedTemplate(terms: WriteTerms, templateId: string): Promise<string> {
  return (await terms.objectsOf('templates', [templateId])).get(templateId) ?? templateId;
}

async function planOneTemplate(
  { context, scope }: WriteTerms,
  { name, slug, subject, html, text, type, inlineCss, design }: TemplateItem,
): Promise<Planned> {
  const given = {
    ...{ name: cut(name, MAX_NAME) || 'Template', subject, html, text },
    ...(type === undefined ? {} : { type }),
    ...(inlineCss === undefined ? {} : { inline_css: inlineCss }),
    ...(design === undefined ? {} : { design }),
  };
  const taken = slug === null ? null : await context.store.templates.templateBySlug(scope, slug);
  const isFree =
    slug !== null &&
    slugProblem(slug) === null &&
    (taken === null ||
      taken.environment_id !== scope.environmentId ||
      taken.sub_tenant_id !== scope.subTenantId);
  const { template, changes } = await planNewTemplate(context, scope, isFree ? { ...given, slug } : given);
  return { id: template.id, changes };
}

async function planOneBlock(
  { context, scope }: WriteTerms,
  { name, block }: SavedBlockItem,
): Promise<Planned> {
  const { row, change } = await planBlock(context, scope, { name: cut(name, MAX_NAME) || 'Block', block });
  return { id: row.id, changes: [change] };
}

/** The endpoint gets a new secret, which `rotate` shows. */
async function planOneWebhook(
  { context, scope }: WriteTerms,
  { name: url, events, format, description, payload, isDisabled, hadInboxes }: WebhookItem,
): Promise<Planned> {
  const wanted = {
    ...{ url, format, events: events === null ? null : [...events] },
    ...(description === undefined ? {} : { description }),
    ...(payload === undefined ? {} : { payload }),
  };
  const { row } = await planEndpoint(context, scope, wanted);
  if (isDisabled !== true) return { id: row.id, changes: [insert(webhookEndpoints, { row })] };
  const disabled = { status: 'disabled', disabled_reason: DISABLED_BY_IMPORT } as const;
  return {
    id: row.id,
    changes: [insert(webhookEndpoints, { row: { ...row, ...disabled } })],
    notes: [
      hadInboxes === true
        ? 'The webhook was imported disabled, with a new secret, and without its inboxes. Set the inboxes, rotate the secret, update the receiver, and enable the webhook.'
        : 'The webhook was imported disabled and with a new secret. Rotate the secret, update the receiver, and enable the webhook.',
    ],
  };
}

/** Existing sub-tenants are matched by the customer's ID. */
async function findSubTenant(
  { store, scope }: WriteTerms,
  { customerId }: SubTenantItem,
): Promise<string | null> {
  if (customerId === null || scope.subTenantId !== null) return null;
  const page = { limit: 1, after: null };
  const { rows } = await store.tenants.subTenants(scope, page, { externalId: customerId });
  return rows[0]?.id ?? null;
}

async function planOneSubTenant(
  { context, scope }: WriteTerms,
  { name, sendingDomain, customerId }: SubTenantItem,
): Promise<Planned> {
  if (scope.subTenantId !== null) {
    throw new Refusal('forbidden', 'An import into a sub-tenant cannot create sub-tenants.');
  }
  const { row, changes } = await context.subTenants.plan(scope, {
    name: cut(name, MAX_NAME) || 'Sub-tenant',
    sendingDomain,
    externalId: customerId,
    dkim: null,
  });
  return { id: row.id, changes, announce: () => context.subTenants.announce(row) };
}

async function planOneSender(
  { context, scope }: WriteTerms,
  { name, address }: DomainItem,
): Promise<Planned> {
  return address
    ? context.senders.planAddress(scope, name, address.displayName)
    : context.senders.planDomain(scope, name);
}
