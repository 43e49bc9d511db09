// Attempts as /v1 shows them.
import type { AttemptObject } from './attempt.schema.js';
import type { Attempt } from './attempts.store.js';
import type { Message } from './messages.store.js';
import { iso } from '../contract/time.js';

/** `openings`: how sessions began, by id. */
export function presentAttempt(
  message: Message,
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
