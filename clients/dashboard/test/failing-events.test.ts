// Tests which types of events a webhook's receiver refuses.
import type { WebhookDelivery } from '@mailkeel/sdk';
import { expect, it } from 'vitest';
import { failingEvents } from '../src/pages/webhooks/failing-events.js';

function delivery(event: string, minute: number, status: number | null): WebhookDelivery {
  const created = `2026-01-02T03:0${minute}:00.000Z`;
  const attempts = [{ response_status: status, error: status === null ? 'timed out' : null }];
  // Only the fields that are used.
  return { event, created_at: created, attempts } as never;
}

it('names the types whose newest delivery failed, and not those that were delivered since', () => {
  const failed = [
    delivery('message.bounced', 5, 422),
    delivery('message.opened', 4, null),
    delivery('message.bounced', 3, 500),
    delivery('message.sent', 2, 500),
  ];
  const succeeded = [delivery('message.sent', 6, 200), delivery('message.bounced', 1, 200)];
  expect(failingEvents(failed, succeeded)).toEqual([
    { event: 'message.bounced', failures: 2, answer: '422' },
    { event: 'message.opened', failures: 1, answer: 'timed out' },
  ]);
});

it('names nothing while everything is delivered', () => {
  expect(failingEvents([], [delivery('message.sent', 1, 200)])).toEqual([]);
});
