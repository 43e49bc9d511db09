// Access of the operator: the keys and people of the workspace that the first start made.
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../store/scope.js';

export const OPERATOR_WORKSPACE = 1;

/** Not a request that is narrowed to a sub-tenant. */
export function isOperator({ subTenantId, workspaceNumber }: Scope): boolean {
  return subTenantId === null && workspaceNumber === OPERATOR_WORKSPACE;
}

/** Refuses with `forbidden`, in these words. */
export function refuseCustomers(scope: Scope, sentence: string): void {
  if (!isOperator(scope)) throw new Refusal('forbidden', sentence);
}
