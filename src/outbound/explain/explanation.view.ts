// Explanations as /v1 shows them.
import type { ExplanationObject } from './explanation.schema.js';
import type { Explanation } from './explain.rules.js';
import type { Message } from '../../messages/messages.store.js';
import { iso } from '../../contract/time.js';

export function presentExplanation(message: Message, explanation: Explanation): ExplanationObject {
  const { code, summary, chain, next, advice } = explanation;
  return {
    object: 'explanation',
    message_id: message.public_id,
    status: message.status,
    code,
    summary,
    chain: chain.map((entry) => ({ ...entry, at: iso(entry.at) })),
    next: next === null ? null : { ...next, at: iso(next.at) },
    advice,
  };
}
