// The filters of the suppression list and its export as the store takes them.
import type { SuppressionExportQuery, SuppressionListQuery } from './suppression.schema.js';
import type { Scope } from '../store/scope.js';
import type { SuppressionFilter } from './suppressions.store.js';
import { readInstant } from '../api/body/fields.js';

type Query = Omit<SuppressionListQuery & SuppressionExportQuery, 'format' | 'limit' | 'cursor'>;

/** Null when nothing can match: another sub-tenant than the caller's. */
export function readSuppressionFilter(
  query: Query,
  callerScope: Scope,
): { scope: Scope; filter: SuppressionFilter } | null {
  const { sub_tenant_id: tenant } = query;
  const filter = suppressionFilterOf(query);
  if (tenant === undefined || tenant === callerScope.subTenantId) return { scope: callerScope, filter };
  if (callerScope.subTenantId !== null) return null;
  // A suppression outlives its sub-tenant, so nobody asks whether there still is one.
  return { scope: { ...callerScope, subTenantId: tenant }, filter };
}

/** A filter of suppressions within a scope. */
export function suppressionFilterOf(query: Omit<Query, 'order' | 'sub_tenant_id'>): SuppressionFilter {
  const { reason, q, created_after: after, created_before: before } = query;
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(q === undefined || q === '' ? {} : { q }),
    ...(after === undefined ? {} : { createdAfter: readInstant('created_after', after) }),
    ...(before === undefined ? {} : { createdBefore: readInstant('created_before', before) }),
  };
}
