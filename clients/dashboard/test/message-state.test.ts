// Tests the badge of a message and the steps on its page.
import type { Message } from '@mailkeel/sdk';
import { expect, it } from 'vitest';
import { messageState, type MessageProgress } from '../src/data/message-state.js';
import { stopsOf } from '../src/pages/messages/message-stops.js';

const AT = '2026-01-02T03:04:05.678Z';
const NEXT = '2026-01-02T03:18:05.678Z';
type Outcome = NonNullable<Message['last_attempt']>['outcome'];

const after = (
  status: Message['status'],
  outcome: Outcome,
  nextAt: string | null = null,
): MessageProgress => ({
  status,
  last_attempt: { number: 1, outcome, at: AT, next_attempt_at: nextAt },
});

it.each([
  [{ status: 'queued', last_attempt: null }, 'queued', 'busy', null],
  [{ status: 'sent', last_attempt: null }, 'sent', 'busy', null],
  [after('sent', 'deferred', NEXT), 'deferred', 'warn', { number: 2, at: NEXT }],
  [after('sent', 'ambiguous', NEXT), 'deferred', 'warn', { number: 2, at: NEXT }],
  [after('sent', 'ambiguous'), 'ambiguous', 'warn', null],
  [after('sent', 'delivered'), 'sent', 'good', null],
  [after('bounced', 'bounced'), 'bounced', null, null],
  [after('delivered', 'delivered'), 'delivered', null, null],
] as const)('shows %j as %s', (of, word, tone, next) => {
  expect(messageState(of)).toEqual({ word, tone, next });
});

function steps(of: MessageProgress, events: readonly string[]) {
  const message = {
    ...of,
    ...{ direction: 'outbound', created_at: AT, updated_at: AT, scheduled_at: null },
    ...{ opened_at: null, clicked_at: null },
  };
  const trail = events.map((event) => ({ event, actor: 'system', timestamp: AT, metadata: {} }));
  // Only the fields that the steps read.
  return stopsOf(message as never, trail as never).map(({ key, state }) => `${key} ${state}`);
}

it('has no green step besides the acceptance for a domain that does not exist', () => {
  const trail = ['queued', 'sending', 'sent', 'bounced'];
  expect(steps(after('bounced', 'bounced'), trail)).toEqual(['accepted done', 'bounced bad']);
});

it('shows a greylisted message as deferred and not as handed over', () => {
  expect(
    steps(after('sent', 'deferred', NEXT), ['queued', 'sending', 'sent', 'deferred']).slice(0, 4),
  ).toEqual(['accepted done', 'deferred warn', 'sent ahead', 'delivered ahead']);
});

it('shows mail that a smarthost accepted as handed over, and mail that bounced later too', () => {
  expect(steps(after('sent', 'delivered'), ['queued', 'sending', 'sent']).slice(0, 4)).toEqual([
    'accepted done',
    'sending done',
    'sent done',
    'delivered ahead',
  ]);
  const late = ['queued', 'sending', 'sent', 'delivered', 'bounced'];
  expect(steps(after('bounced', 'delivered'), late)).toEqual([
    ...['accepted done', 'sending done', 'sent done', 'delivered done'],
    'bounced bad',
  ]);
});
