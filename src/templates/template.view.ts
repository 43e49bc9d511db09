// Templates and their versions as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { template, templateSummary, templateVersion } from './template.schema.js';
import type { TemplateWithContent } from './templates.store.js';
import type { TemplateVersion } from './templates.tables.js';

/** A design as it is stored. */
export function readDesign(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

export const presentTemplate = wireOf(template).from<
  TemplateWithContent,
  { variables: string[]; design: string | null }
>({
  design: (_row, { design }) => readDesign(design),
  variables: (_row, { variables }) => variables,
  environment: 'mode',
});

export const presentTemplateSummary = wireOf(templateSummary).from<TemplateWithContent>({
  environment: 'mode',
});

export const presentTemplateVersion = wireOf(templateVersion).from<TemplateVersion>();
