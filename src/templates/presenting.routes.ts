// Presents templates with the variables and design of their current version.
import type { Scope } from '../database/scope.js';
import type { TemplateContext } from './context.js';
import type { TemplateWire } from './template.schema.js';
import { presentTemplate } from './template.view.js';
import { fetchDesign } from './templates.js';
import type { TemplateWithContent } from './templates.store.js';

export const tags = ['Templates'];

type Presenting = Pick<TemplateContext, 'store' | 'sources'>;

export async function presentOne(
  { store, sources }: Presenting,
  scope: Scope,
  row: TemplateWithContent,
): Promise<TemplateWire> {
  const design = await fetchDesign(store, row);
  return presentTemplate(row, { variables: await sources.readVariables(scope, row), design });
}

export async function presentAll(
  { store, sources }: Presenting,
  scope: Scope,
  rows: readonly TemplateWithContent[],
): Promise<TemplateWire[]> {
  const designs = await store.templates.designsOf(
    rows.map(({ id, version }) => ({ template_id: id, version })),
  );
  return Promise.all(
    rows.map(async (row) => {
      const variables = await sources.readVariables(scope, row);
      return presentTemplate(row, { variables, design: designs.get(row.id) ?? null });
    }),
  );
}
