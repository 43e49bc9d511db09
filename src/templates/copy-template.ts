// Copies a template from one environment to the other.
import type { Mode } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import type { TemplateContext } from './context.js';
import { readDesign } from './template.schema.js';
import type { TemplateWithContent } from './templates.store.js';
import { changeTemplate, fetchDesign, planTemplate } from './templates.js';

/**
 * Copies a template to an environment, as a new version if it has a template with the same slug and owner. A slug refers
 * to the other environment.
 */
export async function copyTemplate(
  context: TemplateContext,
  caller: Scope,
  { idOrSlug, environment }: { idOrSlug: string; environment: Mode },
): Promise<{ scope: Scope; row: TemplateWithContent; isNew: boolean }> {
  const { store } = context;
  const target = await store.accounts.environmentOf(caller.workspaceId, environment);
  const source = await findSource(store, caller, idOrSlug, environment);
  if (caller.subTenantId !== null && source.sub_tenant_id === null) {
    throw new Refusal('forbidden', 'The template belongs to the workspace. Use a workspace key.');
  }
  const scope: Scope = { ...target, subTenantId: source.sub_tenant_id };
  const { name, type, slug, subject, html, text, inline_css } = source;
  const design = await fetchDesign(store, source);
  const known = await store.templates.templateBySlug(scope, slug);
  if (known?.environment_id === scope.environmentId && known.sub_tenant_id === scope.subTenantId) {
    const row = await changeTemplate(
      context,
      scope,
      { before: known },
      {
        name,
        type,
        subject,
        html,
        text,
        inline_css: inline_css === 1,
        design: readDesign(design),
      },
    );
    return { scope, row, isNew: false };
  }
  const content = { subject, html, text, inline_css, design };
  const { template, changes } = await planTemplate(context, scope, { name, slug, type }, content);
  await store.commit(changes);
  return { scope, row: template, isNew: true };
}

/** Reads the template in the other environment. Refuses with `not_found`, and with `conflict` if it is in the target. */
async function findSource(
  store: TemplateContext['store'],
  scope: Scope,
  idOrSlug: string,
  to: Mode,
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
