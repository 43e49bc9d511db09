// Restricts operations to the operator: the keys and people of the first workspace.
import type { Caller } from '../../http/access/caller.js';
import { isOperator } from '../operator.rules.js';
import { hasOrganizationAccess } from '../workspaces.js';
import { Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';

/** Part of the descriptions of operations. */
export const FOR_OPERATORS =
  "Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant";

/** Returns whether the caller is a person or an admin key of the operator's workspace, without a sub-tenant. */
export function isOperatorCaller(caller: Caller): boolean {
  return isOperator(caller.scope) && hasOrganizationAccess(caller);
}

/** Refuses customers with `forbidden`. `what` completes the sentence, such as "read the sources". */
export function refuseCustomers(scope: Scope, what: string): void {
  if (isOperator(scope)) return;
  throw new Refusal(
    'forbidden',
    `Only the operator can ${what}. Use a key with admin permission from the operator's workspace.`,
  );
}

/**
 * Refuses with `forbidden` all callers but people and admin keys of the operator's workspace in live mode. Use it for changes
 * that affect the mail of the whole server. `what` completes the sentence, such as "suspend a source".
 */
export function refuseNonOperators(caller: Caller, what: string): void {
  if (isOperatorCaller(caller) && caller.scope.mode === 'live') return;
  throw new Refusal(
    'forbidden',
    `Only the operator can ${what} in the live environment. Use a live key with admin permission from the operator's workspace.`,
  );
}
