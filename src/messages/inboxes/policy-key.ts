// The API key with which replies from an inbox are sent.
import { readStoredPolicy } from '../../contract/send-policy.js';
import { Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';
import type { SubmissionContext } from '../accept/accept.js';
import type { MessageContext } from '../context.js';
import type { Thread } from '../threads/threads.tables.js';

type Reads = Pick<MessageContext, 'store' | 'clock'>;

/** Returns an active key of exactly this environment and sub-tenant; `null` if it was revoked, has expired or belongs elsewhere. */
export async function usableKey({ store, clock }: Reads, scope: Scope, id: string) {
  const key = await store.accounts.apiKey({ workspaceId: scope.workspaceId, subTenantId: null }, id);
  if (key?.mode !== scope.mode) return null;
  if (key.sub_tenant_id !== null && key.sub_tenant_id !== scope.subTenantId) return null;
  return key.expires_at === null || key.expires_at > clock() ? key : null;
}

/** Whether both IDs are of one key. A rotation gives it a new ID, and the old one works until it expires or is revoked. */
export async function isSameKey(reads: Reads, scope: Scope, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [latest, latestOther] = await Promise.all([
    latestKey(reads, scope, one),
    latestKey(reads, scope, other),
  ]);
  return latest === latestOther;
}

/** Returns the ID that a key has after its rotations. */
async function latestKey({ store }: Reads, { workspaceId }: Scope, id: string): Promise<string> {
  let latest = id;
  for (let next: string | null = id; next !== null;) {
    latest = next;
    next = await store.accounts.replacementOf(workspaceId, latest);
  }
  return latest;
}

/** Whether the key is the policy key of the thread's inbox. */
export async function isPolicyKeyOf(
  reads: Reads,
  scope: Scope,
  { inbox_id: inboxId }: Pick<Thread, 'inbox_id'>,
  keyId: string,
): Promise<boolean> {
  const inbox = inboxId === null ? null : await reads.store.inboxes.inbox(scope, inboxId);
  const policyKey = inbox?.policy_key_id ?? null;
  return policyKey !== null && isSameKey(reads, scope, policyKey, keyId);
}

/**
 * Returns the context of a reply, which is sent with the policy key of the thread's inbox if it has one. Refused if that key can no
 * longer be used, or if the caller's key has its own send policy.
 */
export async function withPolicyKey(
  reads: Reads,
  scope: Scope,
  thread: Thread,
  context: SubmissionContext,
): Promise<SubmissionContext> {
  const inbox = thread.inbox_id === null ? null : await reads.store.inboxes.inbox(scope, thread.inbox_id);
  if (inbox === null || inbox.policy_key_id === null) return context;
  const keyId = await latestKey(reads, scope, inbox.policy_key_id);
  if (context.keyId !== null && (await isSameKey(reads, scope, keyId, context.keyId))) return context;
  if (context.policy !== null) {
    throw new Refusal(
      'forbidden',
      'This API key has a send policy, so it cannot reply from an inbox with another policy key.',
    );
  }
  const key = await usableKey(reads, scope, keyId);
  if (key === null) {
    throw new Refusal(
      'conflict',
      "The inbox's policy key was revoked or has expired. Set another key, or none, before you reply.",
    );
  }
  return { ...context, keyId, policy: readStoredPolicy(key.policy) };
}
