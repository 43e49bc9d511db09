// Brings a template from one environment to the other.
import { Refusal } from '../contract/refusal.js';
import { template, templateCopy, templateParams } from './template.schema.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { TemplateWithContent } from './templates.store.js';
import type { Caller } from '../http/access/caller.js';
import type { Api } from '../http/api.js';
import { readDesign } from './template.view.js';
import { changeTemplate, designOf, versionInsert } from './edit.routes.js';
import { tags, type TemplateContext } from './context.routes.js';
import { type Template, templates } from './templates.tables.js';
import { insert } from '../database/rows.js';

export function copyRoute(app: Api, deps: TemplateContext): void {
  const { store } = deps;
  app.post(
    '/v1/templates/:id/copy',
    {
      schema: {
        operationId: 'templates.copy',
        tags,
        summary: 'Copy a template to the other environment',
        description:
          'Copies a template between live and test. If the other environment has a template with the same slug and owner, that template gets a new version (200); otherwise a template is created (201). A slug in the path refers to the source environment. A test key can only copy from live to test.',
        params: templateParams,
        body: templateCopy,
        response: { 200: template, 201: template },
      },
    },
    async (request, reply) => {
      const { caller, body, params } = request;
      const { environment } = body;
      refuseLiveFromTest(caller, environment);
      const target = await store.accounts.environmentOf(caller.scope.workspaceId, environment);
      const source = await findSource(deps, caller.scope, params.id, environment);
      if (caller.scope.subTenantId !== null && source.sub_tenant_id === null) {
        throw new Refusal('forbidden', 'The template belongs to the workspace. Use a workspace key.');
      }
      const scope: Scope = { ...target, subTenantId: source.sub_tenant_id };
      const { name, type, slug, subject, html, text, inline_css } = source;
      const design = await designOf(store, source);
      const known = await store.templates.templateBySlug(scope, slug);
      if (known?.environment_id === scope.environmentId && known.sub_tenant_id === scope.subTenantId) {
        const content = {
          ...{ name, type, subject, html, text, inline_css: inline_css === 1 },
          design: readDesign(design),
        };
        return deps.present(scope, await changeTemplate(deps, scope, { before: known }, content));
      }
      const now = deps.clock();
      const row: Template = {
        id: newId('tpl', now),
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        slug,
        name,
        type,
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      };
      const content = { subject, html, text, inline_css };
      await store.commit([
        insert(templates, { row, conflict: { code: 'slug_taken', param: 'slug' } }),
        versionInsert(row, { ...content, design }, now),
      ]);
      const made: TemplateWithContent = { ...row, ...content, mode: environment };
      return reply.status(201).send(await deps.present(scope, made));
    },
  );
}

function refuseLiveFromTest({ role, scope }: Caller, environment: Scope['mode']): void {
  if (environment === 'test' || scope.mode === 'live' || role !== null) return;
  throw new Refusal(
    'forbidden',
    'Test keys cannot change live templates. Use a live key to copy the template.',
  );
}

/** The template of the environment that is not copied to. Refused with `not_found`, and with `conflict` when it is there. */
async function findSource(
  { store }: TemplateContext,
  scope: Scope,
  idOrSlug: string,
  to: Scope['mode'],
): Promise<TemplateWithContent> {
  if (idOrSlug.startsWith('tpl_')) {
    const byId = await store.templates.templateOfEither(scope, idOrSlug);
    const isSeen = byId?.environment_id === scope.environmentId || scope.mode === 'test';
    if (byId?.mode === to && isSeen) {
      throw new Refusal('conflict', `The template already exists in the ${to} environment.`);
    }
    if (byId && byId.mode !== to) return byId;
  }
  const from = await store.accounts.environmentOf(scope.workspaceId, to === 'live' ? 'test' : 'live');
  const bySlug = await store.templates.templateBySlug({ ...from, subTenantId: scope.subTenantId }, idOrSlug);
  if (bySlug?.mode !== from.mode) throw new Refusal('not_found');
  return bySlug;
}
