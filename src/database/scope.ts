// Scope of a caller. Every read takes a scope and finds only rows within it.
import type { Mode } from '../contract/names.js';

export interface Scope {
  organizationId: string;
  workspaceId: string;
  workspaceNumber: number;
  environmentId: number;
  mode: Mode;
  /** Set by a pinned key or by X-Sub-Tenant-Id; only rows of this sub-tenant are then visible. */
  subTenantId: string | null;
}

/**
 * Returns the scope narrowed to a filter's sub-tenant, or null if the scope has another one, so nothing can match. The
 * sub-tenant need not exist, because messages, events and suppressions outlive it.
 */
export function narrowedTo(scope: Scope, subTenantId: string | undefined): Scope | null {
  if (subTenantId === undefined || subTenantId === scope.subTenantId) return scope;
  return scope.subTenantId === null ? { ...scope, subTenantId } : null;
}

/** Request for a page of a list. `after` is the last key of the previous page. */
export interface PageRequest {
  limit: number;
  after: string | null;
  /** Default: newest first (`desc`). */
  order?: 'asc' | 'desc';
  /** Epoch ms, inclusive. */
  createdAfter?: number;
  /** Epoch ms, exclusive. */
  createdBefore?: number;
}

export interface Page<T> {
  rows: T[];
  /** Null on the last page. */
  next: string | null;
}

/** Cuts a page from up to `limit + 1` rows. */
export function cutPage<T>(rows: T[], limit: number, keyOf: (row: T) => string): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}
