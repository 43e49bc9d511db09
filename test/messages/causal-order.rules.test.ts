// Tests the order of a timeline.
import { expect, it } from 'vitest';
import { timelineOf, type TimelineFact } from '../../src/messages/causal-order.rules.js';

const ordered = (...entries: [TimelineFact, number][]) =>
  timelineOf(entries, ([fact, at]) => ({ fact, at })).map(({ entry: [fact] }) => fact);

it('puts a cause before its effect if both have the same time', () => {
  expect(ordered(['suppressed', 5], ['bounced', 5], ['sent', 5], ['sending', 5], ['queued', 5])).toEqual([
    'queued',
    'sending',
    'sent',
    'bounced',
    'suppressed',
  ]);
  expect(ordered(['clicked', 5], ['opened', 5], ['delivered', 5])).toEqual([
    'delivered',
    'opened',
    'clicked',
  ]);
  expect(ordered(['suppressed', 5], ['suppression_added', 5], ['attempt_bounced', 5])).toEqual([
    'attempt_bounced',
    'suppressed',
    'suppression_added',
  ]);
});

it('sorts by time before causes', () => {
  expect(ordered(['opened', 7], ['deferred', 9], ['sent', 3], ['clicked', 5])).toEqual([
    'sent',
    'clicked',
    'opened',
    'deferred',
  ]);
});

it('starts with the acceptance, even if another node with a slow clock continued', () => {
  expect(ordered(['sending', 1], ['queued', 90], ['sent', 2])).toEqual(['queued', 'sending', 'sent']);
});

it('puts a pause before the acceptance of a message that was accepted later', () => {
  const facts: [TimelineFact, number][] = [
    ['queued', 90],
    ['destination_pause', 50],
    ['sending', 40],
  ];
  expect(
    timelineOf(facts, ([fact, at]) => ({ fact, at })).map(({ entry: [fact], at }) => [fact, at]),
  ).toEqual([
    ['destination_pause', 50],
    ['queued', 90],
    ['sending', 90],
  ]);
});

it('keeps equal entries in the order in which they were recorded', () => {
  const entries = [1, 2, 3].map((id) => ({ id, fact: 'clicked' as const, at: 5 }));
  expect(timelineOf(entries, (entry) => entry).map(({ entry: { id } }) => id)).toEqual([1, 2, 3]);
});
