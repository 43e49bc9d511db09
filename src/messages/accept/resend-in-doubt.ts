// Sends messages in doubt again: the mail of one campaign or sequence whose last attempt ended in doubt. The message keeps its
// Message-ID, so a receiver can recognize a duplicate, and it is not counted again.
import type { QueuedMessageContext } from '../context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { addressDomain } from '../../lib/mime/index.js';
import { queueRank } from '../queue-rank.rules.js';
import { expiresAt } from '../lifetime.rules.js';
import type { DoubtSource, Message } from '../messages.store.js';
import type { Scope } from '../../database/scope.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { resendInDoubt } from './apply-resend.store.js';

/** Messages that are read together. Each has its own plan. */
const SLICE = 200;
const RESOLVED = { code: 'conflict' } as const;

/** Returns how many messages were queued again. A repeated call returns 0. Messages whose content was deleted are left out. */
export type ResendDoubtful = (scope: Scope, source: DoubtSource, actor: Actor) => Promise<number>;

export function createResendInDoubt({
  store,
  config: lifetimes,
  clock,
  wakeUps,
}: QueuedMessageContext): ResendDoubtful {
  /** Returns false if the doubt was resolved meanwhile. */
  async function resend(scope: Scope, message: Message, actor: Actor): Promise<boolean> {
    const { id: messageId, to_email: email, type, priority } = message;
    const at = clock();
    const detail = { metadata: { retry: true, in_doubt: true } };
    try {
      const { queueIds } = await store.commit([
        resendInDoubt({
          messageId,
          at,
          expiresAt: expiresAt({ firstDueAt: at, type, lifetimes }),
          domain: addressDomain(email),
          rank: queueRank(type, priority),
          otherwise: RESOLVED,
        }),
        auditTrailEntry(auditTrailSubject(message, scope), { event: 'rescheduled', actor, at, detail }),
      ]);
      wakeUps.queue(queueIds);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === RESOLVED.code) return false;
      throw error;
    }
  }

  return async (scope, source, actor) => {
    let count = 0;
    let after = 0;
    for (;;) {
      const slice = await store.messages.inDoubt(scope, source, { after, limit: SLICE });
      const resent = await Promise.all(slice.map((message) => resend(scope, message, actor)));
      count += resent.filter(Boolean).length;
      if (slice.length > 0) wakeUps.events();
      if (slice.length < SLICE) return count;
      after = slice.at(-1)?.id ?? after;
      await nextTurn();
    }
  };
}
