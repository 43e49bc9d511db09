// Delivery attempts as /v1 and exports show them.
import { iso } from '../contract/time.js';
import type { AttemptObject } from './attempt.schema.js';
import type { Attempt } from './attempts.store.js';
import type { Message } from './messages.tables.js';

/** `openings`: how sessions began, by id. */
export function presentAttempt(
  message: Pick<Message, 'public_id'>,
  attempt: Attempt,
  openings: ReadonlyMap<string, string[]>,
): AttemptObject {
  const { number, at, sessionId, detail, conversation } = attempt;
  return {
    object: 'attempt',
    message_id: message.public_id,
    number,
    at: iso(at),
    ...detail,
    session_id: sessionId,
    conversation: {
      opening: sessionId === null ? null : (openings.get(sessionId) ?? null),
      transaction: conversation,
    },
  };
}
