import { describe, expect, it } from 'vitest';
import { MESSAGE_TRAIL_EVENTS, TENANT_TRAIL_EVENTS, type WebhookEvent } from '../../src/contract/names.js';
import { endpointWants, webhookPayload } from '../../src/webhooks/event.rules.js';
import { feedEventName, selectTrailEntries, webhookEventName } from '../../src/events/event-names.rules.js';

describe('webhookEventOf', () => {
  it('omits internal events and uses the public names of others', () => {
    const told = [...MESSAGE_TRAIL_EVENTS, ...TENANT_TRAIL_EVENTS].map((event) => [
      event,
      webhookEventName({ event, detail: null }),
    ]);
    expect(Object.fromEntries(told)).toEqual({
      queued: null,
      sending: null,
      sent: 'message.sent',
      deferred: 'message.deferred',
      delivered: 'message.delivered',
      opened: 'message.opened',
      clicked: 'message.clicked',
      bounced: 'message.bounced',
      complained: 'message.complained',
      failed: 'message.failed',
      suppressed: 'message.suppressed',
      canceled: null,
      unsubscribed: 'message.unsubscribed',
      received: 'message.received',
      auto_replied: null,
      rescheduled: null,
      approval_requested: null,
      approval_changed: null,
      approved: null,
      rejected: null,
      approval_expired: null,
      tenant_warned: 'tenant.warned',
      tenant_throttled: 'tenant.throttled',
      tenant_paused: 'tenant.paused',
      tenant_recovered: 'tenant.recovered',
      tenant_dns_drifted: 'tenant.dns_drifted',
      tenant_dns_suspended: 'tenant.dns_suspended',
      tenant_dns_recovered: 'tenant.dns_recovered',
      dkim_rotation_started: 'tenant.dkim_rotation_started',
      dkim_rotation_completed: 'tenant.dkim_rotation_completed',
    });
  });

  it('gives every event a name in the feed', () => {
    expect(feedEventName({ event: 'queued', detail: null })).toBe('message.queued');
    expect(feedEventName({ event: 'rescheduled', detail: null })).toBe('message.rescheduled');
    expect(feedEventName({ event: 'dkim_rotation_started', detail: null })).toBe(
      'tenant.dkim_rotation_started',
    );
  });
});

describe('a suppressed entry', () => {
  const listed = { event: 'suppressed', detail: '{"metadata":{"reason":"bounce","added":true}}' } as const;
  const skipped = { event: 'suppressed', detail: '{"metadata":{"reason":"bounce"}}' } as const;

  it('belongs to the message if it was not sent, and to the recipient if the address was added to the list', () => {
    expect([webhookEventName(skipped), feedEventName(skipped)]).toEqual([
      'message.suppressed',
      'message.suppressed',
    ]);
    expect([webhookEventName(listed), feedEventName(listed)]).toEqual([
      'recipient.suppressed',
      'recipient.suppressed',
    ]);
  });

  it.each([
    [['message.suppressed'], ['suppressed'], 'skipped'],
    [['recipient.suppressed'], ['suppressed'], 'listed'],
    [['message.suppressed', 'recipient.suppressed'], ['suppressed'], 'both'],
    [['message.sent'], ['sent'], 'skipped'],
  ] as const)('is selected by %j', (names, events, suppressed) => {
    expect(selectTrailEntries(names)).toEqual({ events, suppressed });
  });
});

describe('endpointWants', () => {
  const all = { events: null, inboxIds: null, subTenantId: null, createdAt: 100 };
  const sent = {
    ...{ name: 'message.sent' as WebhookEvent, inboxId: null, subTenantId: null },
    occurredAt: 100,
  };
  const received = { ...sent, name: 'message.received' as const, inboxId: 'ibx_a' };
  it.each([
    ['the default set', all, sent, true],
    ['not an extra event that it does not name', all, { ...sent, name: 'message.deferred' as const }, false],
    [
      'an extra event that it names',
      { ...all, events: ['message.deferred' as const] },
      { ...sent, name: 'message.deferred' as const },
      true,
    ],
    ['not what it does not name', { ...all, events: ['message.opened' as const] }, sent, false],
    ['nothing older than itself', all, { ...sent, occurredAt: 99 }, false],
    ['events of sub-tenants, without a pin', all, { ...sent, subTenantId: 'tnt_a' }, true],
    [
      'events of its own sub-tenant',
      { ...all, subTenantId: 'tnt_a' },
      { ...sent, subTenantId: 'tnt_a' },
      true,
    ],
    [
      'no event of another sub-tenant',
      { ...all, subTenantId: 'tnt_a' },
      { ...sent, subTenantId: 'tnt_b' },
      false,
    ],
    ['no event of the workspace itself, with a pin', { ...all, subTenantId: 'tnt_a' }, sent, false],
    ['mail to any inbox, without a choice', all, received, true],
    ['mail to its inboxes', { ...all, inboxIds: ['ibx_b', 'ibx_a'] }, received, true],
    ['no mail to another inbox', { ...all, inboxIds: ['ibx_b'] }, received, false],
    ['no mail to another address', { ...all, inboxIds: ['ibx_b'] }, { ...received, inboxId: null }, false],
    ['events of other kinds, with inboxes', { ...all, inboxIds: ['ibx_b'] }, sent, true],
  ])('an endpoint is sent: %s', (_what, endpoint, event, expected) => {
    expect(endpointWants(endpoint, event)).toBe(expected);
  });
});

describe('webhookPayload', () => {
  it('is only the envelope', () => {
    expect(
      webhookPayload({ name: 'message.sent', subjectId: 'msg_1', occurredAt: Date.UTC(2026, 0, 2) }),
    ).toBe(
      '{"event":"message.sent","occurred_at":"2026-01-02T00:00:00.000Z",' +
        '"data":{"id":"msg_1","event":"message.sent","occurred_at":"2026-01-02T00:00:00.000Z"}}',
    );
  });
});
