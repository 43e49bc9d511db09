// Explanations as /v1 shows them.
import type { ExplanationObject } from '../../../contract/explanation.js';
import type { Explanation } from '../../../rules/explain.js';
import type { Message } from '../../../store/messages.js';
import { iso } from './time.js';

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
