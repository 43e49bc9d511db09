// Cancels or reschedules queued messages. Both race with the queue: once a worker holds the message, the whole plan is refused.
import type { QueuedMessageContext } from './context.js';
import type { Actor } from '../contract/names.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { expiresAt } from './lifetime.rules.js';
import { parseSendAt } from './accept/schedule-time.rules.js';
import type { Message } from './messages.store.js';
import type { Otherwise } from '../database/refuse.js';
import type { Scope } from '../database/scope.js';
import { auditTrailEntry, auditTrailSubject } from '../events/audit-trail-entry.store.js';
import { advanceMessage, dequeueMessage, amendMessage, requeueMessage } from './message-changes.store.js';
import type { Change } from '../database/change.js';
import { update } from '../database/rows.js';
import { endIfNoneWaits, lockPending } from './approvals/approval-changes.store.js';
import type { MessageStores } from './stores.js';
import { queue } from './queue.tables.js';

const TOO_LATE: Otherwise = { code: 'message_not_cancelable' };

interface ReconsiderContext extends QueuedMessageContext {
  store: Pick<MessageStores, 'approvals' | 'messages' | 'commit'>;
}

export class Reconsider {
  readonly #context: ReconsiderContext;

  constructor(context: ReconsiderContext) {
    this.#context = context;
  }

  /** Returns the canceled message. Refused with `not_found` or `message_not_cancelable`. */
  async cancel(scope: Scope, publicId: string, actor: Actor): Promise<Message> {
    const { store, clock, wakeUps } = this.#context;
    const message = await this.#find(scope, publicId);
    const now = clock();
    const approval = await store.approvals.pendingOf(message);
    const leave = approval === null ? [dequeueMessage({ messageId: message.id, unleased: TOO_LATE })] : [];
    await store.commit([
      ...(approval === null ? [] : [lockPending({ id: approval.id, otherwise: TOO_LATE })]),
      advanceMessage({ messageId: message.id, to: 'canceled', from: ['queued'], otherwise: TOO_LATE }),
      ...leave,
      amendMessage({ messageId: message.id, set: { updated_at: now } }),
      auditTrailEntry(auditTrailSubject(message, scope), { event: 'canceled', actor, at: now }),
      ...(approval === null ? [] : [endIfNoneWaits({ id: approval.id, at: now })]),
    ]);
    wakeUps.events();
    return { ...message, status: 'canceled', updated_at: now };
  }

  /** Returns the message with its new time. Refused as by `cancel`, and with `validation_error` for `send_at`. */
  async reschedule(scope: Scope, publicId: string, sendAt: string, actor: Actor): Promise<Message> {
    const { store, config: lifetimes, clock, wakeUps } = this.#context;
    const message = await this.#find(scope, publicId);
    const now = clock();
    const time = parseSendAt(sendAt, now);
    if (!time.ok) throw invalidFields([{ path: 'send_at', message: time.message }]);
    const dueAt = time.at ?? now;
    const approval = await store.approvals.pendingOf(message);
    const latest = approval === null ? await this.#givenEnd(message) : approval.deliver_until;
    if (latest !== null && dueAt >= latest) {
      const end = new Date(latest).toISOString();
      throw invalidFields([{ path: 'send_at', message: `must be before expires_at (${end})` }]);
    }
    const metadata = {
      scheduled_at: time.at === null ? null : new Date(time.at).toISOString(),
      previous: message.scheduled_at === null ? null : new Date(message.scheduled_at).toISOString(),
    };
    const expires = expiresAt({ firstDueAt: dueAt, type: message.type, lifetimes, latest });
    const { queueIds } = await store.commit([
      // The approval takes the new time from the message.
      ...(approval === null ? [] : [lockPending({ id: approval.id, otherwise: TOO_LATE })]),
      advanceMessage({ messageId: message.id, to: 'queued', from: ['queued'], otherwise: TOO_LATE }),
      ...(approval === null ? requeueAt(message.id, { dueAt, expiresAt: expires }) : []),
      amendMessage({ messageId: message.id, set: { scheduled_at: time.at, updated_at: now } }),
      auditTrailEntry(auditTrailSubject(message, scope), {
        event: 'rescheduled',
        actor,
        at: now,
        detail: { metadata },
      }),
    ]);
    wakeUps.queue(queueIds);
    wakeUps.events();
    return { ...message, scheduled_at: time.at, updated_at: now };
  }

  async #find(scope: Scope, publicId: string): Promise<Message> {
    const message = await this.#context.store.messages.message(scope, publicId);
    if (!message) throw new Refusal('not_found');
    if (message.status !== 'queued') throw new Refusal('message_not_cancelable');
    return message;
  }

  /** The `expires_at` that the sender gave; `null` without one, or if the lifetime ends earlier. */
  async #givenEnd(message: Message): Promise<number | null> {
    const end = await this.#context.store.messages.deliveryEndsAt(message);
    if (end === null) return null;
    const firstDueAt = message.scheduled_at ?? message.created_at;
    return end < expiresAt({ firstDueAt, type: message.type, lifetimes: this.#context.config }) ? end : null;
  }
}

function requeueAt(messageId: number, times: { dueAt: number; expiresAt: number }): Change[] {
  return [
    update(queue, {
      set: { expires_at: times.expiresAt },
      where: { message_id: messageId, lease_until: null },
      otherwise: TOO_LATE,
    }),
    // The message was not attempted yet, because the first attempt makes it `sending`.
    requeueMessage({
      messageId,
      dueAt: times.dueAt,
      attempts: 0,
      ambiguousAttempts: 0,
      blockedAttempts: 0,
      retryStep: 0,
      source: null,
      holdReason: null,
    }),
  ];
}
