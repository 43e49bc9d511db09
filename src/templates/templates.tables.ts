// Tables of templates and their versions.
import type { MessageType } from '../contract/names.js';
import { flag, instant, int, nullable, type RowOf, table, text } from '../database/columns.js';

export const templates = table('templates', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  slug: text(),
  name: text(),
  type: text<MessageType | 'any'>(),
  version: int(),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type Template = RowOf<typeof templates>;

export const templateVersions = table('template_versions', {
  template_id: text(),
  version: int(),
  subject: nullable(text()),
  html: nullable(text()),
  text: nullable(text()),
  /** Whether to copy the rules of style elements into style attributes after filling. */
  inline_css: flag(),
  /** JSON of the editor's design from which the HTML was made. */
  design: nullable(text()),
  created_at: instant(),
});
export type TemplateVersion = RowOf<typeof templateVersions>;

export const savedBlocks = table('saved_blocks', {
  id: text(),
  environment_id: int(),
  /** `null` for a block of the workspace. */
  sub_tenant_id: nullable(text()),
  name: text(),
  /** A block of a template design as JSON. */
  block: text(),
  created_at: instant(),
  updated_at: instant(),
});
export type SavedBlock = RowOf<typeof savedBlocks>;

/** A sequence, campaign or list that sends a template. */
export interface TemplateUse {
  id: string;
  name: string;
  sub_tenant_id: string | null;
}
