// Table of approvals: messages that wait for a person's decision, and decided ones.
import type { ApprovalStatus } from '../../contract/names.js';
import { instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** One request with all its copies. While it is pending, its messages have no row in the queue. */
export const approvals = table('approvals', {
  /** `apr_…` */
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  /** Row ID of the first message. Its copies have the same content. */
  message_id: int(),
  content_id: int(),
  /** Messages that waited when approval was requested. */
  recipients: int(),
  api_key_id: text(),
  status: text<ApprovalStatus>(),
  /** JSON of `PolicyDifference[]`. */
  differences: json(),
  /** The first message's. */
  content_hash: text(),
  /** The version number. Starts at 1 and increases with each edit. */
  version: int(),
  /** The user who edited this version. `null` if it is the submitted one. */
  edited_by: nullable(text()),
  /** The `expires_at` of the request. Null without one. */
  deliver_until: nullable(instant()),
  expires_at: instant(),
  decided_at: nullable(instant()),
  decided_by: nullable(text()),
  /** The address of the user at that time. */
  decided_by_email: nullable(text()),
  note: nullable(text()),
  /** When approvers were notified. */
  announced_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
});
export type Approval = RowOf<typeof approvals>;
