// Bulk actions as /v1 shows them.
import type { BulkAction, BulkActionWire, BulkPreviewWire } from './bulk-action.schema.js';
import type { Transfer } from './transfers.store.js';
import type { BulkPreview } from './bulk-actions.js';
import { bulkOptions, bulkProgress, type BulkFilter } from './bulk-record.js';
import { iso, isoOrNull } from '../contract/time.js';

export function presentBulkAction(row: Transfer): BulkActionWire {
  const { deed, wanted, asked } = bulkOptions(row);
  return {
    id: row.id,
    object: 'bulk_action',
    target: wanted.target,
    action: deed.action,
    filter: asked,
    tags: [...deed.tags],
    reason: deed.action === 'suppress' ? deed.reason : null,
    status: row.status,
    sub_tenant_id: row.sub_tenant_id,
    total: row.total,
    processed: row.processed,
    done: row.updated,
    skipped: row.processed - row.updated - row.failed,
    failed: row.failed,
    failures: [...bulkProgress(row).failures],
    error: row.error,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    finished_at: isoOrNull(row.finished_at),
  };
}

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
