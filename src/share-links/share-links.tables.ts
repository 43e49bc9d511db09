// Table of links to pages that others see without a key.
import { flag, instant, int, nullable, type RowOf, table, text } from '../database/columns.js';

/** A page that others see without a key. */
export const shareLinks = table('share_links', {
  /** `shr_…`; its signed token opens the page. */
  id: text(),
  environment_id: int(),
  /** The owner of the target. */
  sub_tenant_id: nullable(text()),
  target: text<'message' | 'sub_tenant' | 'sender'>(),
  /** The public id. */
  target_id: text(),
  /** Whether a message's subject and text are shown. */
  include_content: flag(),
  created_at: instant(),
  expires_at: instant(),
  revoked_at: nullable(instant()),
});
export type ShareLink = RowOf<typeof shareLinks>;
