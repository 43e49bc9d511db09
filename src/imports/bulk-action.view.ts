// Bulk actions as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { bulkAction, type BulkAction, type BulkPreviewWire } from './bulk-action.schema.js';
import type { BulkPreview } from './bulk-actions.js';
import { bulkOptions, bulkProgress, type BulkFilter } from './bulk-record.js';
import type { Transfer } from './transfers.tables.js';

export const presentBulkAction = wireOf(bulkAction).from<Transfer>({
  target: (row) => bulkOptions(row).wanted.target,
  action: (row) => bulkOptions(row).deed.action,
  filter: (row) => bulkOptions(row).asked,
  tags: (row) => [...bulkOptions(row).deed.tags],
  list_id: (row) => bulkOptions(row).deed.list?.id ?? null,
  reason: (row) => {
    const { deed } = bulkOptions(row);
    return deed.action === 'suppress' ? deed.reason : null;
  },
  done: 'updated',
  skipped: (row) => row.processed - row.updated - row.failed,
  failures: (row) => [...bulkProgress(row).failures],
});

export function presentBulkPreview(
  { count, isExact, sample }: BulkPreview,
  { target }: BulkFilter,
  action: BulkAction,
): BulkPreviewWire {
  return {
    object: 'bulk_action_preview',
    target,
    action,
    count,
    count_exact: isExact,
    sample: sample.map((one) =>
      one.target === 'messages'
        ? {
            id: one.row.public_id,
            object: 'message' as const,
            email: one.row.to_email,
            status: one.row.status,
            subject: one.row.subject,
          }
        : {
            id: one.row.id,
            object: 'contact' as const,
            email: one.row.email,
            status: one.row.status,
            subject: null,
          },
    ),
  };
}
