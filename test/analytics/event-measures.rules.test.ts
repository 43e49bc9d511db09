// Tests how each event of the trail changes the statistics, and the rates.
import { describe, expect, it } from 'vitest';
import { MEASURES, type Measure, type Sums } from '../../src/analytics/analytics.schema.js';
import {
  MESSAGE_TRAIL_EVENTS,
  TENANT_TRAIL_EVENTS,
  type MessageTrailEvent,
} from '../../src/contract/names.js';
import {
  measuresForEvent,
  computeRates,
  readSigns,
  type EngagedBefore,
} from '../../src/analytics/event-measures.rules.js';

const NOTHING: EngagedBefore = { opens: 0, machineOpens: 0, clicks: 0, machineClicks: 0 };
const PLAIN = { isMachine: false, isHard: false, isListing: false, isRepeated: false, before: NOTHING };

describe('an event', () => {
  it.each<[string, Parameters<typeof measuresForEvent>[0], Measure[]]>([
    ['queued', { ...PLAIN, event: 'queued' }, ['queued']],
    ['sending', { ...PLAIN, event: 'sending' }, []],
    ['sent', { ...PLAIN, event: 'sent' }, ['sent']],
    ['deferred', { ...PLAIN, event: 'deferred' }, ['deferred']],
    ['delivered', { ...PLAIN, event: 'delivered' }, ['delivered']],
    ['failed', { ...PLAIN, event: 'failed' }, ['failed']],
    ['suppressed', { ...PLAIN, event: 'suppressed' }, ['suppressed']],
    ['canceled', { ...PLAIN, event: 'canceled' }, ['canceled']],
    ['a first open', { ...PLAIN, event: 'opened' }, ['opens', 'opened']],
    ['a second open', { ...PLAIN, event: 'opened', before: { ...NOTHING, opens: 1 } }, ['opens']],
    ['an open after a click', { ...PLAIN, event: 'opened', before: { ...NOTHING, clicks: 1 } }, ['opens']],
    [
      'a person’s open after a machine’s',
      { ...PLAIN, event: 'opened', before: { ...NOTHING, machineOpens: 3, machineClicks: 2 } },
      ['opens', 'opened'],
    ],
    [
      'a machine’s first open',
      { ...PLAIN, event: 'opened', isMachine: true, before: { ...NOTHING, opens: 1 } },
      ['machine_opens', 'machine_opened'],
    ],
    [
      'a machine’s second open',
      { ...PLAIN, event: 'opened', isMachine: true, before: { ...NOTHING, machineOpens: 1 } },
      ['machine_opens'],
    ],
    ['a click without an open', { ...PLAIN, event: 'clicked' }, ['clicks', 'clicked', 'opened']],
    [
      'a click after an open',
      { ...PLAIN, event: 'clicked', before: { ...NOTHING, opens: 1 } },
      ['clicks', 'clicked'],
    ],
    ['a second click', { ...PLAIN, event: 'clicked', before: { ...NOTHING, clicks: 1 } }, ['clicks']],
    [
      'a machine’s click',
      { ...PLAIN, event: 'clicked', isMachine: true },
      ['machine_clicks', 'machine_clicked'],
    ],
    [
      'a machine’s second click',
      { ...PLAIN, event: 'clicked', isMachine: true, before: { ...NOTHING, machineClicks: 1 } },
      ['machine_clicks'],
    ],
    ['a soft bounce', { ...PLAIN, event: 'bounced' }, ['bounced']],
    ['a hard bounce', { ...PLAIN, event: 'bounced', isHard: true }, ['bounced', 'hard_bounced']],
    ['a second bounce', { ...PLAIN, event: 'bounced', isHard: true, isRepeated: true }, []],
    ['a complaint', { ...PLAIN, event: 'complained' }, ['complained']],
    ['a second complaint', { ...PLAIN, event: 'complained', isRepeated: true }, []],
    ['an unsubscribe', { ...PLAIN, event: 'unsubscribed' }, ['unsubscribed']],
    ['a second unsubscribe', { ...PLAIN, event: 'unsubscribed', isRepeated: true }, []],
    ['held back', { ...PLAIN, event: 'suppressed' }, ['suppressed']],
    ['what put the address onto the list', { ...PLAIN, event: 'suppressed', isListing: true }, []],
    ['a reply', { ...PLAIN, event: 'received' }, ['replied']],
    ['a second reply', { ...PLAIN, event: 'received', isRepeated: true }, []],
    ['an automatic answer', { ...PLAIN, event: 'auto_replied' }, []],
    ['rescheduled', { ...PLAIN, event: 'rescheduled' }, []],
  ])('that is %s', (_, event, measures) => {
    expect(measuresForEvent(event)).toEqual(measures);
  });

  it.each(TENANT_TRAIL_EVENTS)('about a sub-tenant (%s) is not counted', (event) => {
    expect(measuresForEvent({ ...PLAIN, event })).toEqual([]);
  });

  it('of some type adds to every measure', () => {
    const found = new Set(
      MESSAGE_TRAIL_EVENTS.flatMap((event: MessageTrailEvent) =>
        [true, false].flatMap((flag) => measuresForEvent({ ...PLAIN, event, isMachine: flag, isHard: flag })),
      ),
    );
    expect([...found].sort()).toEqual([...MEASURES].sort());
  });
});

describe('the signs in metadata', () => {
  const none = { isMachine: false, isHard: false, isListing: false, url: null, category: 'unknown' };
  it.each([
    ['opened', undefined, none],
    ['opened', { machine: true }, { ...none, isMachine: true }],
    ['opened', { machine: 'true' }, none],
    ['delivered', { machine: true, url: 'https://a.example/' }, none],
    ['clicked', { url: 'https://a.example/' }, { ...none, url: 'https://a.example/' }],
    ['clicked', { url: 7 }, none],
    ['bounced', { type: 'hard', category: 'unknown' }, { ...none, isHard: true }],
    ['bounced', { type: 'soft', category: 'invalid_recipient' }, { ...none, category: 'invalid_recipient' }],
    ['bounced', { category: 'invalid_recipient' }, { ...none, isHard: true, category: 'invalid_recipient' }],
    ['bounced', { category: ['x'] }, none],
    ['suppressed', { reason: 'bounce' }, none],
    ['suppressed', { reason: 'bounce', added: true }, { ...none, isListing: true }],
  ] as const)('of %s %j', (event, metadata, signs) => {
    expect(readSigns(event, metadata)).toEqual(signs);
  });
});

describe('rates', () => {
  const zero = Object.fromEntries(MEASURES.map((measure) => [measure, 0])) as Sums;

  it('are `null` without a denominator', () => {
    expect(Object.values(computeRates(zero))).toEqual([null, null, null, null, null, null, null]);
  });

  it('are shares of the measure in their name', () => {
    const sums = { ...zero, sent: 300, delivered: 200, opened: 100, clicked: 25, bounced: 3 };
    expect(computeRates({ ...sums, complained: 1, unsubscribed: 2, machine_opened: 150 })).toEqual({
      delivery: 0.666667,
      open: 0.5,
      click: 0.125,
      click_to_open: 0.25,
      bounce: 0.01,
      complaint: 0.005,
      unsubscribe: 0.01,
    });
  });
});
