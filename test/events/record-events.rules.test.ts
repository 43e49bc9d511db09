import { describe, expect, it } from 'vitest';
import { RECORD_EVENTS, TENANT_TRAIL_EVENTS } from '../../src/contract/names.js';
import {
  campaignEvent,
  domainEvent,
  isConditional,
  isRecordEvent,
  isEventOfTenants,
  transferEvent,
} from '../../src/events/record-events.rules.js';
import { withoutRecord } from '../../src/webhooks/event.rules.js';
import { feedEventName, subjectPrefix, webhookEventName } from '../../src/events/event-names.rules.js';

describe('a campaign', () => {
  it.each([
    ['draft', 'scheduled', 'campaign.scheduled'],
    ['scheduled', 'scheduled', 'campaign.scheduled'],
    ['draft', 'sending', 'campaign.started'],
    ['scheduled', 'sending', 'campaign.started'],
    ['paused', 'sending', 'campaign.resumed'],
    ['sending', 'paused', 'campaign.paused'],
    ['sending', 'sent', 'campaign.sent'],
    ['paused', 'canceled', 'campaign.canceled'],
    [null, 'draft', null],
  ] as const)('that changes from %s to %s is %s', (from, to, event) => {
    expect(campaignEvent(from, to)).toBe(event);
  });
});

describe('an import or export', () => {
  it.each([
    ['import', 'queued', null],
    ['import', 'running', null],
    ['import', 'completed', 'import.completed'],
    ['import', 'failed', 'import.failed'],
    ['export', 'canceled', 'export.canceled'],
    ['bulk_action', 'completed', 'bulk_action.completed'],
    ['account_import', 'failed', 'account_import.failed'],
  ] as const)('%s that becomes %s is %s', (kind, status, event) => {
    expect(transferEvent(kind, status)).toBe(event);
  });
});

describe('a domain', () => {
  it.each([
    [{ status: 'pending_verification' }, { status: 'verified' }, 'domain.verified'],
    [{ status: 'failed' }, { status: 'verified' }, 'domain.verified'],
    [{ status: 'pending_verification' }, { status: 'failed' }, 'domain.failed'],
    [{ status: 'verified', drifting_since: null }, { drifting_since: 5 }, 'domain.drifted'],
    [{ status: 'verified', drifting_since: 5 }, { status: 'suspended' }, 'domain.suspended'],
    [
      { status: 'verified', drifting_since: 5 },
      { status: 'verified', drifting_since: null },
      'domain.recovered',
    ],
    [{ status: 'suspended' }, { status: 'verified', drifting_since: null }, 'domain.recovered'],
    [{ status: 'failed' }, { status: 'pending_verification' }, null],
    [{ status: 'verified' }, {}, null],
  ] as const)('found as %j and set to %j is %s', (before, set, event) => {
    expect(domainEvent(before, set)).toBe(event);
  });

  it('of a sub-tenant has events if its own trail has none', () => {
    expect(RECORD_EVENTS.filter(isEventOfTenants)).toEqual(['domain.verified', 'domain.failed']);
  });
});

describe('event names', () => {
  it('are the same in the trail and in the API', () => {
    for (const event of RECORD_EVENTS) {
      expect(isRecordEvent(event)).toBe(true);
      expect([webhookEventName({ event, detail: null }), feedEventName({ event, detail: null })]).toEqual([
        event,
        event,
      ]);
      expect(subjectPrefix(event)).toMatch(/^(sup|cnt|snd|cmp|imp|exp|blk|aim|apr|thr|drf)$/);
    }
    expect(TENANT_TRAIL_EVENTS.some(isRecordEvent)).toBe(false);
    const others = ['message.sent', 'recipient.suppressed', 'tenant.paused'] as const;
    expect(others.map(subjectPrefix)).toEqual(['msg', 'msg', 'tnt']);
  });

  it('of bulk changes are contacts and suppressions', () => {
    expect(new Set(RECORD_EVENTS.filter(isConditional).map((event) => event.split('.')[0]))).toEqual(
      new Set(['contact', 'suppression']),
    );
  });
});

describe('withoutRecord', () => {
  it('removes only the record', () => {
    const data = { id: 'cnt_1', event: 'contact.created', occurred_at: 'now' };
    const body = { event: 'contact.created', occurred_at: 'now', data };
    const full = { ...body, data: { ...data, object: { email: 'a@x.example' } } };
    expect(JSON.parse(withoutRecord(JSON.stringify(full)))).toEqual({
      ...body,
      data: { ...data, object: null },
    });
  });
});
