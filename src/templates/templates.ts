// Finds, creates, changes and deletes templates.
import { invalidFields, Refusal } from '../contract/refusal.js';
import { changeTime } from '../contract/time.js';
import type { Change } from '../database/change.js';
import { type ChangeGuard, insert, update } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { groupedDigits } from '../lib/rows/index.js';
import { newId } from '../lib/runtime/index.js';
import type { TemplateContext } from './context.js';
import type { Sources } from './sources.js';
import type { TemplateStores } from './stores.js';
import {
  MAX_DESIGN_CHARACTERS,
  deriveSlug,
  slugProblem,
  type TemplateCreate,
  type TemplateUpdate,
} from './template.schema.js';
import type { TemplateWithContent } from './templates.store.js';
import {
  type Template,
  type TemplateUse,
  type TemplateVersion,
  templateVersions,
  templates,
} from './templates.tables.js';

/** Characters of an id that distinguish a derived slug from an existing one. */
const SLUG_TAIL = 6;

/** Number of sequences, of campaigns and of lists that a refusal names. */
const NAMED = 20;

const CONTENT = ['subject', 'html', 'text', 'inline_css'] as const;

/** Finds a template that the scope may use. Refuses with `not_found`. */
export async function findTemplate(
  { store }: Pick<TemplateContext, 'store'>,
  scope: Scope,
  idOrSlug: string,
): Promise<TemplateWithContent> {
  const byId = idOrSlug.startsWith('tpl_') ? await store.templates.template(scope, idOrSlug) : null;
  const found = byId ?? (await store.templates.templateBySlug(scope, idOrSlug));
  if (!found) throw new Refusal('not_found');
  return found;
}

/** Finds a template that the scope may change. Live templates are read-only in test, as are the workspace's to a sub-tenant. */
export async function findOwnTemplate(
  context: Pick<TemplateContext, 'store'>,
  scope: Scope,
  idOrSlug: string,
): Promise<TemplateWithContent> {
  const row = await findTemplate(context, scope, idOrSlug);
  refuseUnowned(scope, row);
  return row;
}

/** Reads a version of a template. Refuses with `not_found`. */
export async function readVersion(
  store: TemplateContext['store'],
  templateId: string,
  version: number,
  param?: string,
): Promise<TemplateVersion> {
  const found = await store.templates.version(templateId, version);
  if (found) return found;
  throw new Refusal(
    'not_found',
    `The template does not have version ${version}.`,
    param === undefined ? {} : { param },
  );
}

/** Creates a template with its first version. Derives the slug from the name if there is none. */
export async function createTemplate(
  context: Pick<TemplateContext, 'store' | 'sources' | 'clock'>,
  scope: Scope,
  given: TemplateCreate,
): Promise<TemplateWithContent> {
  const { template, changes } = await planNewTemplate(context, scope, given);
  await context.store.commit(changes);
  return template;
}

/** Plans a template with its first version. Refuses what cannot be parsed, and a slug that is taken. */
export async function planNewTemplate(
  context: Pick<TemplateContext, 'sources' | 'clock'> & { store: Pick<TemplateStores, 'templates'> },
  scope: Scope,
  given: TemplateCreate,
): Promise<PlannedTemplate> {
  const { store, sources } = context;
  const { name, slug, type = 'any', subject = null, html = null, text = null } = given;
  const content: Sources = { subject, html, text, inline_css: given.inline_css === true ? 1 : 0 };
  const design = designText(given.design ?? null);
  if (slug !== undefined) await refuseSlug(store, scope, slug);
  await sources.check(scope, content);
  return planTemplate(context, scope, { name, slug, type }, { ...content, design });
}

interface PlannedTemplate {
  template: TemplateWithContent;
  changes: Change[];
}

export async function planTemplate(
  { store, clock }: Pick<TemplateContext, 'clock'> & { store: Pick<TemplateStores, 'templates'> },
  scope: Scope,
  { name, slug, type }: Pick<Template, 'name' | 'type'> & { slug: string | undefined },
  { design, ...content }: Sources & { design: string | null },
): Promise<PlannedTemplate> {
  const now = clock();
  const id = newId('tpl', now);
  const row: Template = {
    id,
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    slug: slug ?? (await freeSlug(store, scope, { name, id })),
    name,
    type,
    version: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  const changes = [
    insert(templates, { row, conflict: { code: 'slug_taken', param: 'slug' } }),
    versionInsert(row, { ...content, design }, now),
  ];
  return { template: { ...row, ...content, mode: scope.mode }, changes };
}

/** Refuses a slug of the wrong form, and with `slug_taken` if the owner has another template with it. */
async function refuseSlug(
  store: Pick<TemplateStores, 'templates'>,
  scope: Scope,
  slug: string,
  butFor?: string,
): Promise<void> {
  const problem = slugProblem(slug);
  if (problem !== null) throw invalidFields([{ path: 'slug', message: problem }]);
  if (await isSlugTaken(store, scope, slug, butFor)) {
    throw new Refusal('slug_taken', undefined, { param: 'slug' });
  }
}

async function freeSlug(
  store: Pick<TemplateStores, 'templates'>,
  scope: Scope,
  { name, id }: { name: string; id: string },
): Promise<string> {
  const derived = deriveSlug(name);
  if (derived !== '' && !(await isSlugTaken(store, scope, derived))) return derived;
  const base = derived === '' ? 'template' : derived.slice(0, 100 - SLUG_TAIL - 1);
  return `${base}-${id.slice(-SLUG_TAIL)}`;
}

/** Ignores templates of other owners, because a sub-tenant can override a template of the workspace by its slug. */
async function isSlugTaken(
  store: Pick<TemplateStores, 'templates'>,
  scope: Scope,
  slug: string,
  butFor?: string,
): Promise<boolean> {
  const found = await store.templates.templateBySlug(scope, slug);
  if (found === null || found.id === butFor) return false;
  return found.environment_id === scope.environmentId && found.sub_tenant_id === scope.subTenantId;
}

function refuseUnowned(scope: Scope, row: Template): void {
  if (row.environment_id !== scope.environmentId) {
    throw new Refusal(
      'forbidden',
      'Test keys cannot change live templates. Copy the template to the test environment instead.',
    );
  }
  if (scope.subTenantId === row.sub_tenant_id || scope.subTenantId === null) return;
  throw new Refusal(
    'forbidden',
    'The template belongs to the workspace. Create a template with the same slug to override it.',
  );
}

/** Returns a design unchanged. Refuses one that is too long. */
function designText(design: Readonly<Record<string, unknown>> | null): string | null {
  if (design === null) return null;
  const text = JSON.stringify(design);
  if (text.length <= MAX_DESIGN_CHARACTERS) return text;
  const limit = groupedDigits(MAX_DESIGN_CHARACTERS);
  throw invalidFields([{ path: 'design', message: `must not exceed ${limit} characters of JSON` }]);
}

/** Reads the design of a template's current version. */
export async function fetchDesign(
  store: Pick<TemplateStores, 'templates'>,
  { id, version }: Pick<Template, 'id' | 'version'>,
): Promise<string | null> {
  const designs = await store.templates.designsOf([{ template_id: id, version }]);
  return designs.get(id) ?? null;
}

function versionInsert(row: Template, content: Sources & { design: string | null }, now: number): Change {
  const { subject, html, text, inline_css, design } = content;
  const version = {
    template_id: row.id,
    version: row.version,
    subject,
    html,
    text,
    inline_css,
    design,
    created_at: now,
  };
  return insert(templateVersions, { row: version });
}

/** Commits the given changes. Only one of two simultaneous changes can create the next version. */
export async function changeTemplate(
  { store, sources, clock }: Pick<TemplateContext, 'store' | 'sources' | 'clock'>,
  scope: Scope,
  { before, guard = { where: {} } }: { before: TemplateWithContent; guard?: ChangeGuard },
  body: TemplateUpdate,
): Promise<TemplateWithContent> {
  const owner = { ...scope, subTenantId: before.sub_tenant_id };
  if (body.slug !== undefined) await refuseSlug(store, owner, body.slug, before.id);
  const content: Sources = {
    subject: body.subject === undefined ? before.subject : body.subject,
    html: body.html === undefined ? before.html : body.html,
    text: body.text === undefined ? before.text : body.text,
    inline_css: body.inline_css === undefined ? before.inline_css : body.inline_css ? 1 : 0,
  };
  const stored = await fetchDesign(store, before);
  const kept = content.html === before.html ? stored : null;
  const design = body.design === undefined ? kept : designText(body.design);
  const isNewContent = CONTENT.some((part) => content[part] !== before[part]);
  const isNewVersion = isNewContent || design !== stored;
  if (isNewContent) await sources.check(scope, content);
  const now = changeTime(before, clock());
  const set = {
    name: body.name ?? before.name,
    slug: body.slug ?? before.slug,
    type: body.type ?? before.type,
    version: before.version + (isNewVersion ? 1 : 0),
    updated_at: now,
  };
  const after: TemplateWithContent = { ...before, ...set, ...content };
  await store.commit([
    update(templates, {
      set,
      where: { id: before.id, version: before.version, deleted_at: null, ...guard.where },
      otherwise: guard.otherwise ?? {
        code: 'conflict',
        message: 'The template was changed by another request. Try again.',
      },
      conflict: { code: 'slug_taken', param: 'slug' },
    }),
    ...(isNewVersion ? [versionInsert(after, { ...content, design }, now)] : []),
  ]);
  return after;
}

/** Deletes a template. Refuses with `template_in_use` unless forced. */
export async function deleteTemplate(
  context: TemplateContext,
  scope: Scope,
  row: Template,
  { guard, isForced }: { guard: ChangeGuard; isForced: boolean },
): Promise<void> {
  if (!isForced) await refuseUsed(context, scope, row);
  const set = { deleted_at: context.clock() };
  const where = { id: row.id, deleted_at: null, ...guard.where };
  const otherwise = guard.otherwise ?? { code: 'not_found' };
  await context.store.commit([update(templates, { set, where, otherwise })]);
}

/** Refuses with `template_in_use`. A sub-tenant sees the names of its own sequences, campaigns and lists only. */
async function refuseUsed(
  { store, senders }: Pick<TemplateContext, 'store' | 'senders'>,
  scope: Scope,
  row: Template,
): Promise<void> {
  const [sequences, campaigns, lists] = await Promise.all([
    senders.sequences(scope, row),
    senders.campaigns(scope, row.id),
    store.lists.usingTemplate(scope, row.id),
  ]);
  const counted = [
    counts(sequences.length, 'sequence'),
    counts(campaigns.length, 'campaign'),
    counts(lists.length, 'list'),
  ].filter((text) => text !== null);
  if (counted.length === 0) return;
  const named = (uses: readonly TemplateUse[]) =>
    uses
      .filter((use) => scope.subTenantId === null || use.sub_tenant_id === scope.subTenantId)
      .slice(0, NAMED)
      .map(({ id, name }) => ({ id, name }));
  const details = { sequences: named(sequences), campaigns: named(campaigns), lists: named(lists) };
  const first = Object.values(details).flat()[0];
  const example = first === undefined ? '' : `, such as "${first.name}"`;
  const message = `The template is used by ${counted.join(', ')}${example}. Update them first, or delete the template with force=true.`;
  throw new Refusal('template_in_use', message, { details });
}

function counts(count: number, noun: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
