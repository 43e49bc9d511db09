// Finds the templates that the steps of a sequence name by slug.
import type { Scope } from '../database/scope.js';
import type { SequenceStores } from './stores.js';
import type { SequenceStep } from './steps.rules.js';
import type { Sequence } from './sequences.tables.js';

/** Returns the IDs of the templates by slug, without the slugs of templates that do not exist. */
export async function templatesOfSlugs(
  { templates }: Pick<SequenceStores, 'templates'>,
  scope: Scope,
  row: Pick<Sequence, 'steps' | 'sub_tenant_id'>,
): Promise<Record<string, string>> {
  const owner = { ...scope, subTenantId: row.sub_tenant_id };
  const steps = JSON.parse(row.steps) as SequenceStep[];
  const slugs = new Set(steps.flatMap((step) => (step.type === 'send' ? [step.template] : [])));
  const found: Record<string, string> = {};
  for (const slug of slugs) {
    const template = await templates.templateBySlug(owner, slug);
    if (template !== null) found[slug] = template.id;
  }
  return found;
}
