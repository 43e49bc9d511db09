// Templates: sources of subject, html and text, kept in versions, found by id or slug.
import { preconditionOf } from '../http/server/preconditions.js';
import { Refusal } from '../contract/refusal.js';
import { deleted } from '../contract/schema.js';
import {
  slugOf,
  template,
  templateCreate,
  templateDeleteQuery,
  templateList,
  templateParams as params,
  templateQuery,
  templateUpdate,
} from './template.schema.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentTemplate, presentTemplateSummary } from './template.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import {
  changeTemplate,
  createTemplateSources,
  designText,
  isSlugTaken,
  refuseSlug,
  refuseUnowned,
  versionInsert,
  type Sources,
} from './edit.routes.js';
import { copyRoute } from './copy.routes.js';
import { tags, type TemplateContext, type TemplateRouteDeps } from './context.routes.js';
import { renderContentRoute, renderRoute, testRoute } from './render.routes.js';
import { versionRoutes } from './versions.routes.js';
import { type Template, type TemplateUse, templates } from './templates.tables.js';
import { insert, update } from '../database/rows.js';

/** Characters of an id that tell a derived slug from one that is taken. */
const SLUG_TAIL = 6;

export function templateRoutes(app: Api, given: TemplateRouteDeps): void {
  const { store, renderer } = given;
  const sources = createTemplateSources(renderer);
  const presentAll: TemplateContext['presentAll'] = async (scope, rows) => {
    const designs = await store.templates.designsOf(
      rows.map(({ id, version }) => ({ template_id: id, version })),
    );
    return Promise.all(
      rows.map(async (row) => {
        const variables = await sources.variablesOf(scope, row);
        return presentTemplate(row, { variables, design: designs.get(row.id) ?? null });
      }),
    );
  };
  const deps: TemplateContext = {
    ...given,
    sources,
    find: async (scope, idOrSlug) => {
      const byId = idOrSlug.startsWith('tpl_') ? await store.templates.template(scope, idOrSlug) : null;
      const found = byId ?? (await store.templates.templateBySlug(scope, idOrSlug));
      if (!found) throw new Refusal('not_found');
      return found;
    },
    present: async (scope, row) => {
      const [shown] = await presentAll(scope, [row]);
      if (shown === undefined) throw new Error('A template was not presented.');
      return shown;
    },
    presentAll,
  };
  listRoute(app, deps);
  createRoute(app, deps);
  readRoute(app, deps);
  changeRoutes(app, deps);
  versionRoutes(app, deps);
  copyRoute(app, deps);
  renderContentRoute(app, deps);
  renderRoute(app, deps);
  testRoute(app, deps);
}

function listRoute(app: Api, { store, presentAll }: TemplateContext): void {
  app.get(
    '/v1/templates',
    {
      schema: {
        operationId: 'templates.list',
        tags,
        summary: 'List templates',
        description:
          "Returns templates, newest first. A sub-tenant's key also sees the workspace's templates, and a test key also sees live templates.",
        querystring: templateQuery,
        response: { 200: templateList },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { q, view } = request.query;
      const page = await store.templates.templates(scope, readPage(request), q === undefined ? {} : { q });
      if (view === 'summary') return listAnswer(request, page, presentTemplateSummary);
      const shown = await presentAll(scope, page.rows);
      return listAnswer(request, { rows: shown, next: page.next }, (wire) => wire);
    },
  );
}

function createRoute(app: Api, { store, sources, clock, present }: TemplateContext): void {
  app.post(
    '/v1/templates',
    {
      schema: {
        operationId: 'templates.create',
        tags,
        summary: 'Create a template',
        description:
          'Creates a template with its first version. The syntax is checked, and the slug is derived from the name if omitted.',
        body: templateCreate,
        response: { 201: template },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const { subject = null, html = null, text = null } = body;
      const content: Sources = { subject, html, text, inline_css: body.inline_css === true ? 1 : 0 };
      const design = designText(body.design ?? null);
      if (body.slug !== undefined) await refuseSlug(store, scope, body.slug);
      await sources.check(scope, content);
      const now = clock();
      const id = newId('tpl', now);
      const row: Template = {
        id,
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        slug: body.slug ?? (await freeSlug(store, scope, { name: body.name, id })),
        name: body.name,
        type: body.type ?? 'any',
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      };
      await store.commit([
        insert(templates, { row, conflict: { code: 'slug_taken', param: 'slug' } }),
        versionInsert(row, { ...content, design }, now),
      ]);
      return reply.status(201).send(await present(scope, { ...row, ...content, mode: scope.mode }));
    },
  );
}

async function freeSlug(
  store: TemplateContext['store'],
  scope: Scope,
  { name, id }: { name: string; id: string },
): Promise<string> {
  const derived = slugOf(name);
  if (derived !== '' && !(await isSlugTaken(store, scope, derived))) return derived;
  const base = derived === '' ? 'template' : derived.slice(0, 100 - SLUG_TAIL - 1);
  return `${base}-${id.slice(-SLUG_TAIL)}`;
}

function readRoute(app: Api, { find, present }: TemplateContext): void {
  app.get(
    '/v1/templates/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'templates.get',
        tags,
        summary: 'Retrieve a template',
        description:
          'Returns a template with the content of its current version. You can pass its slug instead of its ID.',
        params,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return present(scope, await find(scope, request.params.id));
    },
  );
}

function changeRoutes(app: Api, deps: TemplateContext): void {
  const { store, senders, find, present, clock } = deps;

  app.patch(
    '/v1/templates/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'templates.update',
        tags,
        summary: 'Update a template',
        description:
          'Changes a template. If the content changes, a new version is created. Messages that have already been created are not affected.',
        params,
        body: templateUpdate,
        response: { 200: template },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const before = await find(scope, request.params.id);
      refuseUnowned(scope, before);
      const guard = preconditionOf(request, before);
      const after = await changeTemplate(deps, scope, { before, guard }, request.body);
      return present(scope, after);
    },
  );

  app.delete(
    '/v1/templates/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'templates.delete',
        tags,
        summary: 'Delete a template',
        description:
          "Deletes a template; messages created from it are not affected. Fails with `template_in_use` if a sequence, an unfinished campaign or a list's confirmation email uses the template, unless `force` is `true`. Afterwards, such a sequence pauses at the step that sends the template, and the list sends a plain confirmation email.",
        params,
        querystring: templateDeleteQuery,
        response: { 200: deleted('template') },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      refuseUnowned(scope, row);
      const guard = preconditionOf(request, row);
      if (request.query.force !== true) await refuseUsed({ store, senders }, scope, row);
      const set = { deleted_at: clock() };
      const where = { id: row.id, deleted_at: null, ...guard.where };
      const otherwise = guard.otherwise ?? { code: 'not_found' };
      await store.commit([update(templates, { set, where, otherwise })]);
      return { id: row.id, object: 'template' as const, deleted: true as const };
    },
  );
}

/** Number of sequences, of campaigns and of lists that a refusal names. */
const NAMED = 20;

/** Refused with `template_in_use`. A tenant learns the names of its own sequences, campaigns and lists only. */
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
