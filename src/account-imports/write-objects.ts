// Writes lists, templates, domains and webhooks with the plans of their nouns, and remembers the vendor's IDs.
import { Refusal } from '../contract/refusal.js';
import type { Change } from '../database/change.js';
import { insert, upsert } from '../database/rows.js';
import { planList } from '../lists/lists.js';
import { slugProblem } from '../templates/template.schema.js';
import { planNewTemplate } from '../templates/templates.js';
import { planEndpoint } from '../webhooks/endpoints.js';
import { webhookEndpoints } from '../webhooks/webhooks.tables.js';
import { accountImportObjects } from './account-imports.tables.js';
import type { ItemOfKind, ItemProblem, LeftOut, ListItem, TemplateItem, WebhookItem } from './items.rules.js';
import { cut } from './values.rules.js';
import type { WriteTerms, Written } from './write.js';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 1_000;

export type ObjectKind = 'lists' | 'templates' | 'domains' | 'webhooks';

interface Planned {
  id: string;
  changes: readonly Change[];
}

interface Writer<K extends ObjectKind> {
  /** Whether the object of an earlier import still exists. */
  exists(terms: WriteTerms, id: string): Promise<boolean>;
  plan(terms: WriteTerms, item: ItemOfKind[K]): Promise<Planned>;
}

const WRITERS: { readonly [K in ObjectKind]: Writer<K> } = {
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
    plan: ({ context, scope }, { name }) => context.senders.planDomain(scope, name),
  },
  webhooks: {
    exists: async ({ store, scope }, id) => (await store.webhooks.endpoint(scope, id)) !== null,
    plan: planOneWebhook,
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
  const changes: Change[] = [];
  let created = 0;
  let unchanged = 0;
  for (const item of items) {
    const id = known.get(item.externalId);
    if (id !== undefined && (await writer.exists(terms, id))) {
      unchanged++;
      continue;
    }
    try {
      const planned = await writer.plan(terms, item);
      created++;
      if (!terms.isDryRun)
        changes.push(...planned.changes, remember(terms, kind, item.externalId, planned.id));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
      missing.push(refused(item, error));
    }
  }
  return { created, updated: 0, unchanged, leftOut: missing, changes };
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
  { context, scope }: WriteTerms,
  { name, description, doubleOptIn }: ListItem,
): Promise<Planned> {
  const { id, change } = await planList(context, scope, {
    name: cut(name, MAX_NAME) || 'List',
    description: description === null ? null : cut(description, MAX_DESCRIPTION),
    double_opt_in: doubleOptIn,
  });
  return { id, changes: [change] };
}

async function planOneTemplate(
  { context, scope }: WriteTerms,
  { name, slug, subject, html, text }: TemplateItem,
): Promise<Planned> {
  const given = { name: cut(name, MAX_NAME) || 'Template', subject, html, text };
  const isFree =
    slug !== null &&
    slugProblem(slug) === null &&
    (await context.store.templates.templateBySlug(scope, slug)) === null;
  const { template, changes } = await planNewTemplate(context, scope, isFree ? { ...given, slug } : given);
  return { id: template.id, changes };
}

/** The endpoint gets a secret of its own, which `rotate` shows. */
async function planOneWebhook(
  { context, scope }: WriteTerms,
  { name: url, events, format }: WebhookItem,
): Promise<Planned> {
  const wanted = { url, format, events: events === null ? null : [...events] };
  const { row } = await planEndpoint(context, scope, wanted);
  return { id: row.id, changes: [insert(webhookEndpoints, { row })] };
}
