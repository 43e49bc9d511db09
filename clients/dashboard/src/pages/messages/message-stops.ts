// The stations of a message, from its state and its trail.
import type { Message, MessageAuditEntry } from '@posthorn/sdk';
import type { MessageTexts } from '../../texts/message.js';

export interface MessageStop {
  key: keyof MessageTexts['stops'];
  state: 'done' | 'now' | 'bad' | 'warn' | 'ahead';
  at: string | null;
}

const ENDS = ['bounced', 'failed', 'complained', 'suppressed', 'canceled'] as const;

/** In the order of the way; what is over has its time. */
export function stopsOf(message: Message, trail: readonly MessageAuditEntry[]): MessageStop[] {
  const at = (event: string) => trail.find((entry) => entry.event === event)?.timestamp ?? null;
  if (message.direction === 'inbound') {
    return [{ key: 'received', state: 'done', at: at('received') ?? message.created_at }];
  }
  const isOver = ENDS.some((end) => end === message.status);
  const reached = (event: string): MessageStop['state'] => (at(event) === null ? 'ahead' : 'done');
  const stops: MessageStop[] = [{ key: 'accepted', state: 'done', at: at('queued') ?? message.created_at }];
  if (message.scheduled_at !== null) {
    const isDue = at('sending') !== null || isOver;
    stops.push({ key: 'scheduled', state: isDue ? 'done' : 'now', at: message.scheduled_at });
  }
  stops.push({ key: 'sending', state: sendingState(message, reached('sending')), at: at('sending') });
  stops.push({ key: 'sent', state: reached('sent'), at: at('sent') });
  stops.push({ key: 'delivered', state: reached('delivered'), at: at('delivered') });
  const end = ENDS.find((one) => one === message.status);
  if (end !== undefined) {
    const isBad = end === 'bounced' || end === 'failed' || end === 'complained';
    const way = stops.filter(({ state }) => state === 'done');
    return [...way, { key: end, state: isBad ? 'bad' : 'warn', at: at(end) ?? message.updated_at }];
  }
  stops.push({ key: 'opened', state: reached('opened'), at: message.opened_at });
  stops.push({ key: 'clicked', state: reached('clicked'), at: message.clicked_at });
  return stops;
}

function sendingState(message: Message, reached: MessageStop['state']): MessageStop['state'] {
  const isWaiting = ['queued', 'sending'].includes(message.status);
  if (reached === 'done') return message.status === 'sending' || isWaiting ? 'now' : 'done';
  if (message.status !== 'queued') return message.status === 'sent' ? 'done' : 'ahead';
  return message.scheduled_at === null ? 'now' : 'ahead';
}
