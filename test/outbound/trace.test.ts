// Tests the live trace of a destination and the counts of the operator's screen: what is reported after commits, to whom, and for
// how long.
import { afterEach, expect, it } from 'vitest';
import { createMailCounter } from '../../src/operations/activity.js';
import { Traces } from '../../src/outbound/trace.js';
import { createFactChannel } from '../../src/lib/concurrency/index.js';
import type { Change, Plan } from '../../src/database/change.js';
import { type RecordAttempt, recordAttempt } from '../../src/messages/message-changes.store.js';
import { smtpSessions } from '../../src/messages/messages.tables.js';
import { insert } from '../../src/database/rows.js';

/** A separate channel, because other tests of the worker listen to that of the process. */
const commits = createFactChannel<readonly Plan[]>();
let now = 1_000_000;
const clock = (): number => now;

/** Closes remaining listeners. */
afterEach(() => {
  now += 60_000;
  commits.publish([]);
  commits.publish([]);
  expect(commits.hasSubscribers()).toBe(false);
});

const attempt = (domain: string, outcome: string, more: Partial<RecordAttempt> = {}): Change =>
  recordAttempt({
    messageId: 1,
    about: {
      ...{ publicId: 'msg_1', subTenantId: null, mode: 'live', toEmail: `ann@${domain}`, domain },
      ...{ toKey: `ann@${domain}`, campaignId: null },
      ...{ provider: null, sizeBytes: null, traceparent: null },
    },
    number: 1,
    at: now,
    sessionId: 'ssn_1',
    detail: JSON.stringify({ outcome }),
    conversation: `C: RCPT TO:<ann@${domain}>\nS: 250 ok`,
    ...more,
  });
const session: Change = insert(smtpSessions, {
  row: { id: 'ssn_1', at: 0, detail: JSON.stringify({ opening: ['S: 220 hello'] }) },
});

it('begins with the first request, and follows only the destination, in order, once', () => {
  const traces = new Traces(clock, commits);
  expect(commits.hasSubscribers()).toBe(false);
  expect(traces.read('a.example', 0)).toEqual({ attempts: [], last: 0, missed: 0 });
  commits.publish([[session, attempt('a.example', 'deferred')], [attempt('b.example', 'delivered')]]);
  commits.publish([[attempt('a.example', 'delivered', { sessionId: 'ssn_before' })]]);
  const found = traces.read('a.example', 0);
  expect(found).toMatchObject({ last: 2, missed: 0 });
  expect(found?.attempts).toMatchObject([
    {
      ...{ position: 1, opening: ['S: 220 hello'], detail: { outcome: 'deferred' } },
      conversation: ['C: RCPT TO:<ann@a.example>', 'S: 250 ok'],
    },
    { position: 2, opening: null },
  ]);
  expect(traces.read('a.example', 2)?.attempts).toEqual([]);
});

it('keeps the newest 200 attempts and reports the number of missing ones', () => {
  const traces = new Traces(clock, commits);
  traces.read('a.example', 0);
  for (let i = 0; i < 250; i++) commits.publish([[attempt('a.example', 'delivered')]]);
  const found = traces.read('a.example', 10);
  expect([found?.attempts.length, found?.last, found?.missed]).toEqual([200, 250, 40]);
});

it('ends half a minute after the last request, and follows at most 20 destinations', () => {
  const traces = new Traces(clock, commits);
  for (let i = 0; i < 20; i++) expect(traces.read(`d${i}.example`, 0)).not.toBeNull();
  expect(traces.read('more.example', 0)).toBeNull();
  now += 30_001;
  commits.publish([]);
  expect(commits.hasSubscribers()).toBe(false);
  // A reader that continues from a position of the previous trace.
  expect(traces.read('more.example', 7)).toEqual({ attempts: [], last: 0, missed: 0 });
  commits.publish([[attempt('more.example', 'delivered')]]);
  expect(traces.read('more.example', 7)?.attempts).toHaveLength(1);
});

it('counts live mail since the first request', () => {
  const counts = createMailCounter({ clock, commits });
  const since = now;
  expect(counts()).toEqual({ since, accepted: 0, delivered: 0, deferred: 0, bounced: 0 });
  commits.publish([
    [attempt('a.example', 'delivered'), attempt('a.example', 'deferred'), attempt('a.example', 'held')],
  ]);
  expect(counts()).toMatchObject({ since, delivered: 1, deferred: 1, bounced: 0 });
});
