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
  /** Rules of its style elements are copied into the elements' own style attributes once it is filled. */
  inline_css: flag(),
  /** JSON: what an editor made the html from. */
  design: nullable(text()),
  created_at: instant(),
});
export type TemplateVersion = RowOf<typeof templateVersions>;

export const savedBlocks = table('saved_blocks', {
  id: text(),
  environment_id: int(),
  /** Null for a block of the workspace. */
  sub_tenant_id: nullable(text()),
  name: text(),
  /** A block of a template design as JSON. */
  block: text(),
  created_at: instant(),
  updated_at: instant(),
});
export type SavedBlock = RowOf<typeof savedBlocks>;

/** A sequence, a campaign or a list that sends a template. */
export interface TemplateUse {
  id: string;
  name: string;
  sub_tenant_id: string | null;
}
