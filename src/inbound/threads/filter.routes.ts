// The filters of GET /v1/threads as the store takes them.
import type { ThreadsQuery } from './thread.schema.js';
import { addressKey } from '../../lib/mime/address.js';
import type { Scope } from '../../store/scope.js';
import type { ThreadFilter } from './threads.store.js';

/** Null when nothing can match: another sub-tenant than the caller's. */
export function readThreadFilter(
  query: ThreadsQuery,
  callerScope: Scope,
): { scope: Scope; filter: ThreadFilter } | null {
  const { status, correspondent, q, sub_tenant_id: tenant } = query;
  const filter: ThreadFilter = {
    ...(status === undefined ? {} : { status }),
    ...(q === undefined ? {} : { q }),
    ...(correspondent === undefined ? {} : { correspondentKey: addressKey(correspondent.trim()) }),
  };
  if (tenant === undefined || tenant === callerScope.subTenantId) return { scope: callerScope, filter };
  if (callerScope.subTenantId !== null) return null;
  return { scope: { ...callerScope, subTenantId: tenant }, filter };
}
