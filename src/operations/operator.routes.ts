// Access of the operator: the keys and people of the workspace that the first start made.
import type { Caller } from '../accounts/api-keys/credential-cache.js';
import { isOfOrganization } from '../accounts/workspaces.js';
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

/**
 * Refuses with `forbidden` who may not change what concerns the mail of the whole host: all but people and admin keys of the
 * operator's workspace, in live. `what`: as in "suspend a source".
 */
export function refuseOthers(caller: Caller, what: string): void {
  if (isOperator(caller.scope) && isOfOrganization(caller) && caller.scope.mode === 'live') return;
  throw new Refusal(
    'forbidden',
    `Only the operator may ${what}, in live. Use a live key of permission admin of the operator's workspace.`,
  );
}
