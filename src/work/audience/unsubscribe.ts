// A recipient leaves (RFC 8058, RFC 2369): suppression, contact and trail in one transaction.
import type { Clock } from '../../runtime/clock.js';
import { newId } from '../../runtime/ids.js';
import type { EventDetail, Plan } from '../../store/plan.js';
import type { SignedLinkTarget } from '../../store/messages.js';
import type { Store } from '../../store/store.js';

export interface UnsubscribeDeps {
  store: Pick<Store, 'audience' | 'events' | 'messages' | 'commit'>;
  clock: Clock;
  bells: { events(): void };
}

/** Done again it changes nothing. Answers false when there is no such message. */
export type Unsubscribe = (messagePublicId: string, detail: EventDetail) => Promise<boolean>;

/**
 * Suppresses the recipient of a message for its sub-tenant, or for the workspace when it has none. The contact changes
 * with live mail only: contacts are shared by both environments, and nothing in test changes live.
 */
export function createUnsubscribe({ store, clock, bells }: UnsubscribeDeps): Unsubscribe {
  return async (messagePublicId, detail) => {
    const target = await store.messages.forToken(messagePublicId);
    if (!target) return false;
    if (await isDone(store, target)) return true;
    await store.commit(planUnsubscribe(target, detail, clock()));
    bells.events();
    return true;
  };
}

async function isDone(
  store: UnsubscribeDeps['store'],
  { message, scope }: SignedLinkTarget,
): Promise<boolean> {
  const rows = await store.audience.suppressionsOf(scope, [message.to_key]);
  if (!rows.some((row) => row.sub_tenant_key === (scope.subTenantId ?? ''))) return false;
  const trail = await store.events.trailOfMessage(message.id);
  return trail.some(({ event }) => event === 'unsubscribed');
}

function planUnsubscribe({ message, scope }: SignedLinkTarget, detail: EventDetail, now: number): Plan {
  return [
    {
      kind: 'insert',
      into: 'suppressions',
      row: {
        id: newId('sup', now),
        environment_id: scope.environmentId,
        sub_tenant_key: scope.subTenantId ?? '',
        email: message.to_email,
        email_key: message.to_key,
        reason: 'unsubscribe',
        message_public_id: message.public_id,
        created_at: now,
      },
      conflict: 'ignore',
    },
    ...(scope.mode === 'test'
      ? []
      : [
          {
            kind: 'update' as const,
            table: 'contacts' as const,
            set: { status: 'unsubscribed' as const, updated_at: now },
            where: {
              workspace_id: scope.workspaceId,
              sub_tenant_id: scope.subTenantId,
              email_key: message.to_key,
              status: 'active' as const,
            },
          },
        ]),
    {
      kind: 'append',
      event: {
        environmentId: scope.environmentId,
        workspaceNumber: scope.workspaceNumber,
        messageId: message.id,
        subjectId: message.public_id,
        event: 'unsubscribed',
        actor: 'recipient',
        occurredAt: now,
        detail,
      },
    },
  ];
}
