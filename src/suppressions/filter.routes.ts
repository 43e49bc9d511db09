// Filters of the suppression list and its export, as the store expects them.
import type { SuppressionExportQuery, SuppressionListQuery } from './suppression.schema.js';
import { narrowedTo, type Scope } from '../database/scope.js';
import type { SuppressionFilter } from './suppressions.store.js';
import { readInstant } from '../http/body/fields.js';

type Query = Omit<SuppressionListQuery & SuppressionExportQuery, 'format' | 'limit' | 'cursor'>;

/** Returns null if the query names another sub-tenant than the caller's, because nothing can match. */
export function readSuppressionFilter(
  query: Query,
  callerScope: Scope,
): { scope: Scope; filter: SuppressionFilter } | null {
  const filter = toSuppressionFilter(query);
  const scope = narrowedTo(callerScope, query.sub_tenant_id);
  return scope === null ? null : { scope, filter };
}

export function toSuppressionFilter(query: Omit<Query, 'order' | 'sub_tenant_id'>): SuppressionFilter {
  const { reason, q, created_after: after, created_before: before } = query;
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(q === undefined || q === '' ? {} : { q }),
    ...(after === undefined ? {} : { createdAfter: readInstant('created_after', after) }),
    ...(before === undefined ? {} : { createdBefore: readInstant('created_before', before) }),
  };
}
