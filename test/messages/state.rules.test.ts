import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_STATUSES, MESSAGE_TRAIL_EVENTS, type MessageStatus } from '../../src/contract/names.js';
import { statusAfter, statusesThatMayBecome } from '../../src/messages/state.rules.js';

const PROGRESS: MessageStatus[] = ['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked'];
const ENDS: MessageStatus[] = ['bounced', 'complained', 'failed', 'suppressed', 'canceled'];

describe('statusAfter', () => {
  it.each([
    ['queued', 'sending', 'sending'],
    ['sending', 'sent', 'sent'],
    ['sent', 'deferred', 'sent'],
    ['sent', 'delivered', 'delivered'],
    ['delivered', 'opened', 'opened'],
    ['opened', 'clicked', 'clicked'],
    ['clicked', 'opened', 'clicked'],
    ['delivered', 'clicked', 'clicked'],
    ['opened', 'delivered', 'opened'],
    ['sent', 'opened', 'opened'],
    ['sent', 'bounced', 'bounced'],
    ['delivered', 'bounced', 'bounced'],
    ['opened', 'bounced', 'opened'],
    ['bounced', 'delivered', 'bounced'],
    ['bounced', 'opened', 'bounced'],
    ['delivered', 'complained', 'complained'],
    ['opened', 'complained', 'complained'],
    ['clicked', 'complained', 'complained'],
    ['complained', 'clicked', 'complained'],
    ['queued', 'complained', 'queued'],
    ['queued', 'canceled', 'canceled'],
    ['sending', 'canceled', 'canceled'],
    ['delivered', 'canceled', 'delivered'],
    ['queued', 'suppressed', 'suppressed'],
    ['sent', 'suppressed', 'suppressed'],
    ['delivered', 'suppressed', 'delivered'],
    ['queued', 'failed', 'failed'],
    ['delivered', 'failed', 'delivered'],
    ['canceled', 'sending', 'canceled'],
    ['delivered', 'unsubscribed', 'delivered'],
    ['queued', 'rescheduled', 'queued'],
    ['received', 'delivered', 'received'],
  ] as const)('%s then %s is %s', (current, event, expected) => {
    expect(statusAfter(current, event)).toBe(expected);
  });

  it('never reverses progress or leaves a final status, in any order of events', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...MESSAGE_TRAIL_EVENTS), { maxLength: 30 }), (events) => {
        let status: MessageStatus = 'queued';
        for (const event of events) {
          const next = statusAfter(status, event);
          if (ENDS.includes(status)) expect(next).toBe(status);
          else if (!ENDS.includes(next))
            expect(PROGRESS.indexOf(next)).toBeGreaterThanOrEqual(PROGRESS.indexOf(status));
          status = next;
        }
      }),
    );
  });
});

describe('statusesThatMayBecome', () => {
  it('are exactly the statuses that the event changes', () => {
    expect(statusesThatMayBecome('delivered')).toEqual(['queued', 'sending', 'sent']);
    expect(statusesThatMayBecome('bounced')).toEqual(['queued', 'sending', 'sent', 'delivered']);
    expect(statusesThatMayBecome('canceled')).toEqual(['queued', 'sending', 'sent']);
    expect(statusesThatMayBecome('queued')).toEqual([]);
    expect(statusesThatMayBecome('received')).toEqual([]);
    for (const target of MESSAGE_STATUSES) expect(statusesThatMayBecome(target)).not.toContain(target);
  });
});
