import { describe, expect, it } from 'vitest';
import type { MessageStatus } from '../../src/contract/names.js';
import { statusAfter } from '../../src/messages/state.rules.js';
import { compileSimulator, simulatedSteps } from '../../src/outbound/simulator/simulator.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const shipped = readShipped('simulator') as { otherwise: string; outcomes: Record<string, unknown[]> };
const simulator = compileSimulator(shipped);
const eventsOf = (recipient: string): string[] =>
  simulatedSteps(recipient, simulator).map((step) => step.event);

describe('the mailbox simulator', () => {
  it.each([
    ['delivered@x.example', 'sending sent delivered', 'delivered'],
    ['bounced@x.example', 'sending sent bounced', 'bounced'],
    ['soft-bounced@x.example', 'sending sent bounced', 'bounced'],
    ['deferred@x.example', 'sending sent deferred delivered', 'delivered'],
    ['complained@x.example', 'sending sent delivered complained', 'complained'],
    ['suppressed@x.example', 'suppressed', 'suppressed'],
    ['opened@x.example', 'sending sent delivered opened', 'opened'],
    ['clicked@x.example', 'sending sent delivered opened clicked', 'clicked'],
    ['replied@x.example', 'sending sent delivered replied', 'delivered'],
    ['Bounced+order-7@x.example', 'sending sent bounced', 'bounced'],
    ['jane.doe@x.example', 'sending sent delivered', 'delivered'],
    ['bounced-not@x.example', 'sending sent delivered', 'delivered'],
    ['constructor@x.example', 'sending sent delivered', 'delivered'],
  ])('%s: %s', (recipient, events, status) => {
    expect(eventsOf(recipient).join(' ')).toBe(events);
    let end: MessageStatus = 'queued';
    for (const { event } of simulatedSteps(recipient, simulator)) {
      if (event !== 'replied') end = statusAfter(end, event);
    }
    expect(end).toBe(status);
  });

  it('distinguishes a hard bounce from a soft one', () => {
    const replyOf = (name: string) => simulatedSteps(`${name}@x.example`, simulator).at(-1)?.reply;
    expect(replyOf('bounced')).toMatchObject({
      code: 550,
      enhanced_code: '5.1.1',
      category: 'invalid_recipient',
    });
    expect(replyOf('soft-bounced')).toMatchObject({ category: 'quota' });
  });

  it.each([
    {},
    { otherwise: 'gone', outcomes: shipped.outcomes },
    { otherwise: 'a', outcomes: { a: [] } },
    { otherwise: 'a', outcomes: { a: [{ event: 'exploded', after_ms: 1 }] } },
    { otherwise: 'a', outcomes: { a: [{ event: 'sent', after_ms: -1 }] } },
    { otherwise: 'a', outcomes: { a: [{ event: 'bounced', after_ms: 1, reply: { code: 550 } }] } },
  ])('refuses an invalid table (%#)', (json) => {
    expect(() => compileSimulator(json)).toThrow(/simulator/);
  });
});
