// The stations of a message, from its state and its trail.
import type { Message, MessageAuditEntry } from '@mailkeel/sdk';
import { isHandedOver, messageState } from '../../data/message-state.js';

const ENDS = ['bounced', 'failed', 'complained', 'suppressed', 'canceled'] as const;

type Step =
  | 'accepted'
  | 'scheduled'
  | 'sending'
  | 'deferred'
  | 'held'
  | 'ambiguous'
  | 'sent'
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'received'
  | (typeof ENDS)[number];

export interface MessageStop {
  key: Step;
  state: 'done' | 'now' | 'bad' | 'warn' | 'ahead';
  at: string | null;
}

/** In the order of the way. A step is done once a mail server has accepted the message, and then has its time. */
export function stopsOf(message: Message, trail: readonly MessageAuditEntry[]): MessageStop[] {
  const at = (event: string) => trail.find((entry) => entry.event === event)?.timestamp ?? null;
  if (message.direction === 'inbound') {
    return [{ key: 'received', state: 'done', at: at('received') ?? message.created_at }];
  }
  const reached = (event: string): MessageStop['state'] => (at(event) === null ? 'ahead' : 'done');
  const end = ENDS.find((one) => one === message.status);
  const stops: MessageStop[] = [{ key: 'accepted', state: 'done', at: at('queued') ?? message.created_at }];
  if (message.scheduled_at !== null) {
    const isDue = at('sending') !== null || end !== undefined;
    stops.push({ key: 'scheduled', state: isDue ? 'done' : 'now', at: message.scheduled_at });
  }
  if (isHandedOver(message) || at('delivered') !== null) {
    stops.push({ key: 'sending', state: 'done', at: at('sending') });
    stops.push({ key: 'sent', state: 'done', at: at('delivered') ?? message.last_attempt?.at ?? null });
  } else {
    stops.push(pendingStop(message, at('sending')), { key: 'sent', state: 'ahead', at: null });
  }
  stops.push({ key: 'delivered', state: reached('delivered'), at: at('delivered') });
  if (end !== undefined) {
    const isBad = end === 'bounced' || end === 'failed' || end === 'complained';
    const way = stops.filter(({ state }) => state === 'done');
    return [...way, { key: end, state: isBad ? 'bad' : 'warn', at: at(end) ?? message.updated_at }];
  }
  stops.push({ key: 'opened', state: reached('opened'), at: message.opened_at });
  stops.push({ key: 'clicked', state: reached('clicked'), at: message.clicked_at });
  return stops;
}

/** The step of a message that no mail server has accepted yet. */
function pendingStop(message: Message, startedAt: string | null): MessageStop {
  const { word } = messageState(message);
  const { last_attempt: last, scheduled_at: scheduledAt } = message;
  if (word === 'deferred' || word === 'held' || word === 'ambiguous') {
    return { key: word, state: 'warn', at: last?.at ?? null };
  }
  const isAhead = startedAt === null && scheduledAt !== null;
  return { key: 'sending', state: isAhead ? 'ahead' : 'now', at: startedAt };
}
