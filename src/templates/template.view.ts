// Templates and their versions as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { readDesign, template, templateSummary, templateVersion } from './template.schema.js';
import type { TemplateWithContent } from './templates.store.js';
import type { TemplateVersion } from './templates.tables.js';

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
