// Scope of a caller. Every read takes a scope; rows outside of it are not found.
import type { Mode } from '../contract/names.js';

export interface Scope {
  organizationId: string;
  workspaceId: string;
  workspaceNumber: number;
  environmentId: number;
  mode: Mode;
  /** Set by a pinned key or by X-Sub-Tenant-Id: only what belongs to this sub-tenant is seen. */
  subTenantId: string | null;
}

/**
 * Returns the scope narrowed to the sub-tenant of a filter, or null if the scope has another one, so nothing can match. The
 * sub-tenant need not exist: messages, events and suppressions outlive it.
 */
export function narrowedTo(scope: Scope, subTenantId: string | undefined): Scope | null {
  if (subTenantId === undefined || subTenantId === scope.subTenantId) return scope;
  return scope.subTenantId === null ? { ...scope, subTenantId } : null;
}

/** A page of a list. `after` is the last key of the page before. */
export interface PageRequest {
  limit: number;
  after: string | null;
  /** Newest first (`desc`) without it. */
  order?: 'asc' | 'desc';
  /** Epoch ms: rows made then or later. */
  createdAfter?: number;
  /** Epoch ms: rows made before. */
  createdBefore?: number;
}

export interface Page<T> {
  rows: T[];
  /** Null on the last page. */
  next: string | null;
}

/** Cuts a page from up to `limit + 1` rows. */
export function pageOf<T>(rows: T[], limit: number, keyOf: (row: T) => string): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}
