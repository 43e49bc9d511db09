// Records a message that the send policy of its API key refused in the audit log. This is a separate kind of change, so that
// metrics can count it.
import { auditInsert, type AuditEntry } from '../../accounts/audit/audit.store.js';
import type { PolicyField } from '../../contract/send-policy.js';
import { defineChange } from '../../database/change.js';

export interface RefusedSend {
  entry: AuditEntry;
  /** The field of the policy that did not allow it. */
  field: PolicyField;
}

export const recordRefusedSend = defineChange<RefusedSend>(
  'record-refused-send',
  (writing, { entry }, committed) => auditInsert(entry).apply(writing, committed),
);
