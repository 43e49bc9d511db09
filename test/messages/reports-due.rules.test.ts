import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_TRAIL_EVENTS, type MessageTrailEvent } from '../../src/contract/names.js';
import type { NotifyKeyword } from '../../src/lib/dsn/index.js';
import {
  reportDue,
  type ReportTerms,
  type OutcomeEvent,
  type DeliveryOutcome,
} from '../../src/messages/relayed/reports-due.rules.js';

const AT = Date.UTC(2026, 10, 3, 9, 15);
const event = (name: MessageTrailEvent, metadata: OutcomeEvent['metadata'] = null): OutcomeEvent => ({
  event: name,
  occurredAt: AT,
  metadata,
});
const outcomeOf = (events: OutcomeEvent[], rest: Partial<DeliveryOutcome> = {}): DeliveryOutcome => ({
  events,
  handedOver: null,
  isPassedOn: false,
  reported: null,
  ...rest,
});
const terms = (notify: NotifyKeyword[] | null, rest: Partial<ReportTerms> = {}): ReportTerms => ({
  options: { sender: 'ann@shop.example', notify },
  mode: 'asked',
  isDelayReported: false,
  ...rest,
});

const OK = { attempt: 1, code: 250, reply: '2.0.0 queued as 4711', remote_host: 'mx.there.example' };
const GONE = {
  attempt: 1,
  code: 550,
  enhanced_code: '5.1.1',
  reply: '5.1.1 no such user',
  remote_host: 'mx.there.example',
  category: 'invalid_recipient',
  type: 'hard',
};
const LATER = {
  attempt: 4,
  code: 451,
  enhanced_code: '4.3.2',
  reply: '4.3.2 try later',
  remote_host: 'mx.there.example',
  next_attempt_at: '2026-11-03T10:15:00.000Z',
};
const DELAYED = { ...LATER, delayed: true };
const LOST = { attempt: 1, ambiguous: true, reply: 'connection reset', remote_host: 'mx.there.example' };

const delivered = outcomeOf([event('sending'), event('sent'), event('delivered', OK)]);
const handedOver = outcomeOf([event('sending'), event('sent')], {
  handedOver: { occurredAt: AT, metadata: OK },
});
const sentOnly = outcomeOf([event('sending'), event('sent')]);
const deferred = outcomeOf([event('sent'), event('deferred', LATER)]);
const delayed = outcomeOf([event('deferred', DELAYED)]);
const bounced = outcomeOf([event('sent'), event('bounced', GONE)]);
const failed = outcomeOf([
  event('failed', { category: 'too_large', message: 'larger than any server takes' }),
]);
const suppressed = outcomeOf([event('suppressed', { reason: 'bounce' })]);
const bouncedAndListed = outcomeOf([
  event('bounced', GONE),
  event('suppressed', { reason: 'bounce', added: true }),
]);
const complained = outcomeOf([
  event('complained'),
  event('suppressed', { reason: 'complaint', added: true }),
]);
const lostForGood = outcomeOf([event('sent', { ...LOST, next_attempt_at: null })]);
const lostLater = outcomeOf([event('deferred', { ...LOST, next_attempt_at: null })]);
const lostAndRetried = outcomeOf([
  event('sent'),
  event('deferred', { ...LOST, next_attempt_at: '2026-11-03T10:15:00.000Z' }),
]);
const canceled = outcomeOf([event('canceled')]);
const passedOn = { ...delivered, isPassedOn: true };
const passedOnByRelay = { ...handedOver, isPassedOn: true };
const reportedDelivered = outcomeOf([event('delivered', OK)], { reported: 'delivered', isPassedOn: true });
const reportedExpanded = outcomeOf([event('delivered', OK)], { reported: 'expanded', isPassedOn: true });
const reportedAfterBounce = outcomeOf([event('bounced', GONE)], { reported: 'delivered' });

const ALL: NotifyKeyword[] = ['SUCCESS', 'FAILURE', 'DELAY'];

describe('the report that is due according to NOTIFY', () => {
  //  what came to light,        ALL,         SUCCESS,     FAILURE,  DELAY,     NEVER, none given, none given and mode failure
  it.each<[string, DeliveryOutcome, ...(string | null)[]]>([
    ['a 250 of a server without DSN', delivered, 'relayed', 'relayed', null, null, null, null, null],
    ['a 250 of a server that tells by itself', passedOn, null, null, null, null, null, null, null],
    ['a 250 of a smarthost without DSN', handedOver, 'relayed', 'relayed', null, null, null, null, null],
    ['a 250 of a smarthost that tells by itself', passedOnByRelay, null, null, null, null, null, null, null],
    ['its report of success', reportedDelivered, 'delivered', 'delivered', null, null, null, null, null],
    [
      'its report of an expanded list',
      reportedExpanded,
      'expanded',
      'expanded',
      null,
      null,
      null,
      null,
      null,
    ],
    ['a copy on its way', sentOnly, null, null, null, null, null, null, null],
    ['a deferral', deferred, null, null, null, null, null, null, null],
    ['a deferral that takes long', delayed, 'delayed', null, null, 'delayed', null, null, null],
    ['a bounce', bounced, 'failed', null, 'failed', null, null, null, 'failed'],
    ['a failure of ours', failed, 'failed', null, 'failed', null, null, null, 'failed'],
    ['a suppression', suppressed, 'failed', null, 'failed', null, null, null, 'failed'],
    ['a complaint', complained, null, null, null, null, null, null, null],
    [
      'a lost connection, at once the last',
      lostForGood,
      'failed',
      null,
      'failed',
      null,
      null,
      null,
      'failed',
    ],
    ['a lost connection, later the last', lostLater, 'failed', null, 'failed', null, null, null, 'failed'],
    ['a lost connection, tried again', lostAndRetried, null, null, null, null, null, null, null],
    [
      'a bounce beside a report of success',
      reportedAfterBounce,
      'failed',
      null,
      'failed',
      null,
      null,
      null,
      'failed',
    ],
    ['a cancellation', canceled, null, null, null, null, null, null, null],
    ['nothing', outcomeOf([]), null, null, null, null, null, null, null],
  ])('%s', (_, found, ...expected) => {
    const actionFor = (notify: NotifyKeyword[] | null, mode: ReportTerms['mode'] = 'asked'): string | null =>
      reportDue(found, terms(notify, { mode }))?.action ?? null;
    expect([
      actionFor(ALL),
      actionFor(['SUCCESS']),
      actionFor(['FAILURE']),
      actionFor(['DELAY']),
      actionFor(['NEVER']),
      actionFor(null),
      actionFor(null, 'failure'),
    ]).toEqual(expected);
  });

  it("a bounce that suppresses the address has the bounce's text", () => {
    expect(reportDue(bouncedAndListed, terms(ALL))).toEqual(reportDue(bounced, terms(ALL)));
  });

  it('a delay is reported once', () => {
    expect(reportDue(delayed, terms(ALL, { isDelayReported: true }))).toBeNull();
    expect(reportDue(bounced, terms(ALL, { isDelayReported: true }))?.action).toBe('failed');
  });

  it('no report goes to missing senders, against NEVER, or if the operator disabled them', () => {
    const events = fc.array(
      fc.record({
        event: fc.constantFrom(...MESSAGE_TRAIL_EVENTS),
        occurredAt: fc.nat(),
        metadata: fc.constantFrom(null, OK, GONE, DELAYED, LOST),
      }),
    );
    const silent = fc.constantFrom<ReportTerms>(
      terms(ALL, { options: null }),
      terms(ALL, { options: { sender: '', notify: ALL } }),
      terms(['NEVER', 'FAILURE']),
      terms(ALL, { mode: 'never' }),
      terms(null),
    );
    const reported = fc.constantFrom('delivered' as const, 'relayed' as const, null);
    fc.assert(
      fc.property(events, reported, silent, (list, report, given) => {
        expect(reportDue(outcomeOf(list, { reported: report }), given)).toBeNull();
      }),
    );
  });
});

describe('the content of a report', () => {
  const said = (found: DeliveryOutcome): object => ({ ...reportDue(found, terms(ALL)), action: undefined });

  it.each<[string, DeliveryOutcome, object]>([
    [
      'the reply that refused',
      bounced,
      {
        status: '5.1.1',
        remoteMta: 'mx.there.example',
        diagnostic: { type: 'smtp', text: '550 5.1.1 no such user' },
        lastAttemptAt: AT,
      },
    ],
    [
      'the reply that took it',
      delivered,
      {
        status: '2.0.0',
        remoteMta: 'mx.there.example',
        diagnostic: { type: 'smtp', text: '250 2.0.0 queued as 4711' },
        lastAttemptAt: AT,
      },
    ],
    [
      'the same of a smarthost',
      handedOver,
      {
        status: '2.0.0',
        remoteMta: 'mx.there.example',
        diagnostic: { type: 'smtp', text: '250 2.0.0 queued as 4711' },
        lastAttemptAt: AT,
      },
    ],
    [
      'an enhanced code that the words lack',
      outcomeOf([event('bounced', { code: 550, enhanced_code: '5.7.1', reply: 'no' })]),
      {
        status: '5.7.1',
        remoteMta: null,
        diagnostic: { type: 'smtp', text: '550 5.7.1 no' },
        lastAttemptAt: AT,
      },
    ],
    [
      'the end of its time',
      outcomeOf([
        event('bounced', { category: 'expired', code: null, enhanced_code: null, reply: 'paused' }),
      ]),
      {
        status: '4.4.7',
        remoteMta: null,
        diagnostic: { type: 'x-service', text: 'paused' },
        lastAttemptAt: null,
      },
    ],
    [
      'a failure of ours',
      failed,
      {
        status: null,
        remoteMta: null,
        diagnostic: { type: 'x-service', text: 'larger than any server takes' },
        lastAttemptAt: null,
      },
    ],
    [
      'a suppression',
      suppressed,
      {
        status: '5.7.1',
        remoteMta: null,
        diagnostic: { type: 'x-service', text: 'The recipient is on the suppression list' },
        lastAttemptAt: null,
      },
    ],
    [
      'that it may have arrived',
      lostForGood,
      {
        status: '4.4.2',
        remoteMta: 'mx.there.example',
        diagnostic: {
          type: 'x-service',
          text: 'The connection was lost before the server replied. The message may have been delivered. connection reset',
        },
        lastAttemptAt: AT,
      },
    ],
    [
      'nothing where nothing is known',
      outcomeOf([event('bounced', {})]),
      {
        status: null,
        remoteMta: null,
        diagnostic: null,
        lastAttemptAt: null,
      },
    ],
  ])('%s', (_, found, expected) => {
    expect(said(found)).toEqual(expected);
  });
});
