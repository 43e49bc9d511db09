// Shared by creating, changing and showing templates: checks the sources, finds the variables, keeps slugs unique.
import { createLruCache } from '../lib/runtime/lru-cache.js';
import { MAX_DESIGN_CHARACTERS, slugProblem, type TemplateUpdate } from './template.schema.js';
import { Refusal, invalidFields } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import { changeTime } from '../contract/time.js';
import type { Scope } from '../database/scope.js';
import type { TemplateStores } from './stores.js';
import type { TemplateWithContent } from './templates.store.js';
import type { Renderer } from './rendering/renderer.js';
import { type Template, templateVersions, templates } from './templates.tables.js';
import { groupedDigits } from '../lib/rows/grouped-digits.js';
import { type ChangeGuard, insert, update } from '../database/rows.js';
import type { Plan } from '../database/change.js';

const KNOWN_VARIABLES = 10_000;

const CONTENT = ['subject', 'html', 'text', 'inline_css'] as const;

export interface Sources {
  subject: string | null;
  html: string | null;
  text: string | null;
  inline_css: 0 | 1;
}

export interface TemplateSources {
  /** The names that new sources read. Refuses `content_required` and `template_invalid` (details: part, line). */
  check(scope: Scope, sources: Sources): Promise<string[]>;
  /** The names that a stored template reads. */
  variablesOf(scope: Scope, row: TemplateWithContent): Promise<string[]>;
}

/** Parsing happens in the renderer's threads; what it found for a stored version is remembered. */
export function createTemplateSources(renderer: Renderer): TemplateSources {
  const known = createLruCache<string, string[]>(KNOWN_VARIABLES);

  async function ask(scope: Scope, { subject, html, text, inline_css }: Sources) {
    const answer = await renderer.check({
      subject,
      html,
      text,
      inlineCss: inline_css === 1,
      owner: scope.subTenantId ?? scope.workspaceId,
    });
    if (answer.kind === 'busy') {
      throw new Refusal(
        'unavailable',
        'The server is parsing too many templates. Nothing was stored. Try again.',
      );
    }
    return answer;
  }

  return {
    async check(scope, sources) {
      if (!sources.html && !sources.text) {
        throw new Refusal('content_required', 'The template must have html or text.', { param: 'html' });
      }
      const answer = await ask(scope, sources);
      if (answer.kind === 'valid') return answer.variables;
      const { part, line, column, message } = answer;
      const where = line === undefined ? '' : ` (line ${line})`;
      throw new Refusal('template_invalid', `${message.replace(/\.$/, '')}${where}.`, {
        param: part,
        details: { part, line, column },
      });
    },

    async variablesOf(scope, row) {
      const version = `${row.id} ${row.version}`;
      const found = known.get(version);
      if (found) return found;
      const answer = await ask(scope, { ...row, inline_css: 0 });
      // Saved under the rules of an earlier release: it can still be shown.
      const variables = answer.kind === 'valid' ? answer.variables : [];
      known.set(version, variables);
      return variables;
    },
  };
}

/** Refuses a slug of the wrong form, and `slug_taken` when the owner has another template with it. */
export async function refuseSlug(
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

/** Only the owner's own templates count: a sub-tenant may take a slug of the workspace to replace its template. */
export async function isSlugTaken(
  store: Pick<TemplateStores, 'templates'>,
  scope: Scope,
  slug: string,
  butFor?: string,
): Promise<boolean> {
  const found = await store.templates.templateBySlug(scope, slug);
  if (found === null || found.id === butFor) return false;
  return found.environment_id === scope.environmentId && found.sub_tenant_id === scope.subTenantId;
}

/** Refuses to change templates that a scope may only use: live templates in test, and the workspace's in a sub-tenant. */
export function refuseUnowned(scope: Scope, row: Template): void {
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

/** A design as it is stored. Refuses one that is too long. */
export function designText(design: Readonly<Record<string, unknown>> | null): string | null {
  if (design === null) return null;
  const text = JSON.stringify(design);
  if (text.length <= MAX_DESIGN_CHARACTERS) return text;
  const limit = groupedDigits(MAX_DESIGN_CHARACTERS);
  throw invalidFields([{ path: 'design', message: `must not exceed ${limit} characters of JSON` }]);
}

/** The stored design of the version that a template is at. */
export async function designOf(
  store: Pick<TemplateStores, 'templates'>,
  { id, version }: Pick<Template, 'id' | 'version'>,
): Promise<string | null> {
  const designs = await store.templates.designsOf([{ template_id: id, version }]);
  return designs.get(id) ?? null;
}

export function versionInsert(
  row: Template,
  content: Sources & { design: string | null },
  now: number,
): Plan[number] {
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

/** Commits what the body changes; two changes at the same time cannot both make the next version. */
export async function changeTemplate(
  {
    store,
    sources,
    clock,
  }: { store: Pick<TemplateStores, 'templates' | 'commit'>; sources: TemplateSources; clock: Clock },
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
  const stored = await designOf(store, before);
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
