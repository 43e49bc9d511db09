// Templates and their versions as /v1 shows them.
import type { TemplateSummary, TemplateVersionWire, TemplateWire } from './template.schema.js';
import type { TemplateVersion, TemplateWithContent } from './templates.store.js';
import { iso } from '../contract/time.js';

/** A design as it is stored. */
export function readDesign(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

export function presentTemplate(
  row: TemplateWithContent,
  { variables, design }: { variables: string[]; design: string | null },
): TemplateWire {
  return {
    id: row.id,
    object: 'template',
    name: row.name,
    slug: row.slug,
    type: row.type,
    subject: row.subject,
    html: row.html,
    text: row.text,
    inline_css: row.inline_css === 1,
    design: readDesign(design),
    version: row.version,
    variables,
    environment: row.mode,
    sub_tenant_id: row.sub_tenant_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentTemplateSummary(row: TemplateWithContent): TemplateSummary {
  return {
    id: row.id,
    object: 'template_summary',
    name: row.name,
    slug: row.slug,
    type: row.type,
    subject: row.subject,
    version: row.version,
    environment: row.mode,
    sub_tenant_id: row.sub_tenant_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentTemplateVersion(row: TemplateVersion): TemplateVersionWire {
  return {
    object: 'template_version',
    template_id: row.template_id,
    version: row.version,
    subject: row.subject,
    html: row.html,
    text: row.text,
    inline_css: row.inline_css === 1,
    design: readDesign(row.design),
    created_at: iso(row.created_at),
  };
}
