// Table of suppressed addresses.
import { instant, int, json, nullable, type RowOf, table, text } from '../database/columns.js';

export const suppressions = table('suppressions', {
  id: text(),
  environment_id: int(),
  /** '' for the whole workspace, else a sub-tenant's id. */
  sub_tenant_key: text(),
  email: text(),
  email_key: text(),
  reason: text<'bounce' | 'complaint' | 'unsubscribe' | 'manual'>(),
  message_public_id: nullable(text()),
  /** JSON: the reply of the recipient's server. */
  reply: nullable(json()),
  created_at: instant(),
});
export type Suppression = RowOf<typeof suppressions>;
