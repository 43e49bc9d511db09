// Adds and lifts the suppression of an address.
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import { newId } from '../lib/runtime/index.js';
import type { SuppressionContext } from './context.js';
import { liftSuppressions, suppress } from './suppression-changes.store.js';
import type { Suppression } from './suppressions.tables.js';

type SuppressionWork = Pick<SuppressionContext, 'store' | 'clock'>;

interface Given {
  email: string;
  emailKey: string;
  reason: Suppression['reason'];
  /** JSON. */
  reply: string | null;
}

/** Suppresses an address in a scope. An existing suppression keeps its reason. */
export async function createSuppression(
  { store, clock }: SuppressionWork,
  scope: Scope,
  { email, emailKey, reason, reply }: Given,
): Promise<{ row: Suppression; isNew: boolean }> {
  const known = await findSuppression({ store }, scope, emailKey);
  if (known) return { row: known, isNew: false };
  const now = clock();
  const row = {
    id: newId('sup', now),
    environment_id: scope.environmentId,
    sub_tenant_key: scope.subTenantId ?? '',
    email,
    email_key: emailKey,
    reason,
    message_public_id: null,
    reply,
    created_at: now,
  };
  await store.commit([suppress({ row, conflict: 'ignore' })]);
  // A simultaneous request may have added the address first.
  const stored = (await findSuppression({ store }, scope, emailKey)) ?? row;
  return { row: stored, isNew: stored.id === row.id };
}

/** Lifts a suppression. Refuses with `not_found` if it is null, or if another request lifted it. */
export async function liftSuppression(
  { store, clock }: SuppressionWork,
  row: Pick<Suppression, 'id'> | null,
): Promise<string> {
  const otherwise = { code: 'not_found' } as const;
  if (!row) throw new Refusal(otherwise.code);
  await store.commit([liftSuppressions({ where: { id: row.id }, at: clock(), otherwise })]);
  return row.id;
}

/** Reads the suppression of exactly this scope. A sub-tenant's and the workspace's are independent of each other. */
export async function findSuppression(
  { store }: Pick<SuppressionContext, 'store'>,
  scope: Scope,
  emailKey: string,
): Promise<Suppression | null> {
  const [row = null] = await store.suppressions.suppressionsOfExactly(scope, [emailKey]);
  return row;
}
